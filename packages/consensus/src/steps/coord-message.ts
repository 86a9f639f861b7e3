/**
 * Messages between the coordinators of two nodes: each request with the response that answers it.
 *
 * Plain data. How a state travels (whole or as a diff) is the serialiser's matter: the core always hands over the object.
 * `kind` of the response equals the one named beside the request; anything else is a broken peer.
 */
import type { DiscoveryNode } from '@shoal/cluster-state';
import type { AcceptedState, NodeId } from './accepted-state.ts';

/** A node's single vote in a term. */
export interface Join {
  readonly from: NodeId;
  readonly to: NodeId;
  readonly term: number;
  /** The last state the voter accepted: the candidate must be at least as fresh. */
  readonly acceptedTerm: number;
  readonly acceptedVersion: number;
}

export type CoordRequest<V> =
  /** → `peers`. The receiver also probes the sender and the peers it did not know. */
  | { readonly kind: 'requestPeers'; readonly knownPeers: readonly DiscoveryNode[] }
  /** → `preVote`, or refused. */
  | { readonly kind: 'preVote'; readonly currentTerm: number }
  /**
   * → `ack`. Asks the receiver to enter the term and to vote for the candidate (the sender, or the node that an excluded
   * leader hands over to); the vote goes to the candidate as a `join` request.
   */
  | { readonly kind: 'startJoin'; readonly term: number; readonly candidate: DiscoveryNode }
  /**
   * → `ack` once the sender is in a committed state (or its vote was counted and the election is still open: then when it
   * ends), refused otherwise. `join` is null when the sender has already voted in its term.
   */
  | {
      readonly kind: 'join';
      readonly join: Join | null;
      /** The sender's current term: a leader below it must catch up. */
      readonly minimumTerm: number;
      /** Cluster the sender belongs to for good; null when none. */
      readonly committedClusterUuid: string | null;
    }
  /** → `ack`, or refused: leader to a node that wants to join, before it enters the state. */
  | { readonly kind: 'joinValidate'; readonly state: AcceptedState<V> }
  /** → `publish`, or refused. */
  | { readonly kind: 'publish'; readonly state: AcceptedState<V> }
  /** → `ack` when the state is applied. */
  | { readonly kind: 'applyCommit'; readonly term: number; readonly version: number }
  /** → `ack`, or refused. Leader to each member. */
  | { readonly kind: 'followerCheck'; readonly term: number }
  /** → `ack`, or refused. Follower to its leader. */
  | { readonly kind: 'leaderCheck' };

export type CoordResponse =
  | { readonly kind: 'ack' }
  | {
      readonly kind: 'peers';
      /** The elected cluster manager this node follows or is; null when none. */
      readonly leader: DiscoveryNode | null;
      readonly knownPeers: readonly DiscoveryNode[];
      readonly term: number;
    }
  | {
      readonly kind: 'preVote';
      readonly currentTerm: number;
      readonly acceptedTerm: number;
      readonly acceptedVersion: number;
    }
  | {
      readonly kind: 'publish';
      readonly term: number;
      readonly version: number;
      /** The last vote this node gave to this leader in this term; null when it gave none. */
      readonly join: Join | null;
    };
