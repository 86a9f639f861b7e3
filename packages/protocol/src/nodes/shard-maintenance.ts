/** Refresh, flush and statistics of the shards of one node: any node → data node. Channel `reg`. */
import type { ShoalError } from '@shoal/core';
import type { ShardTarget } from '../documents/shard-target.ts';

export type MaintenanceKind = 'refresh' | 'flush';

export interface ShardMaintenanceRequest {
  readonly kind: MaintenanceKind;
  readonly targets: readonly ShardTarget[];
}

export interface ShardMaintenanceResponse {
  /** One a target, in order; null when it succeeded. */
  readonly failures: readonly (ShoalError | null)[];
}

/** Numbers of one shard, by name as in the engine's `ShardStats`. */
export type ShardStatsMap = Readonly<Record<string, number>>;

export interface ShardStatsResponse {
  readonly shards: readonly {
    readonly index: string;
    readonly indexUuid: string;
    readonly shard: number;
    readonly allocationId: string;
    readonly stats: ShardStatsMap;
  }[];
}
