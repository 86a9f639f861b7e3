/**
 * Answers writes and gets of the shards of this node, and hands out their documents to new indices.
 */

import { isActive } from '@shoal/cluster';
import type { ClusterState, ShardRouting } from '@shoal/cluster-state';
import { isAssertionFailure, isShoalError, unreachable } from '@shoal/core';
import type { ClusterService } from '@shoal/membership';
import {
  BULK_SHARD,
  type BulkShardRequest,
  type BulkShardResponse,
  COPY_DOCUMENTS,
  GET_DOCUMENTS,
  SHARD_MAINTENANCE,
  type ShardTarget,
  TERM_VECTORS,
} from '@shoal/protocol';
import { handleWith, handleWritten, type InboundRequest } from '@shoal/transport';
import { unpackBody } from '../calls/packed-body.ts';
import { notInPrimaryMode, wrongPrimaryTerm } from '../calls/shard-errors.ts';
import type { OpenShardHere, ShardSupervisor } from '../supervisor/shard-supervisor.ts';
import { bytesOf, type IndexingPressure } from './indexing-pressure.ts';
import type { ShardRequests } from './shard-requests.ts';
import { writeToPrimary } from './write-to-primary.ts';

/** A shard that refuses so may go on. */
const UNHARMED: ReadonlySet<string> = new Set([
  'already_closed_exception',
  'shard_not_in_primary_mode_exception',
  'no_longer_primary_shard_exception',
]);
/** Another copy that takes longer to refresh is not waited for. */
const REFRESH_TIMEOUT_MS = 30_000;

export interface DocumentHandlerOptions {
  readonly cluster: ClusterService;
  readonly supervisor: ShardSupervisor;
  readonly requests: ShardRequests;
  readonly pressure: IndexingPressure;
  readonly mappingTimeoutMs: number;
}

export function registerDocumentHandlers(options: DocumentHandlerOptions): void {
  const { cluster, requests } = options;
  handleWith(cluster.transport, BULK_SHARD, (request, inbound) => writeBulk(request, inbound, options));
  handleWritten(cluster.transport, GET_DOCUMENTS, async ({ target, refresh, gets }, inbound) => {
    const { shard, worker } = await requests.find(target, inbound.timeoutMs);
    return unpackBody(await worker.call('get', { key: shard.key, refresh, gets }));
  });
  handleWritten(cluster.transport, TERM_VECTORS, async ({ target, request }, inbound) => {
    const { shard, worker } = await requests.find(target, inbound.timeoutMs);
    return unpackBody(await worker.call('termVectors', { key: shard.key, request }));
  });
  handleWritten(cluster.transport, COPY_DOCUMENTS, async ({ target, copy }, inbound) => {
    const { shard, worker } = await requests.find(target, inbound.timeoutMs);
    return unpackBody(await worker.call('copyDocuments', { key: shard.key, copy }));
  });
}

async function writeBulk(
  request: BulkShardRequest,
  inbound: InboundRequest,
  options: DocumentHandlerOptions,
): Promise<BulkShardResponse> {
  const { cluster, supervisor, requests, pressure, mappingTimeoutMs } = options;
  const release = pressure.hold(bytesOf(request.operations));
  try {
    const here = await requests.find(request.target, inbound.timeoutMs);
    checkPrimary(request, here);
    const { results, successful, failed } = await writeToPrimary(request.operations, {
      cluster,
      shard: here.shard,
      worker: here.worker,
      claim: { allocationId: request.target.allocationId, primaryTerm: request.primaryTerm },
      activeCopiesMin: request.activeCopiesMin,
      refreshMetadata: (shard) => supervisor.refreshMetadata(shard),
      mappingTimeoutMs,
    }).catch((error: unknown) => {
      // A single operation that fails is a result. A refusal of all of them is the engine's own end.
      if (isShoalError(error) && error.status >= 500 && !UNHARMED.has(error.type)) {
        supervisor.broken(here.shard, error);
      }
      throw error;
    });
    const forcedRefresh = await refreshAfter(request, here, cluster);
    const total = Math.max(copiesOf(cluster.state(), request.target).length, successful + failed);
    return { results, shards: { total, successful, failed }, forcedRefresh };
  } finally {
    release();
  }
}

function checkPrimary({ target, primaryTerm }: BulkShardRequest, { shard }: OpenShardHere): void {
  if (shard.primaryTerm !== primaryTerm) throw wrongPrimaryTerm(target, primaryTerm, shard.primaryTerm);
  if (!shard.isPrimary) throw notInPrimaryMode(target);
}

async function refreshAfter(
  { refresh, target }: BulkShardRequest,
  { shard, worker }: OpenShardHere,
  cluster: ClusterService,
): Promise<boolean> {
  switch (refresh) {
    case 'none':
      return false;
    case 'immediate':
      await Promise.all([worker.call('refresh', { key: shard.key }), refreshOthers(cluster, target)]);
      return true;
    case 'wait_for':
      await worker.call('waitForRefresh', { key: shard.key });
      // Their own refreshes come when they come: a search may ask any copy.
      await refreshOthers(cluster, target);
      return false;
    default:
      return unreachable(refresh);
  }
}

/**
 * Every active copy shows the write; one that cannot is found by the next write, and shows it when it is back. A copy that is being made
 * may have had its last refresh already: it is told too, and not waited for.
 */
async function refreshOthers(cluster: ClusterService, target: ShardTarget): Promise<void> {
  const others = copiesOf(cluster.state(), target).filter((copy) => copy.allocationId !== target.allocationId);
  if (others.length === 0) return;
  await Promise.all(
    others.map(async ({ nodeId, allocationId, state }) => {
      if (nodeId === null || allocationId === null) return;
      const request = { work: { kind: 'refresh' }, targets: [{ ...target, allocationId }] } as const;
      const sent = cluster.send(nodeId, SHARD_MAINTENANCE, request, { channel: 'reg', timeoutMs: REFRESH_TIMEOUT_MS });
      const done = sent.catch((error: unknown) => {
        if (isAssertionFailure(error)) throw error;
      });
      if (isActive({ state })) await done;
    }),
  );
}

/** Copies of the shard, those without a node among them. */
function copiesOf(state: ClusterState, target: ShardTarget): readonly ShardRouting[] {
  return state.routing.indices.get(target.index)?.[target.shard] ?? [];
}
