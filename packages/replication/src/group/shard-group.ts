/**
 * One shard as the cluster state has it: where its copies are, which hold every acknowledged write, and who is primary.
 */

/** Fresh for each assignment of a copy to a node; a primary assigned again to its own store keeps it. */
export type AllocationId = string;
export type NodeId = string;

export interface GroupCopy {
  readonly node: NodeId;
  readonly state: 'initializing' | 'started';
  /** True: somebody accepted the loss of what this copy lacks. It becomes primary with a history of its own. */
  readonly isForced: boolean;
  /** Copy whose place it takes when it has everything; null: it is not the target of a move. */
  readonly replaces: AllocationId | null;
}

export interface ShardGroup {
  /** Version of the cluster state; only a higher one replaces what a node has applied. */
  readonly version: number;
  /** Grows whenever another copy becomes primary or an unassigned primary is assigned again. */
  readonly primaryTerm: number;
  /** Null while no copy may be primary: the shard is red. */
  readonly primary: AllocationId | null;
  /** Copies that hold every acknowledged write, assigned or not: only these may become primary. Never empty. */
  readonly inSync: ReadonlySet<AllocationId>;
  /** Assigned copies, the primary among them. */
  readonly copies: ReadonlyMap<AllocationId, GroupCopy>;
}
