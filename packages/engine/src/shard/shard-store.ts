/**
 * A shard's segments on disk: read and verified at start, written by a flush.
 */
import type { Disk } from '@shoal/runtime';
import type { SegmentMemory } from '../kernels/kernel-memory.ts';
import { FlatSegment } from '../segment/flat-segment.ts';
import {
  type Commit,
  type CommittedSegment,
  decodeLiveDocs,
  encodeLiveDocs,
  readCommit,
  removeUnreferenced,
  segmentFileName,
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

  constructor(disk: Disk, shardPath: string) {
    this.disk = disk;
    this.folder = `${shardPath}/index`;
  }

  /** Makes the folder with an empty commit. */
  async create(translogGeneration: number): Promise<void> {
    await this.disk.mkdir(this.folder);
    await this.commit([], { maxSeqNo: -1, translogGeneration, nextSegment: 0 });
  }

  /** The newest commit and its segments, every byte verified; null when there is none. */
  async load(
    memory: SegmentMemory,
  ): Promise<{ readonly commit: Commit; readonly states: readonly SegmentState[] } | null> {
    const commit = await readCommit(this.disk, this.folder);
    if (commit === null) return null;
    this.generation = commit.generation;
    const states: SegmentState[] = [];
    for (const { name, liveFile } of commit.segments) {
      const path = `${this.folder}/${segmentFileName(name)}`;
      const bytes = await this.disk.readFile(path);
      const segment = FlatSegment.open(bytes, path, memory);
      const livePath = `${this.folder}/${liveFile ?? ''}`;
      const live = liveFile === null ? null : decodeLiveDocs(livePath, await this.disk.readFile(livePath));
      const state = new SegmentState(segment, live);
      state.committedLiveCount = state.liveCount;
      state.liveFile = liveFile;
      states.push(state);
    }
    await removeUnreferenced(this.disk, this.folder, commit);
    return { commit, states };
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
      if (isNew) await writeFile(this.disk, `${this.folder}/${segmentFileName(segment.name)}`, segment.bytes);
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
    await removeUnreferenced(this.disk, this.folder, commit);
  }
}
