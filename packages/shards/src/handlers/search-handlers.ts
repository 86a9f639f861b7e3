/**
 * Answers the query and fetch phases of searches on the shards of this node.
 */

import { clusterSettings } from '@shoal/cluster';
import {
  asShoalError,
  assert,
  type CancelFlag,
  CancelSource,
  isAssertionFailure,
  parseTimeValue,
  rejectedExecution,
  ShoalError,
} from '@shoal/core';
import { OPEN_SCROLLS_MAX_DEFAULT } from '@shoal/engine';
import type { ClusterService } from '@shoal/membership';
import {
  FETCH_PHASE,
  FREE_ALL_CONTEXTS,
  FREE_CONTEXT,
  FREE_CONTEXTS,
  type FreeContextRequest,
  NODE_QUERY,
  type NodeQueryRequest,
  OPEN_READER,
  QUERY_PHASE,
  RANK_QUERY,
  RANK_ROUND,
  SCROLL_PHASE,
  STATISTICS_PHASE,
} from '@shoal/protocol';
import type { Runtime } from '@shoal/runtime';
import { SEARCH_QUEUE_MAX } from '@shoal/shard-api';
import { handleWith, handleWritten, type InboundRequest } from '@shoal/transport';
import { unpackBody } from '../calls/packed-body.ts';
import { shardTooLate } from '../calls/shard-errors.ts';
import type { QueryAnswer } from '../calls/worker-calls.ts';
import type { ShardSupervisor } from '../supervisor/shard-supervisor.ts';
import type { WorkerThread } from '../worker/worker-thread.ts';
import { type AnsweredShard, NodeAnswer } from './node-query.ts';
import type { ShardRequests } from './shard-requests.ts';

export interface SearchHandlerOptions {
  readonly runtime: Runtime;
  readonly cluster: ClusterService;
  readonly supervisor: ShardSupervisor;
  readonly requests: ShardRequests;
  /** `search.max_keep_alive` of this node; a cluster setting of this name wins. */
  readonly keepAliveMsMax: number;
}

export function registerSearchHandlers(options: SearchHandlerOptions): void {
  const { cluster, supervisor, requests, keepAliveMsMax } = options;
  handleWritten(cluster.transport, QUERY_PHASE, async ({ target, query, fetchPage }, inbound) => {
    const { shard, worker } = await requests.find(target, inbound.timeoutMs);
    refuseWhenFull(worker, supervisor, cluster.localNode.name);
    refuseCancelled(inbound);
    const bounded = { ...query, keepAliveMs: Math.min(query.keepAliveMs, keepAliveMax(cluster, keepAliveMsMax)) };
    if (query.isScroll) limitScrolls(options);
    const answer = await worker.query({ key: shard.key, query: bounded, fetchPage }, inbound.signal);
    if (inbound.signal.cancelled && answer.contextId !== null && query.reader === null) {
      // Nobody will fetch from it: the sender is gone.
      await worker.call('freeContext', { key: shard.key, contextId: answer.contextId });
    }
    refuseCancelled(inbound);
    return unpackBody(answer.body);
  });
  handleWritten(cluster.transport, NODE_QUERY, async (request, inbound) => {
    const answer = new NodeAnswer(request.shards.length);
    const asked = { request, inbound, keepAliveMs: keepAliveMax(cluster, keepAliveMsMax) };
    await answer.fill(request.concurrency, (position) => queryShard(options, asked, position));
    if (inbound.signal.cancelled) await answer.discard();
    refuseCancelled(inbound);
    return answer.body();
  });
  handleWritten(cluster.transport, FETCH_PHASE, async ({ target, fetch }, inbound) => {
    const { shard, worker } = await requests.find(target, inbound.timeoutMs);
    refuseCancelled(inbound);
    return unpackBody(await worker.fetch({ key: shard.key, fetch }, inbound.signal));
  });
  registerRankHandlers(options);
  registerReaderHandlers(options);
}

interface AskedShards {
  readonly request: NodeQueryRequest;
  readonly inbound: InboundRequest;
  /** Longest time that a context is kept. */
  readonly keepAliveMs: number;
}

/** One shard of a `NODE_QUERY`: what went wrong is its answer, and the others go on. */
async function queryShard(
  options: SearchHandlerOptions,
  { request, inbound, keepAliveMs }: AskedShards,
  position: number,
): Promise<AnsweredShard | ShoalError> {
  const asked = request.shards[position];
  assert(asked, `shard ${position} of ${request.shards.length} is asked`);
  const { target, aliasFilter, shardIndex, reader, indexBoost } = asked;
  const { cluster, supervisor, requests } = options;
  try {
    const { shard, worker } = await requests.find(target, inbound.timeoutMs);
    refuseWhenFull(worker, supervisor, cluster.localNode.name);
    refuseCancelled(inbound);
    if (request.query.isScroll) limitScrolls(options);
    const shared = { ...request.query, keepAliveMs: Math.min(request.query.keepAliveMs, keepAliveMs) };
    const query = { ...shared, aliasFilter, shardIndex, reader, indexBoost };
    const discard = async ({ contextId }: QueryAnswer): Promise<void> => {
      if (contextId !== null && reader === null) await worker.call('freeContext', { key: shard.key, contextId });
    };
    const answer = await withinTime(options, { waitMs: request.waitMs, signal: inbound.signal, discard }, (signal) =>
      worker.query({ key: shard.key, query, fetchPage: null }, signal),
    );
    return { body: unpackBody(answer.body), discard: () => discard(answer) };
  } catch (error) {
    if (isAssertionFailure(error)) throw error;
    return asShoalError(error);
  }
}

interface TimedWork<T> {
  readonly waitMs: number;
  readonly signal: CancelFlag;
  /** Lets go of what came too late. */
  readonly discard: (late: T) => Promise<void>;
}

/** The work's result, unless it takes longer than it may: then the work is cancelled and an error is its result. */
function withinTime<T>(
  { cluster, runtime }: SearchHandlerOptions,
  { waitMs, signal, discard }: TimedWork<T>,
  work: (signal: CancelFlag) => Promise<T>,
): Promise<T> {
  const cancel = new CancelSource();
  signal.onCancel(() => cancel.cancel(signal.reason ?? 'by request'));
  return new Promise((resolve, reject) => {
    let isLate = false;
    const stopTimer = runtime.sched.after(waitMs, () => {
      isLate = true;
      cancel.cancel('timed out');
      reject(shardTooLate(cluster.localNode.name, NODE_QUERY.name, waitMs));
    });
    const finish = async (): Promise<void> => {
      try {
        const result = await work(cancel.flag);
        if (isLate) await discard(result);
        resolve(result);
      } catch (error) {
        // After `reject` this does nothing: whoever waited was told of the time.
        reject(error);
      } finally {
        stopTimer();
      }
    };
    void finish();
  });
}

function registerRankHandlers({ cluster, supervisor, requests, keepAliveMsMax }: SearchHandlerOptions): void {
  handleWritten(cluster.transport, RANK_QUERY, async ({ target, query, ask, fetchesPage }, inbound) => {
    const { shard, worker } = await requests.find(target, inbound.timeoutMs);
    refuseWhenFull(worker, supervisor, cluster.localNode.name);
    refuseCancelled(inbound);
    const bounded = { ...query, keepAliveMs: Math.min(query.keepAliveMs, keepAliveMax(cluster, keepAliveMsMax)) };
    const answer = await worker.rank({ key: shard.key, query: bounded, ask, fetchesPage }, inbound.signal);
    if (inbound.signal.cancelled && answer.contextId !== null && query.reader === null) {
      // Nobody will ask for more of it: the sender is gone.
      await worker.call('freeContext', { key: shard.key, contextId: answer.contextId });
    }
    refuseCancelled(inbound);
    return unpackBody(answer.body);
  });
  handleWritten(cluster.transport, RANK_ROUND, async ({ target, request }, inbound) => {
    const { shard, worker } = await requests.find(target, inbound.timeoutMs);
    refuseCancelled(inbound);
    return unpackBody(await worker.call('rankRound', { key: shard.key, request }));
  });
}

function registerReaderHandlers({ cluster, supervisor, requests, keepAliveMsMax }: SearchHandlerOptions): void {
  handleWritten(cluster.transport, SCROLL_PHASE, async ({ target, next, fetchesPage }, inbound) => {
    const { shard, worker } = await requests.find(target, inbound.timeoutMs);
    refuseWhenFull(worker, supervisor, cluster.localNode.name);
    const bounded = { ...next, keepAliveMs: Math.min(next.keepAliveMs, keepAliveMax(cluster, keepAliveMsMax)) };
    const answer = await worker.scroll({ key: shard.key, next: bounded, fetchesPage }, inbound.signal);
    refuseCancelled(inbound);
    return unpackBody(answer);
  });
  handleWith(cluster.transport, STATISTICS_PHASE, async ({ target, query }, inbound) => {
    const { shard, worker } = await requests.find(target, inbound.timeoutMs);
    refuseWhenFull(worker, supervisor, cluster.localNode.name);
    return { statistics: await worker.call('statistics', { key: shard.key, query }) };
  });
  handleWith(cluster.transport, OPEN_READER, async ({ target, keepAliveMs }, inbound) => {
    const { shard, worker } = await requests.find(target, inbound.timeoutMs);
    const bounded = Math.min(keepAliveMs, keepAliveMax(cluster, keepAliveMsMax));
    return { contextId: await worker.call('openReader', { key: shard.key, keepAliveMs: bounded }) };
  });
  const free = async ({ target, contextId }: FreeContextRequest): Promise<boolean> => {
    const shard = supervisor.copyOf(target);
    if (shard?.phase !== 'open' || shard.worker === null) return false;
    return shard.worker.call('freeContext', { key: shard.key, contextId });
  };
  handleWith(cluster.transport, FREE_CONTEXT, async (one) => ({ freed: await free(one) }));
  handleWith(cluster.transport, FREE_CONTEXTS, async ({ contexts }) => {
    const freed = await Promise.all(contexts.map(free));
    return { freed: freed.filter((isFreed) => isFreed).length };
  });
  handleWith(cluster.transport, FREE_ALL_CONTEXTS, async ({ kind }) => {
    let freed = 0;
    for (const shard of supervisor.shards) {
      if (shard.phase === 'open' && shard.worker !== null) {
        freed += await shard.worker.call('freeContexts', { key: shard.key, kind });
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

function refuseCancelled({ signal }: InboundRequest): void {
  if (!signal.cancelled) return;
  throw new ShoalError('task_cancelled_exception', 400, `task cancelled [${signal.reason ?? 'by request'}]`);
}

/** Longest time that a reader is kept. */
function keepAliveMax(cluster: ClusterService, ofNodeMs: number): number {
  const text = clusterSettings(cluster.state())['search.max_keep_alive'];
  return text === undefined ? ofNodeMs : parseTimeValue(text, 'search.max_keep_alive');
}

/** Tells the shards how many scrolls the cluster allows a node. */
function limitScrolls({ cluster, supervisor }: SearchHandlerOptions): void {
  const text = clusterSettings(cluster.state())['search.max_open_scroll_context'];
  supervisor.limitScrolls(text === undefined ? OPEN_SCROLLS_MAX_DEFAULT : Number(text));
}
