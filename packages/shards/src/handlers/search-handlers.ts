/**
 * Answers the query and fetch phases of searches on the shards of this node.
 */

import { keepAliveMsMax } from '@shoal/cluster';
import { rejectedExecution } from '@shoal/core';
import { OPEN_SCROLLS_MAX_DEFAULT } from '@shoal/engine';
import type { ClusterService } from '@shoal/membership';
import {
  FETCH_PHASE,
  type FetchPhaseRequest,
  FREE_ALL_CONTEXTS,
  FREE_CONTEXT,
  FREE_CONTEXTS,
  type FreeContextRequest,
  joinShardAnswers,
  NODE_QUERY,
  OPEN_READER,
  type OpenReaderRequest,
  type PackedShardQuery,
  QUERY_PHASE,
  RANK_QUERY,
  RANK_ROUND,
  type RankQueryRequest,
  type RankRoundMessage,
  SCROLL_PHASE,
  type ScrollPhaseRequest,
  type ShardTarget,
  STATISTICS_PHASE,
  type StatisticsPhaseRequest,
  SUGGEST_PHASE,
  type SuggestPhaseRequest,
  TERMS_ENUM,
  type TermsEnumMessage,
} from '@shoal/protocol';
import type { Runtime } from '@shoal/runtime';
import { SEARCH_QUEUE_MAX } from '@shoal/shard-api';
import { handleWith, handleWritten, type WireBody } from '@shoal/transport';
import { unpackBody } from '../calls/packed-body.ts';
import type { QueryAnswer, ShardKey } from '../calls/worker-calls.ts';
import type { LocalShard } from '../supervisor/local-shard.ts';
import type { ShardSupervisor } from '../supervisor/shard-supervisor.ts';
import type { WorkerThread } from '../worker/worker-thread.ts';
import { type AnsweredShard, NodeAnswer } from './node-answer.ts';
import { type NodeQueryPlan, queryNode } from './node-query.ts';
import { handleShardAction, type RunShard, refuseCancelled } from './shard-actions.ts';
import type { ShardRequests } from './shard-requests.ts';

export interface SearchHandlerOptions {
  readonly runtime: Runtime;
  readonly cluster: ClusterService;
  readonly supervisor: ShardSupervisor;
  readonly requests: ShardRequests;
  /** Called before a shard is searched; what it throws is how the shard fails. */
  readonly beforeShardSearch?: ((target: ShardTarget) => void) | undefined;
}

export function registerSearchHandlers(options: SearchHandlerOptions): void {
  registerQueryHandlers(options);
  registerRankHandlers(options);
  registerReaderHandlers(options);
  registerFreeHandlers(options);
}

function registerQueryHandlers(options: SearchHandlerOptions): void {
  const { cluster, supervisor, requests, beforeShardSearch } = options;
  handleWritten(cluster.transport, QUERY_PHASE, async ({ target, query, fetchPage }, inbound) => {
    beforeShardSearch?.(target);
    const { shard, worker } = await requests.findForSearch(target, inbound.timeoutMs);
    refuseWhenFull(worker, supervisor, cluster.localNode.name);
    refuseCancelled(inbound.signal);
    const bounded = withinKeepAlive(query, keepAliveMsMax(cluster.settings()));
    if (query.isScroll) limitScrolls(options);
    const answer = await worker.query({ key: shard.key, query: bounded, fetchPage }, inbound.signal);
    // Nobody will fetch from it: the sender is gone.
    if (inbound.signal.cancelled) await freeOwn({ worker, key: shard.key, reader: query.reader }, answer);
    refuseCancelled(inbound.signal);
    return unpackBody(answer.body);
  });
  handleWritten(cluster.transport, NODE_QUERY, async (request, inbound) => {
    const answer = new NodeAnswer(request.shards.length);
    const find: NodeQueryPlan['find'] = async ({ target }) => {
      beforeShardSearch?.(target);
      const { shard, worker } = await requests.findForSearch(target, inbound.timeoutMs);
      refuseWhenFull(worker, supervisor, cluster.localNode.name);
      refuseCancelled(inbound.signal);
      return { key: shard.key, worker };
    };
    if (request.query.isScroll) limitScrolls(options);
    await queryNode(options, { request, inbound, keepAliveMs: keepAliveMsMax(cluster.settings()), find }, answer);
    if (inbound.signal.cancelled) await answer.discard();
    refuseCancelled(inbound.signal);
    return joinShardAnswers(answer.answers);
  });
  const fetch: RunShard<FetchPhaseRequest> = async ({ target, fetch }, { timeoutMs, signal, bytesMax }) => {
    const { shard, worker } = await requests.find(target, timeoutMs);
    refuseCancelled(signal);
    const answer = await worker.fetch({ key: shard.key, fetch, bytesMax }, signal);
    return answer === null ? null : stateless(unpackBody(answer));
  };
  handleShardAction(options, { codec: FETCH_PHASE, run: fetch, isOnce: true });
}

/** The query as it is where it asks for no more time than there is, as nearly all do: a copy costs as much as the rest of the way. */
function withinKeepAlive(query: PackedShardQuery, msMax: number): PackedShardQuery {
  return query.keepAliveMs <= msMax ? query : { ...query, keepAliveMs: msMax };
}

interface Searched {
  readonly worker: WorkerThread;
  readonly key: ShardKey;
  /** Reader that was searched in; null: one of the search's own. */
  readonly reader: number | null;
}

/** Lets go of what a shard keeps for a search whose answer nobody will hear. */
async function freeOwn({ worker, key, reader }: Searched, { contextId }: QueryAnswer): Promise<void> {
  if (contextId !== null && reader === null) await worker.call('freeContexts', { key, contextIds: [contextId] });
}

/** Answer of a shard that keeps nothing for it. */
function stateless(body: WireBody): AnsweredShard {
  return { body, discard: async () => {} };
}

function registerRankHandlers(options: SearchHandlerOptions): void {
  const { cluster, supervisor, requests, beforeShardSearch } = options;
  const query: RunShard<RankQueryRequest> = async ({ target, query, ask, fetchesPage }, { timeoutMs, signal }) => {
    beforeShardSearch?.(target);
    const { shard, worker } = await requests.findForSearch(target, timeoutMs);
    refuseWhenFull(worker, supervisor, cluster.localNode.name);
    refuseCancelled(signal);
    const bounded = { ...query, keepAliveMs: Math.min(query.keepAliveMs, keepAliveMsMax(cluster.settings())) };
    const { key } = shard;
    const answer = await worker.rank({ key, query: bounded, ask, fetchesPage }, signal);
    return { body: unpackBody(answer.body), discard: () => freeOwn({ worker, key, reader: query.reader }, answer) };
  };
  const round: RunShard<RankRoundMessage> = async ({ target, request }, { timeoutMs, signal }) => {
    const { shard, worker } = await requests.find(target, timeoutMs);
    refuseCancelled(signal);
    return stateless(unpackBody(await worker.call('rankRound', { key: shard.key, request })));
  };
  handleShardAction(options, { codec: RANK_QUERY, run: query, isOnce: false });
  handleShardAction(options, { codec: RANK_ROUND, run: round, isOnce: false });
}

function registerReaderHandlers(options: SearchHandlerOptions): void {
  const { cluster, supervisor, requests } = options;
  const next: RunShard<ScrollPhaseRequest> = async ({ target, next, fetchesPage }, { timeoutMs, signal }) => {
    const { shard, worker } = await requests.find(target, timeoutMs);
    refuseWhenFull(worker, supervisor, cluster.localNode.name);
    const bounded = { ...next, keepAliveMs: Math.min(next.keepAliveMs, keepAliveMsMax(cluster.settings())) };
    return stateless(unpackBody(await worker.scroll({ key: shard.key, next: bounded, fetchesPage }, signal)));
  };
  const statistics: RunShard<StatisticsPhaseRequest> = async ({ target, query }, { timeoutMs }) => {
    const { shard, worker } = await requests.findForSearch(target, timeoutMs);
    refuseWhenFull(worker, supervisor, cluster.localNode.name);
    const found = await worker.call('statistics', { key: shard.key, query });
    return stateless(STATISTICS_PHASE.writeResponse({ statistics: found }));
  };
  const suggest: RunShard<SuggestPhaseRequest> = async ({ target, query }, { timeoutMs, signal }) => {
    const { shard, worker } = await requests.findForSearch(target, timeoutMs);
    refuseWhenFull(worker, supervisor, cluster.localNode.name);
    refuseCancelled(signal);
    const bounded = { ...query, keepAliveMs: Math.min(query.keepAliveMs, keepAliveMsMax(cluster.settings())) };
    const suggestions = await worker.suggest({ key: shard.key, query: bounded }, signal);
    return stateless(SUGGEST_PHASE.writeResponse({ suggestions }));
  };
  const enumerate: RunShard<TermsEnumMessage> = async ({ target, query, asked }, { timeoutMs, signal }) => {
    const { shard, worker } = await requests.findForSearch(target, timeoutMs);
    refuseWhenFull(worker, supervisor, cluster.localNode.name);
    refuseCancelled(signal);
    return stateless(TERMS_ENUM.writeResponse(await worker.enumerateTerms({ key: shard.key, query, asked }, signal)));
  };
  const open: RunShard<OpenReaderRequest> = async ({ target, keepAliveMs }, { timeoutMs }) => {
    const { shard, worker } = await requests.findForSearch(target, timeoutMs);
    const bounded = Math.min(keepAliveMs, keepAliveMsMax(cluster.settings()));
    const { key } = shard;
    const contextId = await worker.call('openReader', { key, keepAliveMs: bounded });
    const body = OPEN_READER.writeResponse({ contextId });
    return { body, discard: async () => void (await worker.call('freeContexts', { key, contextIds: [contextId] })) };
  };
  handleShardAction(options, { codec: SCROLL_PHASE, run: next, isOnce: false });
  handleShardAction(options, { codec: STATISTICS_PHASE, run: statistics, isOnce: false });
  handleShardAction(options, { codec: SUGGEST_PHASE, run: suggest, isOnce: false });
  handleShardAction(options, { codec: TERMS_ENUM, run: enumerate, isOnce: false });
  handleShardAction(options, { codec: OPEN_READER, run: open, isOnce: false });
}

function registerFreeHandlers({ cluster, supervisor }: SearchHandlerOptions): void {
  const free = async (contexts: readonly FreeContextRequest[]): Promise<number> => {
    const byShard = new Map<LocalShard, number[]>();
    for (const { target, contextId } of contexts) {
      const shard = supervisor.copyOf(target);
      if (shard === null) continue;
      const contextIds = byShard.get(shard);
      if (contextIds === undefined) byShard.set(shard, [contextId]);
      else contextIds.push(contextId);
    }
    const freed = await Promise.all(
      [...byShard].map(async ([{ phase, worker, key }, contextIds]) =>
        phase === 'open' && worker !== null ? worker.call('freeContexts', { key, contextIds }) : 0,
      ),
    );
    return freed.reduce((sum, count) => sum + count, 0);
  };
  handleWith(cluster.transport, FREE_CONTEXT, async (one) => ({ freed: (await free([one])) > 0 }));
  handleWith(cluster.transport, FREE_CONTEXTS, async ({ contexts }) => ({ freed: await free(contexts) }));
  handleWith(cluster.transport, FREE_ALL_CONTEXTS, async ({ kind }) => {
    let freed = 0;
    for (const shard of supervisor.shards) {
      if (shard.phase === 'open' && shard.worker !== null) {
        freed += await shard.worker.call('freeAllContexts', { key: shard.key, kind });
      }
    }
    return { freed };
  });
}

function refuseWhenFull(worker: WorkerThread, supervisor: ShardSupervisor, nodeName: string): void {
  if (worker.pendingCalls < SEARCH_QUEUE_MAX) return;
  supervisor.countRejectedSearch();
  throw rejectedExecution(
    `rejected execution of a search on [${nodeName}]: its worker has [${worker.pendingCalls}] calls waiting, queue capacity [${SEARCH_QUEUE_MAX}]`,
  );
}

/** Tells the shards how many scrolls the cluster allows a node. */
function limitScrolls({ cluster, supervisor }: SearchHandlerOptions): void {
  const text = cluster.settings()['search.max_open_scroll_context'];
  supervisor.limitScrolls(text === undefined ? OPEN_SCROLLS_MAX_DEFAULT : Number(text));
}
