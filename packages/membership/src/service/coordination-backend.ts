/**
 * The authority on the cluster state: an interface with one implementation, the embedded consensus.
 *
 * A backend elects a cluster manager, agrees on one sequence of states, and tells this node. How it does so (own consensus
 * over 9300, or a service outside) is nobody else's business.
 */

import type { ClusterState, DiscoveryNode } from '@shoal/cluster-state';
import type { ProposalResult } from '@shoal/consensus';
import type { CoordinationDiagnosis } from './cluster-service.ts';

export interface CoordinationBackend {
  start(me: DiscoveryNode, events: BackendEvents): Promise<void>;
  /** `update` runs at most once, on the newest state, if this node is the cluster manager then. Pure; never throws. */
  propose(source: string, update: (state: ClusterState) => ClusterState): Promise<ProposalResult>;
  /** True while this node is the elected one: it may still turn out to have been deposed. */
  readonly isLeader: boolean;
  diagnose(): CoordinationDiagnosis;
  /** Has another node lead, where this one does and another can: this one is about to end. */
  handOver(): void;
  stop(): Promise<void>;
}

export interface BackendEvents {
  /** A committed state comes into force; the publication is answered when the promise settles. One at a time. */
  committed(state: ClusterState): Promise<void>;
  /** There is no cluster manager any more as far as this node knows. */
  managerLost(): Promise<void>;
  /** A follower or the leader of this node changed; for logs and for what waits for a manager. */
  modeChanged(mode: CoordinationDiagnosis['mode']): void;
  /** The process must stop: an invariant is broken, or the disk failed under the log. */
  fatal(error: unknown): void;
}
