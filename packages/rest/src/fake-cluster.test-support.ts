/**
 * A cluster in one object for the coordinator's tests: a state that a test changes, and shards of the real engine behind
 * the protocol's own codecs, so that every message is written and read as it would be between two nodes.
 */

import {
  type ClusterSettings,
  changedTemplates,
  clusterSettings,
  deleteIngestPipelines,
  deleteStoredScripts,
  deleteSynonymRule,
  deleteSynonymSet,
  deleteTemplates,
  putIngestPipeline,
  putStoredScript,
  putSynonymRule,
  putSynonymSet,
  templateWarnings,
  withoutManager,
} from '@shoal/cluster';
import type { ClusterState, DiscoveryNode } from '@shoal/cluster-state';
import { asShoalError, assert, NO_CONFIG_FILES, ShoalError } from '@shoal/core';
import type { ClusterAdmin, ClusterService, CoordinationDiagnosis, CreateIndexRequest } from '@shoal/membership';
import {
  BULK_SHARD,
  FETCH_PHASE,
  FREE_CONTEXT,
  FREE_CONTEXTS,
  GET_DOCUMENTS,
  joinShardAnswers,
  NODE_QUERY,
  OPEN_READER,
  QUERY_PHASE,
  RANK_QUERY,
  RANK_ROUND,
  SCROLL_PHASE,
  type ShardTarget,
  STATISTICS_PHASE,
  SUGGEST_PHASE,
  shardBatch,
  TERM_VECTORS,
  TERMS_ENUM,
} from '@shoal/protocol';
import { type Cancel, createNodeRuntime, createSilentLog, type Runtime } from '@shoal/runtime';
import type { ActionCodec, Connection, SendOptions, Transport, WireBody } from '@shoal/transport';
import { indexOf, nodeOf, type StateParts, stateOf } from '../../coordinator/src/coordinator.test-support.ts';
import { type AnsweredShard, NodeAnswer } from '../../shards/src/handlers/node-answer.ts';
import type { WorkerThread } from '../../shards/src/worker/worker-thread.ts';
import { EngineShard, engineThread } from './engine-shard.test-support.ts';
import { refusingAdmin } from './refusing-admin.test-support.ts';

export interface SentRequest {
  readonly nodeId: string;
  readonly action: string;
  readonly target: ShardTarget;
  readonly request: unknown;
}

/** Actions that are asked of several shards in one message. */
const BATCHED: readonly ActionCodec<{ readonly target: ShardTarget }, unknown>[] = [
  FETCH_PHASE,
  OPEN_READER,
  RANK_QUERY,
  RANK_ROUND,
  SCROLL_PHASE,
  SUGGEST_PHASE,
  STATISTICS_PHASE,
  TERMS_ENUM,
] as unknown as readonly ActionCodec<{ readonly target: ShardTarget }, unknown>[];

export class FakeCluster implements ClusterService {
  readonly #runtime: Runtime;
  readonly localNode: DiscoveryNode = nodeOf('n1');
  readonly admin: ClusterAdmin;
  readonly #shards = new Map<string, EngineShard>();
  readonly #thread: WorkerThread;
  readonly #failures = new Map<string, ShoalError>();
  readonly #listeners = new Set<() => void>();
  readonly sent: SentRequest[] = [];
  /** Awaited before a request is handled; may throw. */
  intercept: (sent: SentRequest, options: SendOptions) => Promise<void> | void = () => {};
  /** Called with what was answered, before the coordinator hears it; may throw. */
  answered: (sent: SentRequest) => void = () => {};
  #parts: StateParts;
  #state: ClusterState;

  constructor(runtime: Runtime, parts: StateParts) {
    this.#runtime = runtime;
    // Shards have a runtime of their own: what a test counts or delays is the coordinator's.
    this.#thread = engineThread(createNodeRuntime({ log: createSilentLog() }));
    this.#parts = { version: 1, ...parts };
    this.#state = stateOf(this.#parts);
    this.admin = {
      ...refusingAdmin((request) => this.#createIndex(request)),
      putTemplate: async (request) => {
        const warnings = templateWarnings(this.#state, request);
        this.change({ templates: changedTemplates(this.#state.metadata.templates, request, NO_CONFIG_FILES) });
        return { acknowledged: true, warnings };
      },
      putIngestPipeline: async ({ id, config }) => {
        this.#changePipelines(putIngestPipeline(this.#state, { id, config }));
        return { acknowledged: true };
      },
      deleteIngestPipelines: async ({ id }) => {
        this.#changePipelines(deleteIngestPipelines(this.#state, id));
        return { acknowledged: true };
      },
      putStoredScript: async (script) => {
        this.#changeScripts(putStoredScript(this.#state, script));
        return { acknowledged: true };
      },
      deleteStoredScripts: async ({ id }) => {
        this.#changeScripts(deleteStoredScripts(this.#state, id));
        return { acknowledged: true };
      },
      putSynonymSet: async (set) => this.#changeSynonyms(putSynonymSet(this.#state, set)),
      deleteSynonymSet: async ({ id }) => this.#changeSynonyms(deleteSynonymSet(this.#state, id)),
      putSynonymRule: async ({ set, rule }) => this.#changeSynonyms(putSynonymRule(this.#state, set, rule)),
      deleteSynonymRule: async ({ set, ruleId }) => this.#changeSynonyms(deleteSynonymRule(this.#state, set, ruleId)),
      deleteTemplates: async ({ kind, names }) => {
        this.change({ templates: deleteTemplates(this.#state, kind, names).metadata.templates });
        return { acknowledged: true };
      },
    };
  }

  #changeScripts({ metadata }: ClusterState): void {
    this.change({ storedScripts: metadata.storedScripts });
  }

  #changeSynonyms({ metadata }: ClusterState): { readonly acknowledged: boolean } {
    this.change({ synonymSets: metadata.synonymSets });
    return { acknowledged: true };
  }

  #changePipelines({ metadata }: ClusterState): void {
    const configs = [...metadata.ingestPipelines.values()].map(({ id, config }) => [id, config]);
    this.change({ ingestPipelines: Object.fromEntries(configs) });
  }

  get transport(): Transport {
    throw new Error('the coordinator has no business with the transport');
  }

  state(): ClusterState {
    return this.#state;
  }

  settings(): ClusterSettings {
    return clusterSettings(this.#state, this.#parts.nodeSettings ?? {});
  }

  /** Puts another state into force. */
  change(parts: Partial<StateParts>): void {
    this.#parts = { ...this.#parts, ...parts, version: this.#state.version + 1 };
    this.#state = stateOf(this.#parts);
    for (const listener of [...this.#listeners]) listener();
  }

  /** The cluster manager is lost, as this node sees it, until the next `change`. */
  lose(): void {
    this.#state = withoutManager(this.#state, 'write');
  }

  /** Every message of this action to the shard fails from now on. */
  fail(codec: { readonly name: string }, index: string, number: number, error: ShoalError): void {
    this.#failures.set(`${codec.name} ${index}/${number}`, error);
  }

  #shard(index: string, number: number): EngineShard {
    const key = `${index}/${number}`;
    let shard = this.#shards.get(key);
    if (shard === undefined) {
      const metadata = this.#state.metadata.indices.get(index);
      assert(metadata !== undefined, `a shard of ${index} is asked, which is not in the state`);
      shard = new EngineShard(this.#thread, metadata, number);
      this.#shards.set(key, shard);
    }
    return shard;
  }

  /** True when the shard has the document. */
  holds(index: string, number: number, id: string): Promise<boolean> {
    return this.#shard(index, number).holds(id);
  }

  /** Contexts of searches that are open on all shards. */
  async openContexts(): Promise<number> {
    const counts = await Promise.all([...this.#shards.values()].map((shard) => shard.openContexts()));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  onApplied(): Cancel {
    return () => {};
  }

  waitForState(predicate: (state: ClusterState) => boolean, timeoutMs: number): Promise<ClusterState | null> {
    if (predicate(this.#state)) return Promise.resolve(this.#state);
    return new Promise((resolve) => {
      const settle = (state: ClusterState | null): void => {
        this.#listeners.delete(check);
        cancel();
        resolve(state);
      };
      const check = (): void => {
        if (predicate(this.#state)) settle(this.#state);
      };
      const cancel = this.#runtime.sched.after(timeoutMs, () => settle(null));
      this.#listeners.add(check);
    });
  }

  connection(nodeId: string): Connection {
    throw new ShoalError('node_not_connected_exception', 500, nodeId);
  }

  async send<Req, Res>(nodeId: string, codec: ActionCodec<Req, Res>, request: Req, options: SendOptions): Promise<Res> {
    if (codec.name === NODE_QUERY.name) {
      return codec.readResponse(await this.#queryShards(nodeId, codec.writeRequest(request), options));
    }
    if (codec.name === FREE_CONTEXTS.name) {
      return codec.readResponse(await this.#freeContexts(nodeId, codec.writeRequest(request), options));
    }
    const batched = BATCHED.find((inner) => codec.name === shardBatch(inner).name);
    if (batched !== undefined) {
      return codec.readResponse(await this.#askShards(nodeId, batched, codec.writeRequest(request), options));
    }
    const { target } = request as { readonly target: ShardTarget };
    const sent = { nodeId, action: codec.name, target, request };
    this.sent.push(sent);
    await this.intercept(sent, options);
    const failure = this.#failures.get(`${codec.name} ${target.index}/${target.shard}`);
    if (failure !== undefined) throw failure;
    const answer = await this.#answer(this.#shard(target.index, target.shard), codec.name, codec.writeRequest(request));
    this.answered(sent);
    return codec.readResponse(answer);
  }

  /** One message; each of its shards is intercepted and fails as if it had been asked alone. */
  async #queryShards(nodeId: string, body: WireBody, options: SendOptions): Promise<WireBody> {
    const asked = NODE_QUERY.readRequest(body);
    const [first] = asked.shards;
    assert(first !== undefined, 'no shard is asked');
    this.sent.push({ nodeId, action: NODE_QUERY.name, target: first.target, request: asked });
    const answer = new NodeAnswer(asked.shards.length);
    await answer.fill(asked.concurrency, async (position) => {
      const { target, aliasFilter, shardIndex, reader, indexBoost } = asked.shards[position] ?? first;
      const query = { ...asked.query, aliasFilter, shardIndex, reader, indexBoost };
      const request = { target, query, fetchPage: null };
      const sent = { nodeId, action: QUERY_PHASE.name, target, request };
      return this.#asIfAlone(sent, options, () => this.#shard(target.index, target.shard).query(request));
    });
    return joinShardAnswers(answer.answers);
  }

  /** `#queryShards` of another action. */
  async #askShards(
    nodeId: string,
    codec: ActionCodec<{ readonly target: ShardTarget }, unknown>,
    body: WireBody,
    options: SendOptions,
  ): Promise<WireBody> {
    const batch = shardBatch(codec);
    const { requests, concurrency } = batch.readRequest(body);
    const [first] = requests;
    assert(first !== undefined, 'no shard is asked');
    const { target } = codec.readRequest(first);
    this.sent.push({ nodeId, action: batch.name, target, request: requests });
    const answer = new NodeAnswer(requests.length, codec.name === FETCH_PHASE.name);
    await answer.fill(concurrency, async (position) => {
      const own = requests[position] ?? first;
      const request = codec.readRequest(own);
      const sent = { nodeId, action: codec.name, target: request.target, request };
      return this.#asIfAlone(sent, options, () =>
        this.#answer(this.#shard(request.target.index, request.target.shard), codec.name, own),
      );
    });
    return batch.writeResponse({ answers: answer.answers });
  }

  async #asIfAlone(
    sent: SentRequest,
    options: SendOptions,
    work: () => Promise<WireBody>,
  ): Promise<AnsweredShard | ShoalError> {
    const { action, target } = sent;
    try {
      await this.intercept(sent, options);
      const failure = this.#failures.get(`${action} ${target.index}/${target.shard}`);
      if (failure !== undefined) throw failure;
      const body = await work();
      this.answered(sent);
      return { body, discard: async () => {} };
    } catch (error) {
      return asShoalError(error);
    }
  }

  async #freeContexts(nodeId: string, body: WireBody, options: SendOptions): Promise<WireBody> {
    const { contexts } = FREE_CONTEXTS.readRequest(body);
    const [first] = contexts;
    assert(first !== undefined, 'no context is freed');
    const sent = { nodeId, action: FREE_CONTEXTS.name, target: first.target, request: { contexts } };
    this.sent.push(sent);
    await this.intercept(sent, options);
    const freed = await Promise.all(
      contexts.map(({ target, contextId }) => this.#shard(target.index, target.shard).free(contextId)),
    );
    return FREE_CONTEXTS.writeResponse({ freed: freed.filter((isFreed) => isFreed).length });
  }

  async #answer(shard: EngineShard, action: string, body: WireBody): Promise<WireBody> {
    switch (action) {
      case BULK_SHARD.name:
        return BULK_SHARD.writeResponse(await shard.bulk(BULK_SHARD.readRequest(body)));
      case GET_DOCUMENTS.name:
        return shard.get(GET_DOCUMENTS.readRequest(body));
      case TERM_VECTORS.name:
        return shard.termVectors(TERM_VECTORS.readRequest(body));
      case QUERY_PHASE.name:
        return shard.query(QUERY_PHASE.readRequest(body));
      case FETCH_PHASE.name:
        return shard.fetch(FETCH_PHASE.readRequest(body));
      case OPEN_READER.name:
        return OPEN_READER.writeResponse({
          contextId: await shard.openReader(OPEN_READER.readRequest(body).keepAliveMs),
        });
      case RANK_QUERY.name:
        return shard.rank(RANK_QUERY.readRequest(body));
      case RANK_ROUND.name:
        return shard.rankRound(RANK_ROUND.readRequest(body));
      case SCROLL_PHASE.name:
        return shard.scroll(SCROLL_PHASE.readRequest(body));
      case STATISTICS_PHASE.name:
        return STATISTICS_PHASE.writeResponse({
          statistics: await shard.statistics(STATISTICS_PHASE.readRequest(body)),
        });
      case TERMS_ENUM.name:
        return shard.enumerateTerms(TERMS_ENUM.readRequest(body));
      case SUGGEST_PHASE.name:
        return shard.suggest(SUGGEST_PHASE.readRequest(body));
      default:
        assert(action === FREE_CONTEXT.name, `no handler for ${action}`);
        return FREE_CONTEXT.writeResponse({ freed: await shard.free(FREE_CONTEXT.readRequest(body).contextId) });
    }
  }

  diagnose(): CoordinationDiagnosis {
    return {
      mode: 'leader',
      term: 1,
      clusterManagerId: 'n1',
      attempts: [],
      voters: [],
      refused: [],
      acceptedVersion: this.state().version,
      receivedStates: { full: 0, compatibleDiffs: 0, incompatibleDiffs: 0 },
      missing: null,
    };
  }

  async handOver(): Promise<void> {}

  async close(): Promise<void> {}

  async #createIndex(request: CreateIndexRequest) {
    if (request.index !== request.index.toLowerCase()) {
      throw new ShoalError(
        'invalid_index_name_exception',
        400,
        `Invalid index name [${request.index}], must be lowercase`,
        { metadata: { index: request.index, index_uuid: '_na_' } },
      );
    }
    this.change({ indices: [...(this.#parts.indices ?? []), indexOf(request.index)] });
    return { acknowledged: true, shardsAcknowledged: true, index: request.index };
  }
}
