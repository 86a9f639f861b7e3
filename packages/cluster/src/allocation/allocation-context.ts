/**
 * Inputs of allocation beside the cluster state: the time, fresh ids, which stores nodes have on disk, and what the cluster manager was
 * started with.
 *
 * Handed in, so that every allocation function is a function of its arguments.
 */
import type { ClusterSettings } from '../reading/cluster-settings.ts';

export interface AllocationContext {
  readonly nowMs: number;
  readonly newAllocationId: () => string;
  readonly stores: ShardStores;
  /** Cluster settings that the node was started with: they hold where the state sets none. */
  readonly nodeSettings: ClusterSettings;
}

/** Answers of data nodes about copies on their disks. Only asked for shards that have documents somewhere. */
export interface ShardStores {
  /** Allocation id of the copy on that node's disk; null when it has none; undefined when it was not asked yet. */
  find(at: StoreLocation): string | null | undefined;
}

export interface StoreLocation {
  readonly indexUuid: string;
  readonly shard: number;
  readonly nodeId: string;
  /** Another process of the same node may have another disk. */
  readonly ephemeralId: string;
}

export const NO_STORES_KNOWN: ShardStores = { find: () => undefined };
