/**
 * One state of the cluster as the consensus sees it: a header it understands and a value it does not.
 *
 * The value is opaque: the shell carries the real cluster state in it and says by `ValueModel` how to read the little
 * that coordination needs. Everything here is immutable; a new state is a new object.
 */
import type { DiscoveryNode } from '@shoal/cluster-state';

export type NodeId = string;

/** Ids of the nodes whose votes count: sorted by code unit, without duplicates. Empty: no quorum exists. */
export type VotingConfig = readonly NodeId[];

/** No cluster UUID has been made yet. */
export const UNKNOWN_CLUSTER_UUID = '_na_';

export interface StateHeader {
  /** Term of the leader that published it; 0 before the first publication. */
  readonly term: number;
  /** Grows by one with each publication of a term. Safe integer. */
  readonly version: number;
  /** Distinct for each published state; diffs name the one they start from. */
  readonly stateUuid: string;
  readonly clusterUuid: string;
  /** True once a state with this UUID was committed: from then on the node refuses any other cluster. */
  readonly clusterUuidCommitted: boolean;
  /** The configuration this state brings in. */
  readonly acceptedConfig: VotingConfig;
  /** The configuration of the last committed state that this state is built on. */
  readonly committedConfig: VotingConfig;
}

export interface AcceptedState<V> extends StateHeader {
  readonly value: V;
}

/** State that a node keeps on disk and starts again with. */
export interface DurableState<V> {
  /** Highest term this node has ever entered. */
  readonly currentTerm: number;
  readonly accepted: AcceptedState<V>;
}

/** A node that is taken out, and why, for logs and for the shell's bookkeeping (`nodeLeft` of unassigned shards). */
export interface NodeRemoval {
  readonly node: DiscoveryNode;
  readonly reason:
    | 'disconnected'
    | 'followers check retry count exceeded'
    | 'health check failed'
    | 'lagging'
    | 'replaced';
}

/** Changes to the members of a state, applied removals first. */
export interface NodeChanges {
  readonly joined: readonly DiscoveryNode[];
  readonly left: readonly NodeRemoval[];
  /** Node that becomes the cluster manager: set in the first publication of a leader. */
  readonly newManager: DiscoveryNode | null;
}

/**
 * How the core reads and changes the opaque value. Pure functions: same arguments, same result; they never throw for
 * values that `validateState` let through.
 */
export interface ValueModel<V> {
  /** Members of the cluster, of all roles; iteration order must be a function of the value. */
  nodes(value: V): ReadonlyMap<NodeId, DiscoveryNode>;
  /** Ids in the voting configuration exclusions. */
  excludedIds(value: V): ReadonlySet<NodeId>;
  /**
   * Applies joins and leaves (and with `newManager` the change of manager), including the reroute that follows from them
   * and the removal of blocks that end with the first election. A node that is already there with the same ephemeral id
   * must leave the value unchanged (===) when nothing else changes.
   */
  withNodes(value: V, changes: NodeChanges): V;
  /** The value with the header's fields written into it, so that a value alone is enough for disk and wire. */
  stamp(value: V, header: StateHeader): V;
  /** Why this node may not enter (versions, unreadable indices); null when it may. Runs on the leader. */
  refuseJoin(value: V, node: DiscoveryNode): string | null;
  /** Why this node cannot live with that state; null when it can. Runs on the joining node. */
  refuseState(value: V): string | null;
}
