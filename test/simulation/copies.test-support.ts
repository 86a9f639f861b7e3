/**
 * What must hold of a simulated cluster when everything is over: it is green, all copies of a shard are the same, searches show what
 * there is, and nothing is held any more.
 */
import { clusterHealth } from '@shoal/cluster';
import type { ClusterState, ShardRouting } from '@shoal/cluster-state';
import type { History } from './history.test-support.ts';
import type { LifePlan } from './life-plan.test-support.ts';
import { demand, SimulationViolation } from './violation.test-support.ts';
import type { Answer, Question, WholeWorld } from './whole-world.test-support.ts';

const ASK_TIMEOUT_MS = 60_000;
const HITS_MAX = 1_000;

type Body = Readonly<Record<string, unknown>>;

interface NodeStats {
  readonly indices: { readonly search: Readonly<Record<string, number>> };
  readonly breakers: Readonly<Record<string, { readonly estimated_size_in_bytes: number }>>;
  readonly indexing_pressure: { readonly memory: { readonly current: Readonly<Record<string, number>> } };
}

/** All nodes are up, see one another in one state, and every copy is there. */
export function isWhole(around: WholeWorld): boolean {
  const { names, programs } = around;
  if (programs.size < names.length) return false;
  const states = [...programs.values()].map(({ cluster }) => cluster.state());
  const [first] = states;
  return (
    first !== undefined &&
    first.clusterManagerId !== null &&
    first.nodes.size === names.length &&
    states.every(({ stateUuid, clusterManagerId }) => stateUuid === first.stateUuid && clusterManagerId !== null) &&
    clusterHealth(first, null).status === 'green'
  );
}

/** Indices that some node sees closed. */
export function closedIndices({ programs }: WholeWorld): readonly string[] {
  const seen = [...programs.values()].flatMap(({ cluster }) => [...cluster.state().metadata.indices.values()]);
  return [...new Set(seen.filter(({ state }) => state === 'close').map(({ name }) => name))];
}

/** Says of each node what it sees, for the report of a cluster that does not become whole. */
export function sightOf(around: WholeWorld): string {
  const lines = around.names.map((name) => {
    const program = around.programs.get(name);
    if (program === undefined) return `${name} is down`;
    const state = program.cluster.state();
    const missing = copiesOf(state).filter((copy) => copy.state !== 'STARTED');
    const shards = missing.map(
      (at) => `${at.index}[${at.shard}]${at.isPrimary ? 'p' : 'r'} ${at.state} ${JSON.stringify(at.unassigned)}`,
    );
    return `${name} sees manager ${state.clusterManagerId}, ${state.nodes.size} nodes, version ${state.term}/${state.version}; ${shards.join('; ')}`;
  });
  return lines.join('\n');
}

function copiesOf(state: ClusterState): readonly ShardRouting[] {
  return [...state.routing.indices.values()].flat(2);
}

export class FinalLook {
  readonly #around: WholeWorld;
  readonly #plan: LifePlan;
  readonly #history: History;

  constructor(around: WholeWorld, plan: LifePlan, history: History) {
    this.#around = around;
    this.#plan = plan;
    this.#history = history;
  }

  async check(): Promise<void> {
    for (const { name } of this.#plan.indices) {
      await this.#expect(this.#anyNode(), { method: 'POST', target: `/${name}/_refresh` });
      const ids = await this.#documents(name);
      await this.#copiesAreSame(name, ids);
    }
    this.#history.checkOrders();
  }

  /** What is held for calls that are over: contexts, bytes, tasks. Empty when there is nothing. */
  async held(): Promise<string> {
    const target = '/_nodes/stats/indices,breaker,indexing_pressure';
    const { nodes } = await this.#expect(this.#anyNode(), { method: 'GET', target });
    const held: string[] = [];
    for (const [id, stats] of Object.entries(nodes as Record<string, NodeStats>)) {
      const { search } = stats.indices;
      const counts = {
        open_contexts: search.open_contexts,
        query_current: search.query_current,
        fetch_current: search.fetch_current,
        scroll_current: search.scroll_current,
        request_bytes: stats.breakers.request?.estimated_size_in_bytes,
        indexing_bytes: stats.indexing_pressure.memory.current.all_in_bytes,
      };
      if (Object.values(counts).some((count) => count !== 0)) held.push(`${id}: ${JSON.stringify(counts)}`);
    }
    const pending = await this.#expect(this.#anyNode(), { method: 'GET', target: '/_cluster/pending_tasks' });
    for (const task of pending.tasks as Body[]) held.push(`pending ${JSON.stringify(task)}`);
    const listed = await this.#expect(this.#anyNode(), { method: 'GET', target: '/_tasks?group_by=none' });
    for (const task of listed.tasks as Body[]) {
      if (!String(task.action).includes('tasks/lists')) held.push(`task ${JSON.stringify(task)}`);
    }
    return held.join('\n');
  }

  /** Reads every document through every node, and adds it to the history as it is in the end. */
  async #documents(index: string): Promise<ReadonlySet<string>> {
    const live = new Set<string>();
    for (const key of this.#history.keys.filter((it) => it.startsWith(`${index}/`))) {
      const id = key.slice(index.length + 1);
      const seen: (string | null)[] = [];
      for (const node of this.#around.names) {
        const answer = await this.#ask(node, { method: 'GET', target: `/${index}/_doc/${id}` });
        demand(
          answer.kind === 'answered' && [200, 404].includes(answer.status),
          () => `get ${key}: ${JSON.stringify(answer)}`,
        );
        const { _source } = answer.kind === 'answered' ? answer.body : {};
        seen.push((_source as { value: string } | undefined)?.value ?? null);
      }
      const [value = null] = seen;
      demand(
        seen.every((other) => other === value),
        () => `${key} is ${seen.join()} on the nodes`,
      );
      this.#history.final(key, value, this.#around.nowMs);
      if (value !== null) live.add(id);
    }
    return live;
  }

  async #copiesAreSame(index: string, live: ReadonlySet<string>): Promise<void> {
    const state = this.#stateOf();
    const total = await this.#expect(this.#anyNode(), { method: 'GET', target: `/${index}/_count` });
    demand(total.count === live.size, () => `${index} counts ${total.count} documents and has ${live.size}`);
    for (const copies of state.routing.indices.get(index) ?? []) {
      let first: string | null = null;
      for (const { shard, nodeId, isPrimary } of copies) {
        const shown = await this.#copy(index, shard, nodeId ?? '');
        first ??= shown;
        demand(
          first === shown,
          () => `copies of ${index}[${shard}] differ, the first is the primary:\n${first}\n${shown} (${isPrimary})`,
        );
      }
    }
    const { indices } = await this.#expect(this.#anyNode(), { method: 'GET', target: `/${index}/_stats?level=shards` });
    const shards = (indices as Record<string, { shards: Record<string, Body[]> }>)[index]?.shards ?? {};
    for (const [shard, copies] of Object.entries(shards)) {
      const checkpoints = copies.map(({ seq_no }) => JSON.stringify(seq_no));
      demand(
        new Set(checkpoints).size === 1,
        () => `sequence numbers of the copies of ${index}[${shard}]: ${checkpoints.join(' ')}`,
      );
    }
  }

  /** All documents of one copy, as it has them. */
  async #copy(index: string, shard: number, nodeId: string): Promise<string> {
    const preference = encodeURIComponent(`_shards:${shard}|_only_nodes:${nodeId}`);
    const body = { size: HITS_MAX, seq_no_primary_term: true, version: true };
    const answer = await this.#expect(this.#anyNode(), {
      method: 'POST',
      target: `/${index}/_search?preference=${preference}`,
      body,
    });
    const { hits } = answer.hits as { hits: readonly Body[] };
    demand(
      (answer._shards as { failed: number }).failed === 0,
      () => `${index}[${shard}] on ${nodeId}: ${JSON.stringify(answer._shards)}`,
    );
    const lines = hits.map(({ _id, _source, _seq_no, _primary_term, _version }) => {
      const { value } = _source as { value: string };
      this.#history.shown(`${index}/${_id}`, { value, seqNo: _seq_no as number, term: _primary_term as number });
      return `${_id}=${value} v${_version} ${_seq_no}/${_primary_term}`;
    });
    return lines.sort().join(', ');
  }

  #anyNode(): string {
    return this.#around.names[0] ?? '';
  }

  #stateOf(): ClusterState {
    const program = this.#around.programs.get(this.#anyNode());
    if (program === undefined) throw new SimulationViolation(`${this.#anyNode()} is down`);
    return program.cluster.state();
  }

  #ask(node: string, question: Question): Promise<Answer> {
    return this.#around.ask(node, question, ASK_TIMEOUT_MS);
  }

  async #expect(node: string, question: Question): Promise<Body> {
    const answer = await this.#ask(node, question);
    if (answer.kind === 'answered' && answer.status === 200) return answer.body;
    throw new SimulationViolation(`${question.method} ${question.target} on ${node}: ${JSON.stringify(answer)}`);
  }
}
