/**
 * From the target that a request names to the open shard on this node.
 */
import type { ClusterService } from '@shoal/membership';
import type { ShardTarget } from '@shoal/protocol';
import type { Scheduler } from '@shoal/runtime';
import { shardNotFound } from '../calls/shard-errors.ts';
import type { OpenShardHere, ShardSupervisor } from '../supervisor/shard-supervisor.ts';

/** A sender whose state is newer than ours is waited for this long, or as long as it waits itself. */
const STATE_WAIT_MS = 30_000;
/** Time in which searches that have their hits here fetch the documents, before a node that ends closes its shards. */
const LAST_FETCH_MS = 250;

export class ShardRequests {
  readonly #cluster: ClusterService;
  readonly #supervisor: ShardSupervisor;
  #isEnding = false;

  constructor(cluster: ClusterService, supervisor: ShardSupervisor) {
    this.#cluster = cluster;
    this.#supervisor = supervisor;
  }

  /**
   * The shard, once this node has applied the state by which the request was routed: without waiting, a node that is a
   * moment behind would send the coordinator back and forth.
   */
  async find(target: ShardTarget, timeoutMs: number | null): Promise<OpenShardHere> {
    if (this.#cluster.state().version < target.stateVersion) await this.#catchUp(target, timeoutMs);
    return this.#supervisor.find(target);
  }

  /** The shard, for a search that begins on it; none begins on a node that ends, and other copies are asked instead. */
  async findForSearch(target: ShardTarget, timeoutMs: number | null): Promise<OpenShardHere> {
    if (this.#isEnding) throw shardNotFound(target);
    return this.find(target, timeoutMs);
  }

  /** The node ends: searches that have begun here may end too. A search that is only half done has no other copy to go to. */
  async endSearches(sched: Scheduler): Promise<void> {
    this.#isEnding = true;
    // Nobody else is there to search, or nothing to be searched.
    if (this.#cluster.state().nodes.size <= 1 || this.#supervisor.shards.length === 0) return;
    await new Promise<void>((resolve) => void sched.after(LAST_FETCH_MS, resolve));
  }

  async #catchUp(target: ShardTarget, timeoutMs: number | null): Promise<void> {
    if (this.#cluster.state().version >= target.stateVersion) return;
    const waitMs = Math.min(timeoutMs ?? STATE_WAIT_MS, STATE_WAIT_MS);
    // When it does not come in time the look-up says what is missing.
    await this.#cluster.waitForState((state) => state.version >= target.stateVersion, waitMs);
  }
}
