/**
 * The whole state of a node in memory, saved and returned to: for tests that all begin with the same documents.
 *
 * What is saved are the files of the shards, committed before, which share their bytes with the live ones until one of the two is
 * written to, and the cluster state. Going back opens only the shards that changed since; the others stay open as they are. What
 * lives in memory alone (scrolls, points in time, tasks) is no part of it.
 */
import { isDeepStrictEqual } from 'node:util';
import { type ReopenedIndex, returnToMetadata } from '@shoal/cluster';
import type { ClusterState, IndexMetadata } from '@shoal/cluster-state';
import { assert, randomUuid, ShoalError } from '@shoal/core';
import { readShardState, writeShardState } from '@shoal/engine';
import type { ManagingClusterService } from '@shoal/membership';
import type { DiskImage, MemoryDisk, Runtime } from '@shoal/runtime';
import { type ShardKey, shardKey } from '../calls/worker-calls.ts';
import type { ShardFolders } from '../folders/shard-folders.ts';
import type { LocalShard } from '../supervisor/local-shard.ts';
import type { ShardSupervisor } from '../supervisor/shard-supervisor.ts';

const UUID_BYTES = 16;
const MANAGER_TIMEOUT_MS = 30_000;
/** Longest wait for the shards that are opened again. */
const OPEN_MS_MAX = 60_000;
/** Folders that belong to the running node; everything else on its disk, such as repositories, is saved whole. */
const OWN_NAMES: readonly string[] = ['_state', 'indices', 'node.lock'];

interface SavedShard {
  readonly allocationId: string;
  readonly maxSeqNo: number;
}

export interface SavedState {
  readonly cluster: ClusterState;
  readonly shards: ReadonlyMap<ShardKey, SavedShard>;
  /** By uuid: the folder of each index. */
  readonly indices: ReadonlyMap<string, DiskImage>;
  /** By name: files and folders beside those of the node. */
  readonly others: ReadonlyMap<string, DiskImage>;
}

export interface SavedStatesParts {
  readonly runtime: Runtime;
  /** Disk of the runtime. */
  readonly disk: MemoryDisk;
  readonly dataPath: string;
  readonly cluster: ManagingClusterService;
  readonly supervisor: ShardSupervisor;
  readonly folders: ShardFolders;
  /** Called when the node is back: what lives beside shards and cluster state ends. */
  readonly onReturn: () => void;
}

export class SavedStates {
  readonly #parts: SavedStatesParts;

  constructor(parts: SavedStatesParts) {
    this.#parts = parts;
  }

  /** Everything that was written before the call. */
  async save(): Promise<SavedState> {
    const { cluster, supervisor, folders, disk } = this.#parts;
    await this.#allOpen();
    await Promise.all(
      supervisor.shards.map(({ key, worker }) => worker?.call('flush', { key, isForced: false, syncId: null })),
    );
    const shards = new Map<ShardKey, SavedShard>();
    for (const [key, { allocationId, maxSeqNo }] of await this.#heads()) shards.set(key, { allocationId, maxSeqNo });
    // From here on nothing waits: state and files are of one moment.
    const state = cluster.state();
    const indices = [...state.metadata.indices.values()].map(
      ({ uuid }) => [uuid, disk.imageOf(folders.ofIndex(uuid))] as const,
    );
    const others = this.#otherPaths().map((path) => [path, disk.imageOf(path)] as const);
    return { cluster: state, shards, indices: new Map(indices), others: new Map(others) };
  }

  async returnTo(saved: SavedState): Promise<void> {
    const { cluster, disk } = this.#parts;
    await this.#allOpen();
    const changed = await this.#changedSince(saved);
    const reopened = new Map<string, ReopenedIndex>();
    for (const index of changed) reopened.set(index.name, await this.#place(saved, index));
    for (const path of this.#otherPaths()) disk.place(path, null);
    for (const [path, image] of saved.others) disk.place(path, image);
    const nodeId = cluster.localNode.id;
    await cluster.changeAsManager({
      source: 'return to a saved state',
      masterTimeoutMs: MANAGER_TIMEOUT_MS,
      timeoutMs: MANAGER_TIMEOUT_MS,
      update: (state, context) => returnToMetadata(state, { before: saved.cluster, reopened, nodeId }, context),
    });
    await this.#allOpen();
    await this.#dropContexts();
    this.#parts.onReturn();
  }

  /** Every primary is open: none is on its way, which could be saved neither as there nor as absent. */
  async #allOpen(): Promise<void> {
    const isOpen = (state: ClusterState): boolean =>
      [...state.routing.indices.values()].flat(2).every((copy) => !copy.isPrimary || copy.state === 'STARTED');
    if ((await this.#parts.cluster.waitForState(isOpen, OPEN_MS_MAX)) !== null) return;
    throw new ShoalError('illegal_state_exception', 503, `a shard is not open after [${OPEN_MS_MAX}ms]`);
  }

  async #heads(): Promise<ReadonlyMap<ShardKey, SavedShard>> {
    const heads = await Promise.all(
      this.#parts.supervisor.shards.map(async (shard) => [shard.key, await headOf(shard)] as const),
    );
    return new Map(heads);
  }

  /** Indices of the saved state that are gone, or not as they were. */
  async #changedSince(saved: SavedState): Promise<readonly IndexMetadata[]> {
    const heads = await this.#heads();
    const { indices } = this.#parts.cluster.state().metadata;
    return [...saved.cluster.metadata.indices.values()].filter((index) => {
      const now = indices.get(index.name);
      if (now?.uuid !== index.uuid || now.state !== index.state) return true;
      if (now.settings !== index.settings && !isDeepStrictEqual(now.settings, index.settings)) return true;
      return index.primaryTerms.some((_, shard) => {
        const key = shardKey(index.uuid, shard);
        return !isDeepStrictEqual(heads.get(key), saved.shards.get(key));
      });
    });
  }

  /** Puts the saved files of an index where it is opened from. */
  async #place(saved: SavedState, index: IndexMetadata): Promise<ReopenedIndex> {
    const { disk, folders, runtime } = this.#parts;
    const image = saved.indices.get(index.uuid);
    assert(image !== undefined, `the files of [${index.name}] were not saved`);
    const uuid = randomUuid(runtime.random.bytes(UUID_BYTES));
    disk.place(folders.ofIndex(uuid), image);
    const allocationIds = index.primaryTerms.map(() => randomUuid(runtime.random.bytes(UUID_BYTES)));
    for (const [shard, allocationId] of allocationIds.entries()) {
      const path = folders.ofShard(uuid, shard);
      const was = await readShardState(disk, path);
      assert(
        was?.indexUuid === index.uuid,
        `the saved files of [${index.name}][${shard}] are those of [${was?.indexUuid}]`,
      );
      await writeShardState(disk, path, { ...was, indexUuid: uuid, allocationId });
    }
    return { uuid, allocationIds };
  }

  /** Scrolls and points in time of shards that stayed open. */
  async #dropContexts(): Promise<void> {
    const open = this.#parts.supervisor.shards.filter(({ phase, worker }) => phase === 'open' && worker !== null);
    await Promise.all(
      open.flatMap(({ key, worker }) =>
        (['scroll', 'reader'] as const).map((kind) => worker?.call('freeContexts', { key, kind })),
      ),
    );
  }

  #otherPaths(): readonly string[] {
    const { disk, dataPath } = this.#parts;
    return disk.entriesOf(dataPath).filter((name) => !OWN_NAMES.includes(name));
  }
}

async function headOf({ key, worker, allocationId, closedStats }: LocalShard): Promise<SavedShard> {
  const stats = worker === null ? closedStats : await worker.call('stats', { key });
  return { allocationId, maxSeqNo: stats?.maxSeqNo ?? -1 };
}
