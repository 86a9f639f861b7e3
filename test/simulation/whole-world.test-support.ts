/**
 * Whole nodes of the product in one simulated world: they can be asked, killed and started again, and a node that must stop does.
 */
import { CancelSource, isAssertionFailure } from '@shoal/core';
import { answerInProcess, type InProcessRequest } from '@shoal/http';
import { type DataNode, startDataNode } from '@shoal/node';
import type { Cancel, Log } from '@shoal/runtime';
import { loadShardProgram } from '@shoal/shards';
import { createWorld, type SimulatedNode, type SimulatedWorld } from '@shoal/simulation';
import { type LifePlan, LONG_CHECK_EVERY_MS, type ShardPlace, type Victim } from './life-plan.test-support.ts';

const TRANSPORT_PORT = 9_300;
/** Whoever supervises the processes starts again what has ended. */
const RESTART_MS = 5_000;

const RARE_CHECKS = Object.fromEntries(
  [
    'cluster.fault_detection.follower_check.interval',
    'cluster.fault_detection.leader_check.interval',
    'discovery.find_peers_interval',
  ].map((name) => [name, `${LONG_CHECK_EVERY_MS}ms`]),
);

/** A text as body is one of lines, anything else JSON. */
export interface Question {
  readonly method: string;
  readonly target: string;
  readonly body?: unknown;
}

/**
 * `refused`: no process was there, nothing was done. `lost`: no answer came, and what was asked may be done at any time or never. `late`:
 * the same, and an answer may still come.
 */
export type Answer =
  | { readonly kind: 'answered'; readonly status: number; readonly body: Readonly<Record<string, unknown>> }
  | { readonly kind: 'refused' | 'lost' | 'late' };

interface Member {
  readonly machine: SimulatedNode;
  program: DataNode | null;
  processCount: number;
  /** Those who wait for an answer of the process that runs. */
  waiting: Set<() => void>;
  /** Killed by the nemesis, which starts it again itself. */
  isHeldDown: boolean;
}

export class WholeWorld {
  readonly world: SimulatedWorld;
  readonly names: readonly string[];
  /** Processes that ended by themselves, since their disk failed. */
  stoppedCount = 0;
  readonly #plan: LifePlan;
  readonly #members = new Map<string, Member>();
  readonly #outside: SimulatedNode;
  readonly #violations: unknown[] = [];

  private constructor(plan: LifePlan, onLogLine?: (line: string) => void) {
    this.#plan = plan;
    this.world = createWorld({
      seed: plan.seed,
      network: plan.network,
      disk: { latencyMaxMs: plan.diskLatencyMaxMs },
      work: plan.work,
      ...(onLogLine === undefined ? {} : { onLogLine }),
    });
    this.names = Array.from({ length: plan.nodes }, (_, at) => `n${at + 1}`);
    for (const name of this.names) {
      const machine = this.world.node(name);
      this.#members.set(name, { machine, program: null, processCount: 0, waiting: new Set(), isHeldDown: false });
    }
    this.#outside = this.world.node('outside');
    this.world.onEveryEvent(() => {
      const [violation] = this.#violations;
      if (violation !== undefined) throw violation;
    });
    process.on('unhandledRejection', this.#failed);
  }

  static async create(plan: LifePlan, onLogLine?: (line: string) => void): Promise<WholeWorld> {
    // Loading takes real time, of which a simulated world knows nothing.
    await loadShardProgram();
    return new WholeWorld(plan, onLogLine);
  }

  get nowMs(): number {
    return this.world.nowMs;
  }

  /** Programs of the nodes that are up, by name. */
  get programs(): ReadonlyMap<string, DataNode> {
    const up = new Map<string, DataNode>();
    for (const [name, { machine, program }] of this.#members) {
      if (machine.isAlive && program !== null) up.set(name, program);
    }
    return up;
  }

  /** Visits the programs of the nodes that are up: what is done after every event makes no map of them. */
  eachProgram(visit: (program: DataNode) => void): void {
    for (const { machine, program } of this.#members.values()) {
      if (machine.isAlive && program !== null) visit(program);
    }
  }

  /** Log of what comes from outside: faults and calls, among the lines of the nodes. */
  get log(): Log {
    return this.#outside.runtime.log;
  }

  machine(name: string): SimulatedNode {
    return this.#member(name).machine;
  }

  /** Runs `run` after some time, whatever happens to the nodes. */
  after(ms: number, run: () => void): Cancel {
    return this.#outside.runtime.sched.after(ms, run);
  }

  /** Takes over a promise that nobody waits for: when it rejects, the life is over. */
  own(work: Promise<unknown>): void {
    work.catch(this.#failed);
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => void this.after(ms, resolve));
  }

  /** Runs until the predicate holds or so much time has passed; says which. */
  async until(what: () => boolean, ms: number): Promise<boolean> {
    const untilMs = this.nowMs + ms;
    // The world jumps to the next event; this one makes it stop in time.
    this.after(ms, () => undefined);
    await this.world.run(() => what() || this.nowMs >= untilMs);
    return what();
  }

  /** The node that a fault names, as the nodes see it now; the first one when nobody knows. */
  nameOf(victim: Victim): string {
    if (typeof victim === 'number') return this.names[victim] ?? '';
    if (victim !== 'manager') return this.nodesOf(victim)[0] ?? this.names[0] ?? '';
    for (const { cluster } of this.programs.values()) {
      const { clusterManagerId, nodes } = cluster.state();
      const name = clusterManagerId === null ? undefined : nodes.get(clusterManagerId)?.name;
      if (name !== undefined) return name;
    }
    return this.names[0] ?? '';
  }

  /** The shard of a plan that a fault names. */
  shardAt({ index, shard }: ShardPlace): { readonly index: string; readonly shard: number } {
    const { indices } = this.#plan;
    const plan = indices[index % indices.length];
    return { index: plan?.name ?? '', shard: shard % (plan?.shards ?? 1) };
  }

  /** Nodes that have such copies of a shard in the newest state that any node has applied, the primary first. */
  nodesOf(place: ShardPlace & { readonly copy: 'primary' | 'replica' | 'any' }): readonly string[] {
    const states = [...this.programs.values()].map(({ cluster }) => cluster.state());
    const [newest] = states.toSorted((a, b) => b.term - a.term || b.version - a.version);
    const { index, shard } = this.shardAt(place);
    const copies = newest?.routing.indices.get(index)?.[shard] ?? [];
    return copies
      .filter(({ isPrimary }) => place.copy === 'any' || isPrimary === (place.copy === 'primary'))
      .flatMap(({ nodeId }) => newest?.nodes.get(nodeId ?? '')?.name ?? []);
  }

  /** A node knows that it has the primary of a shard. */
  leads(name: string, place: ShardPlace): boolean {
    const state = this.programs.get(name)?.cluster.state();
    const { index, shard } = this.shardAt(place);
    const primary = state?.routing.indices.get(index)?.[shard]?.find(({ isPrimary }) => isPrimary);
    return state?.nodes.get(primary?.nodeId ?? '')?.name === name;
  }

  /** Starts a node that does not run. */
  start(name: string): void {
    const member = this.#member(name);
    member.isHeldDown = false;
    if (member.processCount > 0 && member.machine.isAlive) return;
    member.processCount += 1;
    const process = member.processCount;
    const runtime = process === 1 ? member.machine.runtime : member.machine.restart();
    const isCurrent = (): boolean => member.processCount === process && member.machine.isAlive;
    const settings = {
      'cluster.name': 'simulated',
      'node.name': name,
      'node.workers': 1,
      'network.host': name,
      'transport.port': TRANSPORT_PORT,
      'discovery.seed_hosts': this.names.map((host) => `${host}:${TRANSPORT_PORT}`),
      'cluster.initial_cluster_manager_nodes': this.names,
      insecure: true,
      ...(this.#plan.long === undefined ? {} : RARE_CHECKS),
    };
    const onFatal = (error: unknown): void => {
      if (isCurrent()) this.#stopped(name, error);
    };
    const started = startDataNode(runtime, settings, { httpPort: null, reserveBytes: 0, onFatal });
    this.own(
      started.then((node) => {
        if (isCurrent()) member.program = node;
      }, onFatal),
    );
  }

  /** Kills the process: what was not synced is there in part or not at all. It stays down until it is started. */
  crash(name: string, silent: boolean): void {
    this.#member(name).isHeldDown = true;
    this.#end(name, silent);
  }

  /** Ends the process in order, and then the rest of it. */
  async close(name: string): Promise<void> {
    const member = this.#member(name);
    const { program } = member;
    if (program === null || !member.machine.isAlive) return;
    await program.close();
    if (member.program === program) this.crash(name, false);
  }

  /**
   * Asks a node from outside, and waits for at most so long.
   *
   * @param onLate the client goes on after that time and keeps its connection: given what comes then, `lost` when nothing can come
   *   any more; left out: the client hangs up
   */
  ask(name: string, question: Question, timeoutMs: number, onLate?: (answer: Answer) => void): Promise<Answer> {
    const member = this.#member(name);
    const { program, waiting } = member;
    if (program === null || !member.machine.isAlive) return Promise.resolve({ kind: 'refused' });
    return new Promise((resolve) => {
      const gone = new CancelSource();
      let tell: (answer: Answer) => void = resolve;
      const settle = (answer: Answer): void => {
        forget();
        waiting.delete(lost);
        tell(answer);
      };
      const lost = (): void => settle({ kind: 'lost' });
      const forget = this.after(timeoutMs, () => {
        if (onLate === undefined) {
          lost();
          gone.cancel('the client has gone');
        } else {
          tell = onLate;
          resolve({ kind: 'late' });
        }
      });
      waiting.add(lost);
      // In the time of the node: one that is paused hears of it later.
      member.machine.runtime.sched.soon(() => {
        const answered = answerInProcess(program.handler, { ...requestOf(question), signal: gone });
        this.own(answered.then(({ status, body }) => settle({ kind: 'answered', status, body: readAnswer(body) })));
      });
    });
  }

  /** Ends everything, so that nothing of this world is held. */
  async end(): Promise<void> {
    for (const name of this.names) this.crash(name, true);
    // What was under way comes to its end, and whatever fails of it is of this life and not of the next.
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', this.#failed);
  }

  /** A broken invariant is a violation; a disk that failed under the cluster state stops its process, which is started again. */
  #stopped(name: string, error: unknown): void {
    if (!isDiskFailure(error)) {
      this.#failed(error);
      return;
    }
    this.stoppedCount += 1;
    this.#end(name, false);
    this.after(RESTART_MS, () => {
      const member = this.#member(name);
      if (!member.isHeldDown && !member.machine.isAlive) this.start(name);
    });
  }

  readonly #failed = (error: unknown): void => {
    this.#violations.push(error);
  };

  #end(name: string, silent: boolean): void {
    const member = this.#member(name);
    member.machine.crash({ silent });
    member.program = null;
    const { waiting } = member;
    member.waiting = new Set();
    for (const lost of [...waiting]) lost();
  }

  #member(name: string): Member {
    const member = this.#members.get(name);
    if (member === undefined) throw new Error(`no node ${name}`);
    return member;
  }
}

/** Also what an error says to have come from. */
function isDiskFailure(error: unknown): boolean {
  if (isAssertionFailure(error)) return false;
  for (let at: unknown = error; at instanceof Error; at = at.cause) if (at.name === 'DiskError') return true;
  return false;
}

function requestOf({ method, target, body }: Question): Omit<InProcessRequest, 'signal'> {
  if (body === undefined) return { method, target, headers: {}, body: new Uint8Array(0) };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = { 'content-type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json' };
  return { method, target, headers, body: new TextEncoder().encode(text) };
}

function readAnswer(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  if (bytes.length === 0) return {};
  const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
