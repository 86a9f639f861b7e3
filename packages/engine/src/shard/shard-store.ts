/**
 * A shard's segments on disk: read and verified at start, written by a flush.
 */
import type { Disk } from '@shoal/runtime';
import type { PlacedBytes, SegmentMemory } from '../kernels/kernel-memory.ts';
import { FlatSegment } from '../segment/flat-segment.ts';
import { corruptSegment } from '../segment/segment-container.ts';
import { StoredBytes } from '../segment/stored-bytes.ts';
import {
  type Commit,
  type CommittedSegment,
  decodeLiveDocs,
  encodeLiveDocs,
  readCommit,
  removeUnreferenced,
  segmentFileName,
  storedFileName,
  writeCommit,
} from './commit-file.ts';
import { writeFile } from './durable-file.ts';
import { SegmentState } from './segment-set.ts';

/** One segment as a flush froze it. */
export interface FrozenSegment {
  readonly state: SegmentState;
  readonly live: Uint8Array | null;
  readonly liveCount: number;
}

export class ShardStore {
  private readonly disk: Disk;
  private readonly folder: string;
  private generation = 0;
  /** Files of stored documents that are open, whether a commit names them or not. */
  private readonly inUse = new Set<string>();

  constructor(disk: Disk, shardPath: string) {
    this.disk = disk;
    this.folder = `${shardPath}/index`;
  }

  /** Makes the folder with an empty commit. */
  async create(translogGeneration: number): Promise<void> {
    await this.disk.mkdir(this.folder);
    await this.commit([], { maxSeqNo: -1, translogGeneration, nextSegment: 0 });
  }

  /** The newest commit and its segments, verified but for blocks of stored documents; null when there is none. */
  async load(
    memory: SegmentMemory,
  ): Promise<{ readonly commit: Commit; readonly states: readonly SegmentState[] } | null> {
    const commit = await readCommit(this.disk, this.folder);
    if (commit === null) return null;
    this.generation = commit.generation;
    const states: SegmentState[] = [];
    try {
      for (const segment of commit.segments) states.push(await this.loadSegment(segment, memory));
    } catch (error) {
      for (const { segment } of states) segment.release();
      throw error;
    }
    await removeUnreferenced(this.disk, this.folder, commit, this.inUse);
    return { commit, states };
  }

  private async loadSegment({ name, liveFile }: CommittedSegment, memory: SegmentMemory): Promise<SegmentState> {
    const path = `${this.folder}/${segmentFileName(name)}`;
    const stored = await this.openStored(name);
    let placed: PlacedBytes;
    try {
      placed = await this.readPlaced(path, memory);
    } catch (error) {
      stored.close();
      throw error;
    }
    const segment = FlatSegment.openPlaced(placed, path, memory, { stored, isTrusted: false });
    const livePath = `${this.folder}/${liveFile ?? ''}`;
    const live = liveFile === null ? null : decodeLiveDocs(livePath, await this.disk.readFile(livePath));
    const state = new SegmentState(segment, live);
    state.committedLiveCount = state.liveCount;
    state.liveFile = liveFile;
    return state;
  }

  /** A file's bytes where they stay, without a copy on the way. */
  private async readPlaced(path: string, memory: SegmentMemory): Promise<PlacedBytes> {
    const file = await this.disk.open(path, 'read');
    try {
      const length = await file.sizeBytes();
      const placed = memory.reserve(length);
      if (file.readIntoSync(placed.bytes, 0) === length) return placed;
      placed.release();
      throw corruptSegment(path, `it ends before its ${length} bytes`);
    } finally {
      await file.close();
    }
  }

  private async openStored(name: string): Promise<StoredBytes> {
    const fileName = storedFileName(name);
    const path = `${this.folder}/${fileName}`;
    const file = await this.disk.open(path, 'read');
    this.inUse.add(fileName);
    return StoredBytes.ofFile(path, file, () => this.inUse.delete(fileName));
  }

  /** Makes the file of a new segment's stored documents, which keeps it open until they are closed. */
  async createStored(name: string, stored: StoredBytes): Promise<void> {
    const fileName = storedFileName(name);
    const path = `${this.folder}/${fileName}`;
    // Before the file is there: a commit that ends meanwhile would remove it.
    this.inUse.add(fileName);
    try {
      stored.attach(path, await this.disk.open(path, 'create'), () => this.inUse.delete(fileName));
    } catch (error) {
      this.inUse.delete(fileName);
      throw error;
    }
  }

  /** Writes what is not on disk yet, then the commit that names all. */
  async commit(
    segments: readonly FrozenSegment[],
    head: { readonly maxSeqNo: number; readonly translogGeneration: number; readonly nextSegment: number },
  ): Promise<void> {
    // A number is never used twice: a commit that failed half way may have left files of it.
    const generation = ++this.generation;
    const committed: CommittedSegment[] = [];
    for (const { state, live, liveCount } of segments) {
      const { segment } = state;
      const isNew = state.committedLiveCount < 0;
      if (isNew) await this.writeSegment(segment);
      let liveFile = state.liveFile;
      if (live !== null && (isNew || state.committedLiveCount !== liveCount)) {
        liveFile = `${segment.name}_${generation}.liv`;
        await writeFile(this.disk, `${this.folder}/${liveFile}`, encodeLiveDocs(live));
      }
      committed.push({ name: segment.name, docCount: segment.docCount, liveFile });
    }
    await this.disk.syncDir(this.folder);
    const commit: Commit = { generation, ...head, segments: committed };
    await writeCommit(this.disk, this.folder, commit);
    segments.forEach(({ state, liveCount }, i) => {
      state.committedLiveCount = liveCount;
      state.liveFile = committed[i]?.liveFile ?? null;
    });
    await removeUnreferenced(this.disk, this.folder, commit, this.inUse);
  }

  private async writeSegment({ name, bytes, stored }: FlatSegment): Promise<void> {
    if (!stored.bytes.hasFile) await this.createStored(name, stored.bytes);
    await stored.bytes.write();
    await stored.bytes.sync();
    await writeFile(this.disk, `${this.folder}/${segmentFileName(name)}`, bytes);
  }
}
