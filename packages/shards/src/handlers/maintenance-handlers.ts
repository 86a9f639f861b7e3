/**
 * Answers refresh, flush, merges, reloading of analyzers, clearing of caches, statistics, segments and recoveries of the shards of this node.
 */

import { asShoalError, isAssertionFailure, type ShoalError } from '@shoal/core';
import type { ClusterService } from '@shoal/membership';
import {
  type MaintenanceWork,
  SHARD_MAINTENANCE,
  SHARD_RECOVERIES,
  SHARD_SEGMENTS,
  SHARD_STATS,
  type ShardRecoveryEntry,
  type ShardSegmentsEntry,
  type ShardStatsEntry,
  type ShardTarget,
} from '@shoal/protocol';
import type { Clock } from '@shoal/runtime';
import type { PeerRecovery } from '@shoal/shard-api';
import { handleWith } from '@shoal/transport';
import type { LocalShard } from '../supervisor/local-shard.ts';
import type { ShardSupervisor } from '../supervisor/shard-supervisor.ts';
import { closedStatsOf } from './closed-stats.ts';
import type { ShardRequests } from './shard-requests.ts';

export interface MaintenanceHandlerOptions {
  readonly clock: Clock;
  readonly cluster: ClusterService;
  readonly supervisor: ShardSupervisor;
  readonly requests: ShardRequests;
}

export function registerMaintenanceHandlers({ clock, cluster, supervisor, requests }: MaintenanceHandlerOptions): void {
  const run = async (
    work: MaintenanceWork,
    target: ShardTarget,
    timeoutMs: number | null,
  ): Promise<ShoalError | null> => {
    try {
      const { shard, worker } = await requests.find(target, timeoutMs);
      const { key } = shard;
      if (work.kind === 'refresh') await worker.call('refresh', { key });
      else if (work.kind === 'reload_search_analyzers') {
        // A synonym set that changed just now may not have come to the engine yet.
        await supervisor.refreshMetadata(shard);
        await worker.call('reloadSearchAnalyzers', { key });
      } else if (work.kind === 'clear_caches') await worker.call('clearCaches', { key, caches: work.caches });
      else if (work.kind === 'force_merge')
        await worker.call('forceMerge', { key, merge: work.merge, flush: work.flush });
      else {
        const syncId = work.kind === 'synced_flush' ? work.syncId : null;
        await worker.call('flush', { key, isForced: work.kind === 'force_flush', syncId });
      }
      return null;
    } catch (error) {
      if (isAssertionFailure(error)) throw error;
      return asShoalError(error);
    }
  };
  handleWith(cluster.transport, SHARD_MAINTENANCE, async ({ work, targets }, inbound) => ({
    failures: await Promise.all(targets.map((target) => run(work, target, inbound.timeoutMs))),
  }));
  handleWith(cluster.transport, SHARD_STATS, async ({ indices }) => ({
    shards: await collectShardStats(supervisor, (shard) => indices === null || indices.includes(shard.index)),
  }));
  handleWith(cluster.transport, SHARD_SEGMENTS, async ({ indices, withFields }) => ({
    shards: await collectSegments(supervisor, new Set(indices), withFields),
  }));
  handleWith(cluster.transport, SHARD_RECOVERIES, async ({ indices }) => ({
    shards: await recoveriesOf(supervisor, new Set(indices), clock.wallMs()),
  }));
}

/** Segments of the shards that are open; one that closes meanwhile is left out. */
async function collectSegments(
  supervisor: ShardSupervisor,
  indices: ReadonlySet<string>,
  withFields: boolean,
): Promise<readonly ShardSegmentsEntry[]> {
  const open = supervisor.shards.filter(
    (shard) => shard.phase === 'open' && indices.has(shard.index) && !shard.isOfClosedIndex,
  );
  const entries = await Promise.all(
    open.map(async ({ worker, key, index, shard, allocationId }): Promise<ShardSegmentsEntry | null> => {
      if (worker === null) return null;
      try {
        return { index, shard, allocationId, segments: await worker.call('segments', { key, withFields }) };
      } catch (error) {
        if (isAssertionFailure(error)) throw error;
        return null;
      }
    }),
  );
  return entries.filter((entry) => entry !== null);
}

/** Copies from others are asked how far they are: they are open long before they have everything. */
function recoveriesOf(
  supervisor: ShardSupervisor,
  indices: ReadonlySet<string>,
  nowMs: number,
): Promise<readonly ShardRecoveryEntry[]> {
  const shown = supervisor.shards.flatMap((copy) => {
    const { opening, phase, index } = copy;
    return opening === null || phase === 'failed' || !indices.has(index) ? [] : [{ copy, opening }];
  });
  return Promise.all(
    shown.map(async ({ copy, opening: { peerNodeId, ...opening } }): Promise<ShardRecoveryEntry> => {
      const { index, shard, allocationId, isPrimary } = copy;
      const found = opening.source === 'PEER' ? await peerRecovery(copy) : null;
      const { stopMs, recovery } = found ?? opening;
      const peer = found === null ? null : { stage: found.stage, nodeId: peerNodeId };
      const tookMs = Math.max(0, (stopMs ?? nowMs) - opening.startMs);
      return { index, shard, allocationId, isPrimary, ...opening, stopMs, recovery, peer, tookMs };
    }),
  );
}

/** null while the copy is opened, or when it is gone. */
async function peerRecovery({ worker, key }: LocalShard): Promise<PeerRecovery | null> {
  try {
    return (await worker?.call('peerRecovery', { key })) ?? null;
  } catch (error) {
    if (isAssertionFailure(error)) throw error;
    return null;
  }
}

/** Numbers of the shards that are open; one that closes meanwhile is left out. */
export async function collectShardStats(
  supervisor: ShardSupervisor,
  wanted: (shard: LocalShard) => boolean,
): Promise<readonly ShardStatsEntry[]> {
  const entries = await Promise.all(
    supervisor.shards.filter(wanted).map(async (shard): Promise<ShardStatsEntry | null> => {
      const { worker, key, index, indexUuid, allocationId } = shard;
      if (shard.phase !== 'open' || worker === null) return null;
      try {
        const found = await worker.call('stats', { key });
        const stats = shard.isOfClosedIndex ? closedStatsOf(found) : found;
        return { index, indexUuid, shard: shard.shard, allocationId, stats };
      } catch (error) {
        if (isAssertionFailure(error)) throw error;
        return null;
      }
    }),
  );
  return entries.filter((entry) => entry !== null);
}
