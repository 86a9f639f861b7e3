/**
 * The whole state of a node in memory, saved and returned to: for tests that all begin with the same documents.
 *
 * What is saved are the files of the shards, committed before, which share their bytes with the live ones until one of the two is
 * written to, and the cluster state. Going back opens only the indices that changed since; the others stay open as they are. One whose
 * documents alone changed is opened in its place, and then nothing needs to be agreed on. One that is gone, closed, or has other settings, is made
 * anew. What lives in memory alone (scrolls, points in time, tasks) is no part of it.
 */
import { isDeepStrictEqual } from 'node:util';
import { isActive, type ReopenedIndex, returnToMetadata } from '@shoal/cluster';
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
/** `maxSeqNo` of a shard without operations. */
const NOTHING_WRITTEN = -1;
const MANAGER_TIMEOUT_MS = 30_000;
/** Longest wait for the shards that are opened again. */
const OPEN_MS_MAX = 60_000;
/** Folders that belong to the running node; everything else on its disk, such as repositories, is saved whole. */
const OWN_NAMES: readonly string[] = ['_state', 'indices', 'node.lock'];

/** What a shard holds: the same three are the same documents. */
interface SavedShard {
  readonly allocationId: string;
  readonly maxSeqNo: number;
  /** How often this allocation had been opened in its place when `maxSeqNo` was written: numbers are given out again after each. */
  readonly opening: number;
}

/** What became of an allocation that was opened in its place. */
interface Reopened {
  readonly opening: number;
  /** What it held then. */
  readonly from: SavedShard;
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
  /** By allocation id. */
  readonly #reopened = new Map<string, Reopened>();

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
    const shards = await this.#heads();
    // From here on nothing waits: state and files are of one moment.
    const state = cluster.state();
    const indices = [...state.metadata.indices.values()].map(
      ({ uuid }) => [uuid, disk.imageOf(folders.ofIndex(uuid))] as const,
    );
    const others = this.#otherPaths().map((path) => [path, disk.imageOf(path)] as const);
    return { cluster: state, shards, indices: new Map(indices), others: new Map(others) };
  }

  async returnTo(saved: SavedState): Promise<void> {
    await this.#allOpen();
    const { written, lost } = await this.#changedSince(saved);
    const shards = written.flatMap(shardsOf);
    await this.#parts.supervisor.reopen(shards, async () => {
      for (const { uuid } of written) this.#placeFiles(saved, uuid, uuid);
      for (const key of shards) this.#noteReopened(saved.shards.get(key));
      await this.#returnMetadata(saved, lost);
    });
    await this.#allOpen();
    await this.#dropContexts();
    this.#parts.onReturn();
  }

  async #returnMetadata(saved: SavedState, lost: readonly IndexMetadata[]): Promise<void> {
    const { cluster, disk } = this.#parts;
    const reopened = new Map<string, ReopenedIndex>();
    for (const index of lost) reopened.set(index.name, await this.#makeAnew(saved, index));
    for (const path of this.#otherPaths()) disk.place(path, null);
    for (const [path, image] of saved.others) disk.place(path, image);
    const nodeId = cluster.localNode.id;
    await cluster.changeAsManager({
      source: 'return to a saved state',
      masterTimeoutMs: MANAGER_TIMEOUT_MS,
      timeoutMs: MANAGER_TIMEOUT_MS,
      update: (state, context) => returnToMetadata(state, { before: saved.cluster, reopened, nodeId }, context),
    });
  }

  /** Every primary is open: none is on its way, which could be saved neither as there nor as absent. */
  async #allOpen(): Promise<void> {
    const isOpen = (state: ClusterState): boolean =>
      [...state.routing.indices.values()].flat(2).every((copy) => !copy.isPrimary || isActive(copy));
    if ((await this.#parts.cluster.waitForState(isOpen, OPEN_MS_MAX)) !== null) return;
    throw new ShoalError('illegal_state_exception', 503, `a shard is not open after [${OPEN_MS_MAX}ms]`);
  }

  async #heads(): Promise<ReadonlyMap<ShardKey, SavedShard>> {
    const heads = await Promise.all(
      this.#parts.supervisor.shards.map(async (shard) => [shard.key, await this.#headOf(shard)] as const),
    );
    return new Map(heads);
  }

  async #headOf({ key, worker, allocationId }: LocalShard): Promise<SavedShard> {
    const stats = await worker?.call('stats', { key });
    const maxSeqNo = stats?.maxSeqNo ?? NOTHING_WRITTEN;
    const { opening, from } = this.#reopened.get(allocationId) ?? { opening: 0, from: null };
    return from?.maxSeqNo === maxSeqNo ? from : { allocationId, maxSeqNo, opening };
  }

  #noteReopened(from: SavedShard | undefined): void {
    assert(from !== undefined, 'a shard is opened in its place that was not saved');
    const opening = (this.#reopened.get(from.allocationId)?.opening ?? 0) + 1;
    this.#reopened.set(from.allocationId, { opening, from });
  }

  /** Indices of the saved state that are not as they were: those whose documents alone differ, and those that are lost as they were. */
  async #changedSince(
    saved: SavedState,
  ): Promise<{ readonly written: readonly IndexMetadata[]; readonly lost: readonly IndexMetadata[] }> {
    const heads = await this.#heads();
    const { indices } = this.#parts.cluster.state().metadata;
    const [written, lost]: [IndexMetadata[], IndexMetadata[]] = [[], []];
    for (const index of saved.cluster.metadata.indices.values()) {
      const shards = shardsOf(index).map((key) => ({ head: heads.get(key), before: saved.shards.get(key) }));
      const isHere = shards.every(({ head, before }) => head?.allocationId === before?.allocationId);
      if (!isHere || !isSameIndex(indices.get(index.name), index)) lost.push(index);
      else if (shards.some(({ head, before }) => !isDeepStrictEqual(head, before))) written.push(index);
    }
    return { written, lost };
  }

  #placeFiles(saved: SavedState, uuid: string, target: string): void {
    const image = saved.indices.get(uuid);
    assert(image !== undefined, `the files of [${uuid}] were not saved`);
    this.#parts.disk.place(this.#parts.folders.ofIndex(target), image);
  }

  /** Puts the saved files of an index where it is opened from, as one with another uuid. */
  async #makeAnew(saved: SavedState, index: IndexMetadata): Promise<ReopenedIndex> {
    const { disk, folders, runtime } = this.#parts;
    const uuid = randomUuid(runtime.random.bytes(UUID_BYTES));
    this.#placeFiles(saved, index.uuid, uuid);
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
        (['scroll', 'reader'] as const).map((kind) => worker?.call('freeAllContexts', { key, kind })),
      ),
    );
  }

  #otherPaths(): readonly string[] {
    const { disk, dataPath } = this.#parts;
    return disk.entriesOf(dataPath).filter((name) => !OWN_NAMES.includes(name));
  }
}

function shardsOf({ uuid, primaryTerms }: IndexMetadata): readonly ShardKey[] {
  return primaryTerms.map((_, shard) => shardKey(uuid, shard));
}

/** Whether copies of the index then and now are opened alike: what differs of mapping and aliases is told to an open one. */
function isSameIndex(now: IndexMetadata | undefined, before: IndexMetadata): boolean {
  return (
    now !== undefined &&
    now.uuid === before.uuid &&
    now.state === before.state &&
    isDeepStrictEqual(now.primaryTerms, before.primaryTerms) &&
    isDeepStrictEqual(now.settings, before.settings)
  );
}
