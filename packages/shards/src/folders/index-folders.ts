/**
 * The index folders of this node: finds them once, deletes those of deleted indices and of copies that are elsewhere, names the
 * dangling ones.
 */

import type { ClusterState } from '@shoal/cluster-state';
import { asShoalError, isAssertionFailure } from '@shoal/core';
import type { Runtime } from '@shoal/runtime';
import { type ShardKey, shardKey } from '../calls/worker-calls.ts';
import { planIndexFolders } from './index-folder-plan.ts';
import { LeftCopies, type LeftShard } from './left-copies.ts';
import type { ShardFolders } from './shard-folders.ts';
import { allocationIdOnDisk } from './shard-stores.ts';

/** Work on shards in order. */
interface ShardWork {
  enqueue(key: ShardKey, work: () => Promise<void>): void;
  /** Resolves when no shard of the index is open or closing here. */
  doneOf(indexUuid: string): Promise<void>;
}

export class IndexFolders {
  readonly #runtime: Runtime;
  readonly #folders: ShardFolders;
  readonly #shards: ShardWork;
  readonly #left: LeftCopies;
  readonly #known = new Set<string>();
  readonly #named = new Set<string>();
  readonly #removing = new Map<string, Promise<void>>();
  #scan: Promise<void> | null = null;
  /** Newest state that was followed; null: none. */
  #state: ClusterState | null = null;

  constructor(runtime: Runtime, folders: ShardFolders, shards: ShardWork, nodeId: string) {
    this.#runtime = runtime;
    this.#folders = folders;
    this.#shards = shards;
    this.#left = new LeftCopies(nodeId);
  }

  /** A folder is about to be made. */
  add(indexUuid: string): void {
    this.#known.add(indexUuid);
  }

  follow(previous: ClusterState, state: ClusterState): void {
    this.#state = state;
    if (state.clusterManagerId === null) return;
    if (this.#scan === null) {
      this.#scan = this.#readDisk().then(() => this.#compare(previous, state));
      return;
    }
    this.#compare(previous, state);
  }

  async close(): Promise<void> {
    await this.#scan;
    await Promise.all(this.#removing.values());
  }

  async #readDisk(): Promise<void> {
    try {
      for (const uuid of await this.#folders.listIndices()) this.#known.add(uuid);
    } catch (error) {
      // Nothing is deleted then: the folders stay until a start that can list them.
      this.#runtime.log.error('index folders cannot be listed', { error: asShoalError(error).message });
    }
  }

  #compare(previous: ClusterState, state: ClusterState): void {
    const plan = planIndexFolders(this.#known, previous, state);
    for (const uuid of plan.remove) this.#remove(uuid);
    for (const shard of this.#left.found(this.#known, state)) {
      this.#shards.enqueue(shardKey(shard.index.uuid, shard.shard), () => this.#removeLeft(shard));
    }
    for (const uuid of plan.dangling) {
      if (this.#named.has(uuid)) continue;
      this.#named.add(uuid);
      this.#runtime.log.warn('dangling index data is kept', { folder: this.#folders.ofIndex(uuid) });
    }
  }

  #remove(uuid: string): void {
    if (this.#removing.has(uuid)) return;
    const work = this.#shards
      .doneOf(uuid)
      .then(() => this.#folders.removeIndex(uuid))
      .then(
        () => {
          this.#known.delete(uuid);
          this.#runtime.log.info('data of a deleted index removed', { indexUuid: uuid });
        },
        (error: unknown) => {
          if (isAssertionFailure(error)) throw error;
          // It stays known, and buried in the cluster state: the next state tries again.
          this.#runtime.log.warn('data of a deleted index not removed', { error: asShoalError(error).message });
        },
      )
      .finally(() => this.#removing.delete(uuid));
    this.#removing.set(uuid, work);
  }

  /** In its turn: a copy that was open in the folder is closed, and the next one is not opened yet. */
  async #removeLeft(left: LeftShard): Promise<void> {
    const { index, shard } = left;
    const at = { indexUuid: index.uuid, shard };
    const allocationId = await allocationIdOnDisk(this.#runtime, this.#folders, at);
    if (allocationId === null || this.#state === null || !this.#left.mayGo(this.#state, left, allocationId)) return;
    await this.#folders.removeShard(at);
    this.#runtime.log.info('copy that is elsewhere removed', { index: index.name, shard, allocationId });
  }
}
