/**
 * Inputs of allocation beside the cluster state: the time, fresh ids, which stores nodes have on disk, how full their disks
 * are, and what the cluster manager was
 * started with.
 *
 * Handed in, so that every allocation function is a function of its arguments.
 */
import type { DiscoveryNode } from '@shoal/cluster-state';
import type { ClusterSettings } from '../../reading/cluster-settings.ts';
import type { CopyIndex } from '../copies/copy-index.ts';

export interface AllocationContext {
  readonly nowMs: number;
  readonly newAllocationId: () => string;
  readonly stores: ShardStores;
  readonly disks: DiskUsages;
  /** Follows the states that are rerouted. A memo: no decision depends on what it followed before. */
  readonly copies: CopyIndex;
  /** Cluster settings that the node was started with: they hold where the state sets none. */
  readonly nodeSettings: ClusterSettings;
}

/** What is known of the disks of data nodes. */
export interface DiskUsages {
  /** null: nobody knows. */
  of(node: Pick<DiscoveryNode, 'id' | 'ephemeralId'>): DiskUsage | null;
  /** Bytes of a copy of the shard; null: nobody knows. */
  shardBytes(indexUuid: string, shard: number): number | null;
}

export interface DiskUsage {
  readonly totalBytes: number;
  readonly freeBytes: number;
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

export const NO_DISKS_KNOWN: DiskUsages = { of: () => null, shardBytes: () => null };

export const NO_STORES_KNOWN: ShardStores = { find: () => undefined };
