/**
 * The cluster as one task sees it: what it sends to other nodes says which task caused it, so that they list it below that
 * task and show the same headers.
 *
 * Stopping goes its own way: a cancelled task sets the signals of the requests that it gave one, and only theirs, since what
 * cleans up behind it must still be sent.
 */
import type { ClusterSettings } from '@shoal/cluster';
import type { ClusterState, DiscoveryNode } from '@shoal/cluster-state';
import type { ClusterAdmin, ClusterService, CoordinationDiagnosis, StateChange } from '@shoal/membership';
import type { Cancel } from '@shoal/runtime';
import type { ActionCodec, Connection, SendOptions, Transport } from '@shoal/transport';

export interface SendingTask {
  /** `node:id`. */
  readonly taskId: string;
  readonly headers: Readonly<Record<string, string>>;
}

export class TaskCluster implements ClusterService {
  readonly #cluster: ClusterService;
  readonly #task: SendingTask;

  constructor(cluster: ClusterService, task: SendingTask) {
    this.#cluster = cluster;
    this.#task = task;
  }

  get localNode(): DiscoveryNode {
    return this.#cluster.localNode;
  }

  get transport(): Transport {
    return this.#cluster.transport;
  }

  get admin(): ClusterAdmin {
    return this.#cluster.admin;
  }

  state(): ClusterState {
    return this.#cluster.state();
  }

  settings(): ClusterSettings {
    return this.#cluster.settings();
  }

  onApplied(listener: (change: StateChange) => void | Promise<void>): Cancel {
    return this.#cluster.onApplied(listener);
  }

  waitForState(predicate: (state: ClusterState) => boolean, timeoutMs: number): Promise<ClusterState | null> {
    return this.#cluster.waitForState(predicate, timeoutMs);
  }

  connection(nodeId: string): Connection {
    return this.#cluster.connection(nodeId);
  }

  send<Req, Res>(nodeId: string, codec: ActionCodec<Req, Res>, request: Req, options: SendOptions): Promise<Res> {
    const { taskId, headers } = this.#task;
    return this.#cluster.send(nodeId, codec, request, { parentTask: taskId, headers, ...options });
  }

  handOver(): Promise<void> {
    return this.#cluster.handOver();
  }

  diagnose(): CoordinationDiagnosis {
    return this.#cluster.diagnose();
  }

  close(): Promise<void> {
    return this.#cluster.close();
  }
}
