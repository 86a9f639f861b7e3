/**
 * One snapshot, from the shards that it asks for to the index of the repository that names it; run by the cluster manager.
 *
 * Nothing here is remembered by anybody else: a cluster manager that takes over begins again, and the nodes copy only what is
 * missing. Until the index names it, it is not there.
 */
import { checkSnapshotName, endSnapshot, reroute } from '@shoal/cluster';
import type { RunningSnapshot, ShardRouting } from '@shoal/cluster-state';
import { API_VERSION, asShoalError, CancelSource, isAssertionFailure, ShoalError } from '@shoal/core';
import { NO_FILES, type ShardSnapshotStatus, SNAPSHOT_SHARD, type SnapshotInfo } from '@shoal/protocol';
import { folderForIndex, type RepositoryIndex, withSnapshot } from '../repository/repository-index.ts';
import { type OpenRepository, openRepository, type SnapshotContext } from './snapshot-context.ts';

/** Longest wait for a primary that is starting. */
const START_WAIT_MS = 300_000;
const STATE_TIMEOUTS = { masterTimeoutMs: 60_000, timeoutMs: 60_000 };

export class SnapshotRun {
  readonly snapshot: RunningSnapshot;
  readonly #context: SnapshotContext;
  readonly #cancel = new CancelSource();
  #isLeft = false;
  readonly #shards = new Map<string, ShardSnapshotStatus>();
  /** Folder of each index in the repository. */
  #folders: ReadonlyMap<string, string> = new Map();

  constructor(context: SnapshotContext, snapshot: RunningSnapshot) {
    checkSnapshotName(snapshot.repository, snapshot.name);
    this.#context = context;
    this.snapshot = snapshot;
  }

  /** How far each shard is. */
  get shards(): readonly ShardSnapshotStatus[] {
    return [...this.#shards.values()];
  }

  /** The snapshot is given up: the shards stop copying, and the state is told that it ended. */
  abort(): void {
    this.#cancel.cancel('aborted');
  }

  /**
   * The snapshot stays to be made, by the next manager or by this node when it starts again. For good: a node that is the manager
   * again meanwhile begins another run, and this one must not end what that one goes on with.
   */
  leave(reason: string): void {
    this.#isLeft = true;
    this.#cancel.cancel(reason);
  }

  /** Ends when the snapshot is whole, or given up, and the state says so; or when another node is the cluster manager. */
  async run(): Promise<void> {
    const { locks, runtime } = this.#context;
    const { repository, name, uuid } = this.snapshot;
    try {
      await locks.copying(repository, () => this.#make());
    } catch (error) {
      if (isAssertionFailure(error)) throw error;
      if (this.#isLeft) return;
      runtime.log.error('snapshot failed', { repository, snapshot: name, uuid, error: asShoalError(error).message });
      await this.#end();
    }
  }

  async #make(): Promise<void> {
    const repository = openRepository(this.#context, this.snapshot.repository);
    const { uuid, isAborted } = this.snapshot;
    const index = await repository.folder.readIndex();
    // The manager before this one wrote it and lost its place before the state said so.
    const isWhole = index.snapshots.some((snapshot) => snapshot.uuid === uuid);
    if (isWhole || isAborted) return this.#end();
    this.#folders = this.#foldersOf(index);
    this.#plan();
    await this.#copyShards();
    if (this.#cancel.cancelled) return this.#stopped();
    await this.#write(repository);
  }

  async #stopped(): Promise<void> {
    if (!this.#isLeft) await this.#end();
  }

  /** Deterministic: a manager that takes over finds the folders that were begun. */
  #foldersOf(index: RepositoryIndex): ReadonlyMap<string, string> {
    const { uuid, indices } = this.snapshot;
    return new Map(indices.map((name, position) => [name, folderForIndex(index, name) ?? `${uuid}-${position}`]));
  }

  #plan(): void {
    const { routing } = this.#context.cluster.state();
    for (const index of this.snapshot.indices) {
      for (const shard of (routing.indices.get(index) ?? []).keys()) {
        this.#put({ index, shard, stage: 'INIT', nodeId: null, reason: null, stats: NO_FILES });
      }
    }
  }

  #put(status: ShardSnapshotStatus): void {
    this.#shards.set(`${status.index}/${status.shard}`, status);
  }

  /** The shards of a node one after the other, since its disk is shared by them; nodes side by side. */
  async #copyShards(): Promise<void> {
    const queues = new Map<string, ShardSnapshotStatus[]>();
    for (const status of this.#shards.values()) {
      const nodeId = this.#primary(status)?.nodeId ?? '';
      const queue = queues.get(nodeId) ?? [];
      queue.push(status);
      queues.set(nodeId, queue);
    }
    await Promise.all([...queues.values()].map((queue) => this.#copyInTurn(queue)));
  }

  async #copyInTurn(queue: readonly ShardSnapshotStatus[]): Promise<void> {
    for (const status of queue) {
      if (this.#cancel.cancelled) return;
      try {
        await this.#copyShard(status);
      } catch (error) {
        if (isAssertionFailure(error)) throw error;
        const nodeId = this.#primary(status)?.nodeId ?? null;
        this.#put({ ...status, stage: 'FAILURE', nodeId, reason: asShoalError(error).message });
      }
    }
  }

  async #copyShard(status: ShardSnapshotStatus): Promise<void> {
    const { cluster } = this.#context;
    const { index, shard } = status;
    const copy = await this.#startedPrimary(status);
    const state = cluster.state();
    const { nodeId, allocationId, indexUuid } = copy;
    if (nodeId === null || allocationId === null) throw notAllocated();
    this.#put({ ...status, stage: 'STARTED', nodeId });
    const { repository, uuid: snapshotUuid } = this.snapshot;
    const stats = await cluster.send(
      nodeId,
      SNAPSHOT_SHARD,
      {
        repository,
        snapshotUuid,
        indexId: this.#folders.get(index) ?? '',
        target: { index, indexUuid, shard, allocationId, stateVersion: state.version },
      },
      // No time limit: a copy takes what its bytes take, and the connection tells when the node is gone.
      { channel: 'recovery', timeoutMs: null, signal: this.#cancel.flag },
    );
    this.#put({ ...status, stage: 'DONE', nodeId, stats });
  }

  #primary({ index, shard }: ShardSnapshotStatus): ShardRouting | null {
    return this.#context.cluster.state().routing.indices.get(index)?.[shard]?.[0] ?? null;
  }

  /** The primary, when it has started or does so soon. */
  async #startedPrimary(status: ShardSnapshotStatus): Promise<ShardRouting> {
    // What had a primary when the snapshot began gets one again, unless shards without one are passed over. One that moves would
    // be closed in the middle of the copy when it has arrived; none begins to move while the snapshot runs.
    const { isPartial } = this.snapshot;
    const waits = (state: string | undefined): boolean =>
      state === 'INITIALIZING' || state === 'RELOCATING' || (state === 'UNASSIGNED' && !isPartial);
    const isSettled = (): boolean => this.#cancel.cancelled || !waits(this.#primary(status)?.state);
    await this.#context.cluster.waitForState(isSettled, START_WAIT_MS);
    const copy = this.#primary(status);
    if (copy === null || copy.state === 'INITIALIZING' || copy.state === 'UNASSIGNED') throw notAllocated();
    return copy;
  }

  /** What is there becomes the snapshot. */
  async #write(repository: OpenRepository): Promise<void> {
    const { locks, cluster, runtime } = this.#context;
    const { uuid, name, repository: repositoryName } = this.snapshot;
    const { metadata } = cluster.state();
    const indices = new Map(
      this.snapshot.indices.flatMap((index) => {
        const found = metadata.indices.get(index);
        return found === undefined ? [] : [[index, found] as const];
      }),
    );
    const streams = this.snapshot.dataStreams.flatMap((stream) => metadata.dataStreams.get(stream) ?? []);
    const { persistentSettings, templates, ingestPipelines, lifecycle, enrichPolicies } = metadata;
    await repository.folder.writeMetadata(uuid, {
      indices,
      dataStreams: new Map(streams.map((stream) => [stream.name, stream])),
      global: this.snapshot.includesGlobalState
        ? { persistentSettings, templates, ingestPipelines, lifecycle, enrichPolicies }
        : null,
    });
    const info = this.info(runtime.clock.wallMs());
    await repository.folder.writeInfo(info);
    await locks.indexing(repositoryName, async () => {
      // The last look before it counts.
      if (this.#cancel.cancelled) return this.#stopped();
      const index = await repository.folder.readIndex();
      const folders = [...indices.keys()].map((index) => ({ name: index, id: this.#folders.get(index) ?? '' }));
      const { state, startMs } = info;
      await repository.folder.writeIndex(withSnapshot(index, { name, uuid, state, startMs }, folders));
      await this.#end();
    });
  }

  /** @param endMs 0 while it runs */
  info(endMs: number): SnapshotInfo {
    const { name, uuid, indices, dataStreams, includesGlobalState, userMetadata, startMs } = this.snapshot;
    const failures = this.shards.flatMap(({ index, shard, stage, nodeId, reason }) =>
      stage === 'FAILURE' ? [{ index, shard, nodeId, reason: reason ?? '' }] : [],
    );
    const state = endMs === 0 ? 'IN_PROGRESS' : failures.length === 0 ? 'SUCCESS' : 'PARTIAL';
    return {
      ...{ name, uuid, state, indices, dataStreams, includesGlobalState, userMetadata, startMs, endMs, failures },
      version: API_VERSION.number,
      reason: null,
      totalShards: this.#shards.size,
    };
  }

  async #end(): Promise<void> {
    const { cluster, runtime } = this.#context;
    const { repository, name, uuid } = this.snapshot;
    try {
      await cluster.changeAsManager({
        ...STATE_TIMEOUTS,
        source: `remove_snapshot [${repository}:${name}]`,
        // Primaries that stayed where they were for it may move now.
        update: (state, allocation) => reroute(endSnapshot(state, uuid), allocation),
      });
    } catch (error) {
      if (isAssertionFailure(error)) throw error;
      // Another manager takes over, and finds in the repository how far it came.
      runtime.log.warn('end of a snapshot not noted', { snapshot: name, error: asShoalError(error).message });
    }
  }
}

function notAllocated(): ShoalError {
  return new ShoalError('index_shard_snapshot_failed_exception', 500, 'primary shard is not allocated');
}
