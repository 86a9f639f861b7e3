/**
 * The cluster as the rest of a node sees it: the applied state, changes to it, and the other nodes.
 *
 * Coordinator, data node and clients know only this; elections, publications and checks stay behind it.
 */
import type { ClusterSettings, MetadataContext } from '@shoal/cluster';
import type { ClusterState, DiscoveryNode } from '@shoal/cluster-state';
import type { Address, Cancel } from '@shoal/runtime';
import type { ActionCodec, Connection, SendOptions, Transport } from '@shoal/transport';
import type { Acknowledged, ClusterAdmin, ManagerTimeouts } from './cluster-admin.ts';

export interface StateChange {
  readonly previous: ClusterState;
  readonly state: ClusterState;
}

/** A change of the cluster state that a service of the cluster manager's own node makes. */
export interface ManagerChange extends ManagerTimeouts {
  /** Name of the change, for logs and pending tasks. */
  readonly source: string;
  /** Pure. A `ShoalError` that it throws leaves the state as it was and is the caller's. */
  readonly update: (state: ClusterState, context: MetadataContext) => ClusterState;
}

export interface ClusterService {
  readonly localNode: DiscoveryNode;
  readonly transport: Transport;
  /** The last applied state. Before the node ever joined: no nodes but itself, the `state not recovered` block. */
  state(): ClusterState;
  /** Cluster settings in force here: of the last applied state, and where it sets none, what this node was started with. */
  settings(): ClusterSettings;
  /** Called after a state is in force, in the order of states. The publication is answered when the returned promise settles. */
  onApplied(listener: (change: StateChange) => void | Promise<void>): Cancel;
  /**
   * Resolves with the first applied state for which `predicate` holds, at once when the present one does.
   *
   * @returns null when `timeoutMs` passed before, or the node was closed meanwhile
   * @throws node_closed_exception when the node is closed already
   */
  waitForState(predicate: (state: ClusterState) => boolean, timeoutMs: number): Promise<ClusterState | null>;
  /** The live connection to a node of the state; throws `node_not_connected_exception`. The local node answers in-process. */
  connection(nodeId: string): Connection;
  /** Sends a typed request to a node of the state. */
  send<Req, Res>(nodeId: string, codec: ActionCodec<Req, Res>, request: Req, options: SendOptions): Promise<Res>;
  /** Changes to the cluster state, made by the elected cluster manager wherever it is. */
  readonly admin: ClusterAdmin;
  /** State of coordination at the moment: for logs, health and the doctor. */
  diagnose(): CoordinationDiagnosis;
  close(): Promise<void>;
}

/** The cluster as services of the cluster manager see it, which every node has and which act where it is elected. */
export interface ManagingClusterService extends ClusterService {
  /** Changes the cluster state while this node is the elected cluster manager; else rejects with `not_master_exception`. */
  changeAsManager(change: ManagerChange): Promise<Acknowledged>;
}

export interface ReceivedStates {
  readonly full: number;
  readonly compatibleDiffs: number;
  /** Differences to a state that this node does not have; the whole state followed. */
  readonly incompatibleDiffs: number;
}

export interface CoordinationDiagnosis {
  readonly mode: 'candidate' | 'leader' | 'follower';
  readonly term: number;
  readonly clusterManagerId: string | null;
  /** Addresses tried on 9300 and what each did, for the line logged every 10 s while no cluster forms. */
  readonly attempts: readonly { readonly address: Address; readonly outcome: string }[];
  /** Version of the state accepted last; above that of the applied one while a publication waits for its commit. */
  readonly acceptedVersion: number;
  /** States published to this node since it started, by the form in which they came. */
  readonly receivedStates: ReceivedStates;
  /** Text that says what is missing to elect a cluster manager; null when one is known. */
  readonly missing: string | null;
}
