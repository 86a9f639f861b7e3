/**
 * The folder of a shard while the files of another copy come for it: pieces are kept aside, and all of them take the place of what
 * is there at once, when every byte was compared with its checksum. No shard may be open in the folder meanwhile.
 */
import { assert, isShoalError, ShoalError } from '@shoal/core';
import { type Disk, finalSync, finalSyncDir, type Runtime } from '@shoal/runtime';
import {
  COMMIT_FILES_MAX,
  type Commit,
  commitFileName,
  filesOfCommit,
  generationOfCommit,
  isCommitFileName,
  readCommitOf,
  segmentFileName,
  storedFileName,
  writeCommit,
} from '../commit/commit-file.ts';
import { openRecentWrites, sealRecentWrites } from '../commit/recent-writes-file.ts';
import { readShardState, writeShardState, wrongShardFolder } from '../commit/shard-state-file.ts';
import { syncParents } from '../commit/sync-parents.ts';
import { adoptedCommit } from './adopted-commit.ts';
import {
  bytesOfFiles,
  type CommitFile,
  describeCommitFile,
  isSameFile,
  RECOVERY_CHUNK_BYTES,
} from './commit-file-list.ts';
import { asideFolder, finishInstall, writeInstallRecord } from './install-record.ts';
import type { SafeCommit } from './shard-commits.ts';
import { verifySegmentFiles } from './verify-commit.ts';

/** Pieces of one file: 512 GB of it. */
const CHUNKS_MAX = 1024 * 1024;

/** Folder of a shard, and the copy that it is to be. */
export interface FileRecoveryTarget {
  readonly path: string;
  readonly indexUuid: string;
  readonly allocationId: string;
}

/** Files that became the folder, and those of them that were there before. */
export interface InstalledFiles {
  readonly fileCount: number;
  readonly fileBytes: number;
  readonly copiedFileCount: number;
  readonly copiedFileBytes: number;
  /** Since the folder was made ready. */
  readonly tookMs: number;
}

type Needed = Pick<Runtime, 'disk' | 'sched' | 'clock' | 'log'>;

export class FileRecovery {
  readonly #runtime: Needed;
  readonly #target: FileRecoveryTarget;
  readonly #aside: string;
  readonly #yieldNow: () => Promise<void>;
  /** Files of which something came. */
  readonly #names = new Set<string>();
  /** Ends when everything that came so far is in its file. */
  #keeping: Promise<void> = Promise.resolve();
  #isOver = false;
  readonly #startMs: number;
  /** Bytes that came so far. */
  receivedBytes = 0;

  private constructor(runtime: Needed, target: FileRecoveryTarget, yieldNow: () => Promise<void>) {
    this.#runtime = runtime;
    this.#target = target;
    this.#aside = asideFolder(target.path);
    this.#yieldNow = yieldNow;
    this.#startMs = runtime.clock.monotonicMs();
  }

  /**
   * Makes the folder ready, which may have a shard, whole or damaged, or none; it stays as it is until `install`.
   *
   * @param yieldNow lets others have the thread
   * @throws illegal_state_exception when the folder has a shard of another index
   */
  static async begin(
    runtime: Needed,
    target: FileRecoveryTarget,
    yieldNow: () => Promise<void>,
  ): Promise<FileRecovery> {
    const { disk } = runtime;
    await disk.mkdir(target.path);
    await finishInstall(runtime, target.path);
    await disk.mkdir(asideFolder(target.path));
    return new FileRecovery(runtime, target, yieldNow);
  }

  /**
   * Keeps a piece of a file, in any order; the same one again does no harm. Not durable before `install`.
   *
   * @throws illegal_argument_exception for what no other copy sends
   */
  keepChunk(file: string, chunk: number, bytes: Uint8Array): Promise<void> {
    assert(!this.#isOver, `file [${file}] comes for a folder that is installed`);
    if (!isCommitFileName(file) || (!this.#names.has(file) && this.#names.size >= COMMIT_FILES_MAX))
      throw wrongChunk(`file [${file.slice(0, 100)}]`);
    if (!Number.isInteger(chunk) || chunk < 0 || chunk >= CHUNKS_MAX || bytes.length > RECOVERY_CHUNK_BYTES)
      throw wrongChunk(`piece [${chunk}] of [${bytes.length}] bytes of file [${file}]`);
    this.#names.add(file);
    this.receivedBytes += bytes.length;
    const kept = this.#keeping.then(() => this.#keep(file, chunk, bytes));
    // Whoever sent the piece hears of it; what is missing then is found before anything is installed.
    this.#keeping = kept.catch(() => {});
    return kept;
  }

  async #keep(name: string, chunk: number, bytes: Uint8Array): Promise<void> {
    const file = await this.#runtime.disk.open(`${this.#aside}/${name}`, 'append');
    try {
      await file.write(bytes, chunk * RECOVERY_CHUNK_BYTES);
    } finally {
      await file.close();
    }
  }

  /**
   * Makes the folder one of these files, with an empty translog behind them: those that came, and those that were there. Durable when it
   * resolves; a shard may be opened in the folder then. null: a file is not what it should be. Nothing has changed, and what came is gone.
   */
  async install(
    { files, recentWrites }: Pick<SafeCommit, 'files' | 'recentWrites'>,
    historyUuid: string,
  ): Promise<InstalledFiles | null> {
    assert(!this.#isOver, 'files are installed twice');
    await this.#keeping;
    const checked = await this.#checked(files);
    if (checked === null) {
      await this.discard();
      await this.#runtime.disk.mkdir(this.#aside);
      this.#names.clear();
      return null;
    }
    await this.#commit(checked, historyUuid, this.#readable(recentWrites));
    const copied = files.filter(({ name }) => this.#names.has(name));
    return {
      ...{ fileCount: files.length, fileBytes: bytesOfFiles(files) },
      ...{ copiedFileCount: copied.length, copiedFileBytes: bytesOfFiles(copied) },
      tookMs: this.#runtime.clock.monotonicMs() - this.#startMs,
    };
  }

  /** The commit that all the files are, when they are what they should be; else null. */
  async #checked(files: readonly CommitFile[]): Promise<Commit | null> {
    try {
      for (const file of files) {
        if (!isCommitFileName(file.name)) return null;
        const found = await describeCommitFile(this.#runtime.disk, this.#folderOf(file.name), file.name);
        if (!isSameFile(found, file)) return null;
      }
      return await this.#verified(files);
    } catch (error) {
      if (isShoalError(error) && error.type === 'corrupt_index_exception') return null;
      throw error;
    }
  }

  async #verified(files: readonly CommitFile[]): Promise<Commit | null> {
    const { disk } = this.#runtime;
    const names = new Set(files.map(({ name }) => name));
    const [generation, ...others] = [...names].flatMap((name) => generationOfCommit(name) ?? []);
    if (generation === undefined || others.length > 0) return null;
    const commit = await readCommitOf(disk, this.#folderOf(commitFileName(generation)), generation);
    const expected = filesOfCommit(commit);
    if (expected.length !== names.size || expected.some((name) => !names.has(name))) return null;
    const paths = { disk, pathOf: (name: string) => `${this.#folderOf(name)}/${name}`, yieldNow: this.#yieldNow };
    for (const segment of commit.segments) {
      const { name, liveFile } = segment;
      const own = [segmentFileName(name), storedFileName(name), liveFile];
      // What was here is verified when it is read, as ever.
      if (own.some((file) => file !== null && this.#names.has(file))) await verifySegmentFiles(paths, segment);
    }
    return commit;
  }

  #folderOf(name: string): string {
    return this.#names.has(name) ? this.#aside : `${this.#target.path}/index`;
  }

  /** Recent writes as this version writes them; null for what it cannot read, without which a repeated request is executed again. */
  #readable(recentWrites: Uint8Array | null): Uint8Array | null {
    if (recentWrites === null) return null;
    const { path } = this.#target;
    try {
      return sealRecentWrites(openRecentWrites(path, recentWrites));
    } catch (error) {
      if (!isShoalError(error)) throw error;
      this.#runtime.log.warn('recent writes that came with the files of a shard cannot be read', {
        ...{ path, reason: error.message },
      });
      return null;
    }
  }

  async #commit(commit: Commit, historyUuid: string, recentWrites: Uint8Array | null): Promise<void> {
    const { disk } = this.#runtime;
    const { path, indexUuid, allocationId } = this.#target;
    const own = commitFileName(commit.generation);
    const segmentFiles = filesOfCommit(commit).filter((name) => name !== own);
    for (const name of segmentFiles) if (this.#names.has(name)) await syncFile(disk, `${this.#aside}/${name}`);
    const { localCheckpoint, maxSeqNo, globalCheckpoint } = commit;
    // The source found it safe, whatever was known when it was written.
    const safe = { localCheckpoint, globalCheckpoint: Math.max(globalCheckpoint, maxSeqNo) };
    const adopted = adoptedCommit(commit, safe);
    await writeCommit(disk, this.#aside, adopted);
    const primaryTerm = await this.#adoptFolder();
    const files = [...segmentFiles, commitFileName(adopted.generation)];
    this.#isOver = true;
    const state = { indexUuid, allocationId, historyUuid, primaryTerm };
    await writeInstallRecord(disk, path, { state, files, recentWrites });
    await finishInstall(this.#runtime, path);
  }

  /**
   * What is in the folder until now is not the copy any more that it was: nobody may take it for that one when it is replaced.
   *
   * @returns the term that the folder knew, which stays
   */
  async #adoptFolder(): Promise<number> {
    const { disk } = this.#runtime;
    const { path, indexUuid, allocationId } = this.#target;
    for (const folder of ['index', '_state']) await disk.mkdir(`${path}/${folder}`);
    const state = await readShardState(disk, path);
    if (state !== null && state.indexUuid !== indexUuid)
      throw wrongShardFolder(path, `holds a shard of index [${state.indexUuid}], not of [${indexUuid}]`);
    if (state !== null) await writeShardState(disk, path, { ...state, allocationId });
    await finalSyncDir(disk, path);
    await syncParents(disk, path);
    return state?.primaryTerm ?? 0;
  }

  /** What came is not wanted. */
  async discard(): Promise<void> {
    await this.#keeping;
    if (!this.#isOver) await this.#runtime.disk.removeTree(this.#aside);
  }
}

async function syncFile(disk: Disk, path: string): Promise<void> {
  const file = await disk.open(path, 'update');
  try {
    await finalSync(file, path);
  } finally {
    await file.close();
  }
}

function wrongChunk(what: string): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, `${what} is none of a recovery`);
}
