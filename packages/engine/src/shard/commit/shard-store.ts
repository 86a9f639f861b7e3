/**
 * A shard's segments on disk: opened at start, written by a flush or a merge.
 *
 * Files stay open as long as their segments are read: what is in them is read, and verified, when it is asked for.
 */
import { assert } from '@shoal/core';
import { type Disk, type File, finalSyncDir } from '@shoal/runtime';
import type { SpillFile } from '../../bytes/spill-file.ts';
import type { ContainerBytes } from '../../format/container/container-bytes.ts';
import { SegmentBytes } from '../../format/container/segment-bytes.ts';
import { FlatSegment } from '../../format/flat-segment.ts';
import { StoredBytes } from '../../format/stored/stored-bytes.ts';
import type { SegmentMemory } from '../../memory/segment-memory.ts';
import {
  type Commit,
  type CommittedSegment,
  decodeLiveDocs,
  encodeLiveDocs,
  filesOfCommit,
  readCommits,
  removeUnreferenced,
  segmentFileName,
  spillFileName,
  storedFileName,
  writeCommit,
} from './commit-file.ts';
import { commitsToKeep, noSafeCommit } from './commits-to-keep.ts';
import { writeFile } from './durable-file.ts';
import { SegmentState } from './segment-set.ts';

/** One segment as a flush froze it. */
export interface FrozenSegment {
  readonly state: SegmentState;
  readonly live: Uint8Array | null;
  readonly liveCount: number;
}

/** What a commit says beside its segments. */
export type CommitHead = Omit<Commit, 'generation' | 'restartedFrom' | 'segments'>;

/** What a commit says of the log and of other copies. */
type RestartedHead = Pick<
  Commit,
  'globalCheckpoint' | 'translogGeneration' | 'generations' | 'trimmedSeqNo' | 'nextSegment' | 'leases' | 'trims'
>;

/** A commit whose files stay on disk until it is released. */
export interface HeldCommit {
  readonly commit: Commit;
  readonly files: readonly string[];
  /** Called once. */
  readonly release: () => void;
}

/** Head of the first commit of a shard. */
const NO_OPERATIONS = {
  maxSeqNo: -1,
  localCheckpoint: -1,
  globalCheckpoint: -1,
  generations: [],
  trimmedSeqNo: -1,
  nextSegment: 0,
  syncId: null,
  deletes: [],
  leases: new Map<string, never>(),
  trims: [],
} as const;

interface OpenFile {
  readonly path: string;
  readonly file: File;
  readonly onClose: () => void;
}

export class ShardStore {
  private readonly disk: Disk;
  private readonly folder: string;
  private generation = 0;
  /** Files that are open, whether a commit names them or not, and how often. */
  private readonly inUse = new Map<string, number>();
  /** Files of commits that are being copied, and by how many copies. */
  private readonly held = new Map<string, number>();
  /** Held commits that a copy begins from, which needs the operations above them too. */
  private readonly begunFrom = new Set<HeldCommit>();
  /** Commits on disk, ascending: the newest one that is safe, and all behind it. */
  private commits: readonly Commit[] = [];

  constructor(disk: Disk, shardPath: string) {
    this.disk = disk;
    this.folder = `${shardPath}/index`;
  }

  private get newest(): Commit | null {
    return this.commits[this.commits.length - 1] ?? null;
  }

  /** Whoever begins from the oldest commit that is kept needs the operations above this one; -1: all. */
  get keptCheckpoint(): number {
    let checkpoint = this.commits[0]?.localCheckpoint ?? -1;
    for (const { commit } of this.begunFrom) checkpoint = Math.min(checkpoint, commit.localCheckpoint);
    return checkpoint;
  }

  /** Whoever goes back to the newest commit without an operation above a number needs the operations above this one. */
  checkpointThrough(seqNo: number): number {
    return this.commits.findLast(({ maxSeqNo }) => maxSeqNo <= seqNo)?.localCheckpoint ?? -1;
  }

  /** Marker of the synced flush that wrote the newest commit; null when another did. */
  get syncId(): string | null {
    return this.newest?.syncId ?? null;
  }

  /** Highest operation that the newest commit holds; -1 when none. */
  get committedSeqNo(): number {
    return this.newest?.maxSeqNo ?? -1;
  }

  /** Makes the folder with an empty commit. */
  async create(translogGeneration: number): Promise<void> {
    await this.disk.mkdir(this.folder);
    await this.commit([], { ...NO_OPERATIONS, translogGeneration });
  }

  /** The newest commit and its segments, of which the directories were read and verified; null when there is none. */
  async load(
    memory: SegmentMemory,
  ): Promise<{ readonly commit: Commit; readonly states: readonly SegmentState[] } | null> {
    const names = await this.disk.list(this.folder);
    const commits = await readCommits(this.disk, this.folder, names);
    const commit = commits.at(-1);
    if (commit === undefined) return null;
    this.generation = commit.generation;
    // Those in between hold what was taken back.
    const { restartedFrom } = commit;
    const older = commits.slice(0, -1);
    this.commits = [...older.filter(({ generation }) => generation <= (restartedFrom ?? generation)), commit];
    const states = await this.loadSegments(commit, memory);
    try {
      await this.removeUnreferencedOf(names);
    } catch (error) {
      for (const { segment } of states) segment.release();
      throw error;
    }
    return { commit, states };
  }

  /** Segments of a commit that is kept, as it has them. */
  async loadSegments(commit: Commit, memory: SegmentMemory): Promise<readonly SegmentState[]> {
    const states: SegmentState[] = [];
    try {
      for (const segment of commit.segments) states.push(await this.loadSegment(segment, memory));
    } catch (error) {
      for (const { segment } of states) segment.release();
      throw error;
    }
    return states;
  }

  /**
   * Makes the newest commit that holds no operation above a number the newest of all, and removes those in between. Until it
   * resolves a start finds either of them.
   *
   * @param head what is another thing by now
   */
  async restart(seqNo: number, head: RestartedHead): Promise<Commit> {
    const left = this.commits.findLastIndex(({ maxSeqNo }) => maxSeqNo <= seqNo);
    const safe = this.commits[left];
    if (safe === undefined) throw noSafeCommit(seqNo);
    const commit: Commit = { ...safe, ...head, generation: ++this.generation, restartedFrom: safe.generation };
    await writeCommit(this.disk, this.folder, commit);
    this.commits = [...this.commits.slice(0, left + 1), commit];
    await this.removeUnreferenced();
    await finalSyncDir(this.disk, this.folder);
    return commit;
  }

  private async loadSegment({ name, liveFile }: CommittedSegment, memory: SegmentMemory): Promise<SegmentState> {
    const stored = await this.openStored(name);
    let container: SegmentBytes;
    try {
      const { path, file, onClose } = await this.openInUse(segmentFileName(name));
      container = await SegmentBytes.ofFile(path, file, onClose);
    } catch (error) {
      stored.close();
      throw error;
    }
    const segment = FlatSegment.openFile(container, memory, stored);
    const livePath = `${this.folder}/${liveFile ?? ''}`;
    try {
      const live = liveFile === null ? null : decodeLiveDocs(livePath, await this.disk.readFile(livePath));
      const state = new SegmentState(segment, live);
      state.committedLiveCount = state.liveCount;
      state.liveFile = liveFile;
      return state;
    } catch (error) {
      segment.release();
      throw error;
    }
  }

  /** A file for reading, that no commit removes before `onClose`. */
  private async openInUse(name: string): Promise<OpenFile> {
    const path = `${this.folder}/${name}`;
    const file = await this.disk.open(path, 'read');
    this.use(name);
    return { path, file, onClose: () => this.unuse(name) };
  }

  private use(name: string): void {
    this.inUse.set(name, (this.inUse.get(name) ?? 0) + 1);
  }

  private unuse(name: string): void {
    const left = (this.inUse.get(name) ?? 0) - 1;
    if (left > 0) this.inUse.set(name, left);
    else this.inUse.delete(name);
  }

  private async openStored(name: string): Promise<StoredBytes> {
    const { path, file, onClose } = await this.openInUse(storedFileName(name));
    return StoredBytes.ofFile(path, file, onClose);
  }

  /** Makes the file of a new segment's stored documents, which keeps it open until they are closed. */
  async createStored(name: string, stored: StoredBytes): Promise<void> {
    const fileName = storedFileName(name);
    const path = `${this.folder}/${fileName}`;
    // Before the file is there: a commit that ends meanwhile would remove it.
    this.use(fileName);
    try {
      stored.attach(path, await this.disk.open(path, 'create'), () => this.unuse(fileName));
    } catch (error) {
      this.unuse(fileName);
      throw error;
    }
  }

  /** Makes both files of a new segment, which keep them open until they are closed. */
  async createFiles(name: string, stored: StoredBytes, container: ContainerBytes): Promise<void> {
    await this.createStored(name, stored);
    const fileName = segmentFileName(name);
    const path = `${this.folder}/${fileName}`;
    this.use(fileName);
    try {
      container.attach(path, await this.disk.open(path, 'create'), () => this.unuse(fileName));
    } catch (error) {
      this.unuse(fileName);
      throw error;
    }
  }

  /** Makes the file for what waits on its way to a new segment, which keeps it open until it is closed. */
  async createSpill(name: string, spill: SpillFile): Promise<void> {
    const fileName = spillFileName(name);
    this.use(fileName);
    try {
      spill.attach(await this.disk.open(`${this.folder}/${fileName}`, 'create'), () => this.unuse(fileName));
    } catch (error) {
      this.unuse(fileName);
      throw error;
    }
  }

  /** Removes what is left of a merge, which has closed its files: of one that became no segment, all of them. */
  async removeMergeFiles(name: string, isSegment: boolean): Promise<void> {
    const names = isSegment ? [] : [segmentFileName(name), storedFileName(name)];
    for (const fileName of [...names, spillFileName(name)]) {
      // It may not have been made. What cannot be removed now the next commit removes.
      await this.disk.unlink(`${this.folder}/${fileName}`).catch(() => {});
    }
  }

  /** Bytes that are free on the disk of the shard. */
  async freeBytes(): Promise<number> {
    return (await this.disk.space(this.folder)).freeBytes;
  }

  /** Writes what is not on disk yet, then the commit that names all. */
  async commit(segments: readonly FrozenSegment[], head: CommitHead): Promise<void> {
    // A number is never used twice: a commit that failed half way may have left files of it.
    const generation = ++this.generation;
    assert(
      new Set(segments.map(({ state }) => state.segment.name)).size === segments.length,
      `commit ${generation} names a segment twice`,
    );
    const committed: CommittedSegment[] = [];
    for (const { state, live, liveCount } of segments) {
      const { segment } = state;
      const isNew = state.committedLiveCount < 0;
      if (isNew) await this.persist(segment);
      assert(!segment.container.isInMemory, `segment ${segment.name} is committed without a file`);
      assert(
        liveCount <= segment.docCount && (live !== null || liveCount === segment.docCount),
        `${liveCount} of ${segment.docCount} documents of ${segment.name} are live`,
      );
      let liveFile = state.liveFile;
      if (live !== null && (isNew || state.committedLiveCount !== liveCount)) {
        liveFile = `${segment.name}_${generation}.liv`;
        await writeFile(this.disk, `${this.folder}/${liveFile}`, encodeLiveDocs(live));
      }
      committed.push({ name: segment.name, docCount: segment.docCount, liveFile });
    }
    await finalSyncDir(this.disk, this.folder);
    const commit: Commit = { generation, restartedFrom: null, ...head, segments: committed };
    await writeCommit(this.disk, this.folder, commit);
    segments.forEach(({ state, liveCount }, i) => {
      state.committedLiveCount = liveCount;
      state.liveFile = committed[i]?.liveFile ?? null;
    });
    this.commits = [...this.commits, commit];
    await this.removeUnreferenced();
  }

  /** The newest commit, whose files no later one removes before it is released. */
  holdCommit(): HeldCommit {
    const { newest } = this;
    assert(newest !== null, `no commit in [${this.folder}]`);
    return this.hold(newest);
  }

  /** The newest commit with no operation above `globalCheckpoint`, with the history above it in the translog; null: there is none. */
  holdSafeCommit(globalCheckpoint: number): HeldCommit | null {
    const safe = this.commits.findLast(({ maxSeqNo }) => maxSeqNo <= globalCheckpoint);
    if (safe === undefined) return null;
    const { commit, files, release } = this.hold(safe);
    const held = {
      commit,
      files,
      release: () => {
        this.begunFrom.delete(held);
        release();
      },
    };
    this.begunFrom.add(held);
    return held;
  }

  private hold(commit: Commit): HeldCommit {
    const files = filesOfCommit(commit);
    for (const name of files) this.held.set(name, (this.held.get(name) ?? 0) + 1);
    return { commit, files, release: () => this.release(files) };
  }

  private release(files: readonly string[]): void {
    for (const name of files) {
      const left = (this.held.get(name) ?? 0) - 1;
      assert(left >= 0, `file [${name}] is released once too often`);
      // The next commit removes what nobody needs any more.
      if (left === 0) this.held.delete(name);
      else this.held.set(name, left);
    }
  }

  /** Keeps the commits that somebody may begin again from, and removes the files of all others. */
  private async removeUnreferenced(): Promise<void> {
    await this.removeUnreferencedOf(await this.disk.list(this.folder));
  }

  /** @param names files that were in the folder when nothing was written to it yet */
  private removeUnreferencedOf(names: readonly string[]): Promise<void> {
    this.commits = commitsToKeep(this.commits);
    const { commits } = this;
    const has = (name: string): boolean => this.inUse.has(name) || this.held.has(name);
    return removeUnreferenced(this.disk, this.folder, names, { commits, inUse: { has } });
  }

  /** Gives a segment that is only in memory its files, from which it is read then. Their names are not durable yet. */
  async persist(segment: FlatSegment): Promise<void> {
    const { name, container, stored } = segment;
    if (!container.isInMemory) return;
    const fileName = segmentFileName(name);
    // Before the file is there: a commit that ends meanwhile would remove it.
    this.use(fileName);
    try {
      if (!stored.bytes.hasFile) await this.createStored(name, stored.bytes);
      await stored.bytes.write();
      await stored.bytes.sync();
      await writeFile(this.disk, `${this.folder}/${fileName}`, segment.bytes);
      const { path, file, onClose } = await this.openInUse(fileName);
      segment.moveTo(path, file, onClose);
    } finally {
      // Once moved the segment has its own hold.
      this.unuse(fileName);
    }
  }
}
