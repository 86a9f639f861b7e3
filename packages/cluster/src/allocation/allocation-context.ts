/**
 * Inputs of allocation beside the cluster state: the time, fresh ids, and which stores nodes have on disk.
 *
 * Handed in, so that every allocation function is a function of its arguments.
 */

export interface AllocationContext {
  readonly nowMs: number;
  readonly newAllocationId: () => string;
  readonly stores: ShardStores;
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
