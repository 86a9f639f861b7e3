/**
 * A cluster in one object for the coordinator's tests: a state that a test changes, and shards in memory behind the
 * protocol's own codecs, so that every message is written and read as it would be between two nodes.
 */

import { assert, masterNotDiscovered, ShoalError } from '@shoal/core';
import type { ClusterAdmin, ClusterService, CoordinationDiagnosis, CreateIndexRequest } from '@shoal/membership';
import {
  BULK_SHARD,
  type ClusterState,
  type DiscoveryNode,
  FETCH_PHASE,
  FREE_CONTEXT,
  GET_DOCUMENTS,
  OPEN_READER,
  QUERY_PHASE,
  RANK_QUERY,
  RANK_ROUND,
  type RankQueryRequest,
  type RankQueryResponse,
  SearchCodec,
  type ShardTarget,
} from '@shoal/protocol';
import type { SortField } from '@shoal/query';
import type { Cancel, Runtime } from '@shoal/runtime';
import type { RankEntries } from '@shoal/shard-api';
import type { ActionCodec, Connection, SendOptions, Transport } from '@shoal/transport';
import { indexOf, nodeOf, type StateParts, stateOf } from '../../coordinator/src/coordinator.test-support.ts';
import { answerRound } from '../../coordinator/src/paging/ranked-shards.test-support.ts';
import { MemoryShard } from './memory-shard.test-support.ts';

export interface SentRequest {
  readonly nodeId: string;
  readonly action: string;
  readonly target: ShardTarget;
  readonly request: unknown;
}

/** More than a test has. */
const ALL_ENTRIES = 1_000_000;

export class FakeCluster implements ClusterService {
  readonly #runtime: Runtime;
  readonly localNode: DiscoveryNode = nodeOf('n1');
  readonly admin: ClusterAdmin;
  readonly #shards = new Map<string, MemoryShard>();
  readonly #listeners = new Set<() => void>();
  readonly #lists = new Map<string, { readonly entries: RankEntries; readonly sort: readonly SortField[] }>();
  readonly sent: SentRequest[] = [];
  /** Awaited before a request is handled; may throw. */
  intercept: (sent: SentRequest, options: SendOptions) => Promise<void> | void = () => {};
  #parts: StateParts;
  #state: ClusterState;

  constructor(runtime: Runtime, parts: StateParts) {
    this.#runtime = runtime;
    this.#parts = { version: 1, ...parts };
    this.#state = stateOf(this.#parts);
    this.admin = adminThat((request) => this.#createIndex(request));
  }

  get transport(): Transport {
    throw new Error('the coordinator has no business with the transport');
  }

  state(): ClusterState {
    return this.#state;
  }

  /** Puts another state into force. */
  change(parts: Partial<StateParts>): void {
    this.#parts = { ...this.#parts, ...parts, version: this.#state.version + 1 };
    this.#state = stateOf(this.#parts);
    for (const listener of [...this.#listeners]) listener();
  }

  shard(index: string, number = 0): MemoryShard {
    const key = `${index}/${number}`;
    const shard = this.#shards.get(key) ?? new MemoryShard(index, number);
    this.#shards.set(key, shard);
    return shard;
  }

  get openContexts(): number {
    return [...this.#shards.values()].reduce((sum, shard) => sum + shard.openContexts, 0);
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
    const { target } = request as { readonly target: ShardTarget };
    const sent = { nodeId, action: codec.name, target, request };
    this.sent.push(sent);
    await this.intercept(sent, options);
    const body = codec.writeRequest(request);
    const shard = this.shard(target.index, target.shard);
    switch (codec.name) {
      case BULK_SHARD.name:
        return codec.readResponse(BULK_SHARD.writeResponse(shard.bulk(BULK_SHARD.readRequest(body))));
      case GET_DOCUMENTS.name:
        return codec.readResponse(GET_DOCUMENTS.writeResponse(shard.get(GET_DOCUMENTS.readRequest(body))));
      case QUERY_PHASE.name:
        return codec.readResponse(QUERY_PHASE.writeResponse(shard.query(QUERY_PHASE.readRequest(body))));
      case FETCH_PHASE.name:
        return codec.readResponse(FETCH_PHASE.writeResponse(shard.fetch(FETCH_PHASE.readRequest(body))));
      case OPEN_READER.name:
        return codec.readResponse(OPEN_READER.writeResponse({ contextId: shard.openReader() }));
      case RANK_QUERY.name:
        return codec.readResponse(RANK_QUERY.writeResponse(this.#rank(shard, RANK_QUERY.readRequest(body))));
      case RANK_ROUND.name: {
        const { request: asked } = RANK_ROUND.readRequest(body);
        const list = this.#lists.get(`${target.index}/${target.shard}/${asked.contextId}`);
        assert(list, 'no list is kept');
        return codec.readResponse(
          RANK_ROUND.writeResponse(answerRound(list.sort, list.entries, asked.round, asked.shardIndex)),
        );
      }
      default:
        assert(codec.name === FREE_CONTEXT.name, `no handler for ${codec.name}`);
        shard.free(FREE_CONTEXT.readRequest(body).contextId);
        return codec.readResponse(FREE_CONTEXT.writeResponse({ freed: true }));
    }
  }

  #rank(shard: MemoryShard, { target, query, ask, fetchesPage }: RankQueryRequest): RankQueryResponse {
    const topN = ask.kind === 'top' ? query.topN : ALL_ENTRIES;
    const { result } = shard.query({ target, query: { ...query, topN }, fetchPage: null });
    const { columns, scores, ords, contextId } = result;
    const { sort } = new SearchCodec().readSearch(query.search).request;
    const entries = { columns, scores, ords };
    this.#lists.set(`${target.index}/${target.shard}/${contextId}`, { entries, sort });
    const round =
      ask.kind === 'page'
        ? { lower: null, upper: null, from: ask.from, to: ask.from, pivots: 0, tail: ask.size }
        : ask.round;
    const rank = answerRound(sort, entries, round, query.shardIndex);
    const hits =
      fetchesPage && contextId !== null
        ? shard.fetch({ target, fetch: { contextId, ords: rank.entries.ords, consumed: null, search: null } }).hits
        : null;
    const left = { ...result, columns: [], scores: null, ords: new Uint32Array(0) };
    return { result: hits === null ? left : { ...left, contextId: null }, rank, hits };
  }

  diagnose(): CoordinationDiagnosis {
    return {
      mode: 'leader',
      term: 1,
      clusterManagerId: 'n1',
      attempts: [],
      acceptedVersion: this.state().version,
      receivedStates: { full: 0, compatibleDiffs: 0, incompatibleDiffs: 0 },
      missing: null,
    };
  }

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

function adminThat(createIndex: ClusterAdmin['createIndex']): ClusterAdmin {
  const refuse = (): Promise<never> => Promise.reject(masterNotDiscovered());
  return {
    createIndex,
    deleteIndices: refuse,
    putMapping: refuse,
    updateIndexSettings: refuse,
    updateAliases: refuse,
    setIndexState: refuse,
    updateClusterSettings: refuse,
    explainAllocation: refuse,
    pendingTasks: refuse,
    addVotingConfigExclusions: refuse,
    clearVotingConfigExclusions: refuse,
    shardStarted: refuse,
    shardFailed: refuse,
  };
}
