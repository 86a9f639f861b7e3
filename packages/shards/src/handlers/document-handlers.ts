/**
 * Answers writes and gets of the shards of this node, and hands out their documents to new indices.
 */

import { isShoalError } from '@shoal/core';
import type { ClusterService } from '@shoal/membership';
import {
  BULK_SHARD,
  type BulkShardRequest,
  type BulkShardResponse,
  COPY_DOCUMENTS,
  GET_DOCUMENTS,
  type RefreshPolicy,
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
const UNHARMED: ReadonlySet<string> = new Set(['already_closed_exception', 'shard_not_in_primary_mode_exception']);

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
    const results = await writeToPrimary(request.operations, {
      cluster,
      shard: here.shard,
      worker: here.worker,
      claim: { allocationId: request.target.allocationId, primaryTerm: request.primaryTerm },
      refreshMetadata: (shard) => supervisor.refreshMetadata(shard),
      mappingTimeoutMs,
    }).catch((error: unknown) => {
      // A single operation that fails is a result. A refusal of all of them is the engine's own end.
      if (isShoalError(error) && error.status >= 500 && !UNHARMED.has(error.type)) {
        supervisor.broken(here.shard, error);
      }
      throw error;
    });
    const forcedRefresh = await refreshAfter(request.refresh, here);
    return { results, shards: copiesOf(cluster, request.target), forcedRefresh };
  } finally {
    release();
  }
}

function checkPrimary({ target, primaryTerm }: BulkShardRequest, { shard }: OpenShardHere): void {
  if (shard.primaryTerm !== primaryTerm) throw wrongPrimaryTerm(target, primaryTerm, shard.primaryTerm);
  if (!shard.isPrimary) throw notInPrimaryMode(target);
}

async function refreshAfter(policy: RefreshPolicy, { shard, worker }: OpenShardHere): Promise<boolean> {
  switch (policy) {
    case 'none':
      return false;
    case 'immediate':
      await worker.call('refresh', { key: shard.key });
      return true;
    case 'wait_for':
      await worker.call('waitForRefresh', { key: shard.key });
      return false;
  }
}

/** Copies of the shard: those that do not exist yet count in the total, and neither as reached nor as failed. */
function copiesOf(cluster: ClusterService, target: ShardTarget): BulkShardResponse['shards'] {
  const copies = cluster.state().routing.indices.get(target.index)?.[target.shard] ?? [];
  return { total: Math.max(copies.length, 1), successful: 1, failed: 0 };
}
