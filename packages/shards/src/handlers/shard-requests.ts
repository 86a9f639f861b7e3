/**
 * From the target that a request names to the open shard on this node.
 */
import type { ClusterService } from '@shoal/membership';
import type { ShardTarget } from '@shoal/protocol';
import type { OpenShardHere, ShardSupervisor } from '../supervisor/shard-supervisor.ts';

/** A sender whose state is newer than ours is waited for this long, or as long as it waits itself. */
const STATE_WAIT_MS = 30_000;

export class ShardRequests {
  readonly #cluster: ClusterService;
  readonly #supervisor: ShardSupervisor;

  constructor(cluster: ClusterService, supervisor: ShardSupervisor) {
    this.#cluster = cluster;
    this.#supervisor = supervisor;
  }

  /**
   * The shard, once this node has applied the state by which the request was routed: without waiting, a node that is a
   * moment behind would send the coordinator back and forth.
   */
  async find(target: ShardTarget, timeoutMs: number | null): Promise<OpenShardHere> {
    if (this.#cluster.state().version < target.stateVersion) await this.catchUp(target, timeoutMs);
    return this.#supervisor.find(target);
  }

  async catchUp(target: ShardTarget, timeoutMs: number | null): Promise<void> {
    if (this.#cluster.state().version >= target.stateVersion) return;
    const waitMs = Math.min(timeoutMs ?? STATE_WAIT_MS, STATE_WAIT_MS);
    // When it does not come in time the look-up says what is missing.
    await this.#cluster.waitForState((state) => state.version >= target.stateVersion, waitMs);
  }
}
