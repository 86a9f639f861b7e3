/**
 * Answers refresh, flush, clearing of caches and statistics of the shards of this node.
 */

import { asShoalError, isAssertionFailure, type ShoalError } from '@shoal/core';
import type { ClusterService } from '@shoal/membership';
import {
  type MaintenanceWork,
  SHARD_MAINTENANCE,
  SHARD_STATS,
  type ShardStatsEntry,
  type ShardTarget,
} from '@shoal/protocol';
import { handleWith } from '@shoal/transport';
import type { LocalShard } from '../supervisor/local-shard.ts';
import type { ShardSupervisor } from '../supervisor/shard-supervisor.ts';
import type { ShardRequests } from './shard-requests.ts';

export interface MaintenanceHandlerOptions {
  readonly cluster: ClusterService;
  readonly supervisor: ShardSupervisor;
  readonly requests: ShardRequests;
}

export function registerMaintenanceHandlers({ cluster, supervisor, requests }: MaintenanceHandlerOptions): void {
  const run = async (
    work: MaintenanceWork,
    target: ShardTarget,
    timeoutMs: number | null,
  ): Promise<ShoalError | null> => {
    try {
      const { shard, worker } = await requests.find(target, timeoutMs);
      const { key } = shard;
      if (work.kind === 'refresh') await worker.call('refresh', { key });
      else if (work.kind === 'clear_caches') await worker.call('clearCaches', { key, caches: work.caches });
      else await worker.call('flush', { key, isForced: work.kind === 'force_flush' });
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
}

/** Numbers of the shards that are open; one that closes meanwhile is left out. */
export async function collectShardStats(
  supervisor: ShardSupervisor,
  wanted: (shard: LocalShard) => boolean,
): Promise<readonly ShardStatsEntry[]> {
  const entries = await Promise.all(
    supervisor.shards.filter(wanted).map(async (shard): Promise<ShardStatsEntry | null> => {
      const { worker, key, index, indexUuid, allocationId, closedStats } = shard;
      if (shard.phase !== 'open') return null;
      if (closedStats !== null) return { index, indexUuid, shard: shard.shard, allocationId, stats: closedStats };
      if (worker === null) return null;
      try {
        return { index, indexUuid, shard: shard.shard, allocationId, stats: await worker.call('stats', { key }) };
      } catch (error) {
        if (isAssertionFailure(error)) throw error;
        return null;
      }
    }),
  );
  return entries.filter((entry) => entry !== null);
}
