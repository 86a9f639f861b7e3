/**
 * Answers the query and fetch phases of searches on the shards of this node.
 */

import { clusterSettings } from '@shoal/cluster';
import { parseTimeValue, rejectedExecution, ShoalError } from '@shoal/core';
import type { ClusterService } from '@shoal/membership';
import {
  FETCH_PHASE,
  FREE_ALL_CONTEXTS,
  FREE_CONTEXT,
  OPEN_READER,
  QUERY_PHASE,
  RANK_QUERY,
  RANK_ROUND,
  SCROLL_PHASE,
  STATISTICS_PHASE,
} from '@shoal/protocol';
import { SEARCH_QUEUE_MAX } from '@shoal/shard-api';
import { handleWith, handleWritten, type InboundRequest } from '@shoal/transport';
import { unpackBody } from '../calls/packed-body.ts';
import type { ShardSupervisor } from '../supervisor/shard-supervisor.ts';
import type { WorkerThread } from '../worker/worker-thread.ts';
import type { ShardRequests } from './shard-requests.ts';

export interface SearchHandlerOptions {
  readonly cluster: ClusterService;
  readonly supervisor: ShardSupervisor;
  readonly requests: ShardRequests;
  /** `search.max_keep_alive` of this node; a cluster setting of this name wins. */
  readonly keepAliveMsMax: number;
}

export function registerSearchHandlers({ cluster, supervisor, requests, keepAliveMsMax }: SearchHandlerOptions): void {
  handleWritten(cluster.transport, QUERY_PHASE, async ({ target, query, fetchPage }, inbound) => {
    const { shard, worker } = await requests.find(target, inbound.timeoutMs);
    refuseWhenFull(worker, supervisor, cluster.localNode.name);
    refuseCancelled(inbound);
    const bounded = { ...query, keepAliveMs: Math.min(query.keepAliveMs, keepAliveMax(cluster, keepAliveMsMax)) };
    const answer = await worker.query({ key: shard.key, query: bounded, fetchPage }, inbound.signal);
    if (inbound.signal.cancelled && answer.contextId !== null && query.reader === null) {
      // Nobody will fetch from it: the sender is gone.
      await worker.call('freeContext', { key: shard.key, contextId: answer.contextId });
    }
    refuseCancelled(inbound);
    return unpackBody(answer.body);
  });
  handleWritten(cluster.transport, FETCH_PHASE, async ({ target, fetch }, inbound) => {
    const { shard, worker } = await requests.find(target, inbound.timeoutMs);
    refuseCancelled(inbound);
    return unpackBody(await worker.fetch({ key: shard.key, fetch }, inbound.signal));
  });
  registerRankHandlers({ cluster, supervisor, requests, keepAliveMsMax });
  registerReaderHandlers({ cluster, supervisor, requests, keepAliveMsMax });
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
  handleWith(cluster.transport, FREE_CONTEXT, async ({ target, contextId }) => {
    const shard = supervisor.shards.find((here) => here.allocationId === target.allocationId);
    if (shard?.phase !== 'open' || shard.worker === null) return { freed: false };
    return { freed: await shard.worker.call('freeContext', { key: shard.key, contextId }) };
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
