/**
 * Commits of an open shard that are held for other copies, and what is read of them.
 */
import { assert, isShoalError, ShoalError } from '@shoal/core';
import type { Disk, ThreadTurns } from '@shoal/runtime';
import { corruptSegment } from '../../format/container/section-ref.ts';
import { readCommitOf } from '../commit/commit-file.ts';
import type { RecentWrites } from '../commit/recent-writes.ts';
import { sealRecentWrites } from '../commit/recent-writes-file.ts';
import type { HeldCommit, ShardStore } from '../commit/shard-store.ts';
import { type CommitFile, describeCommitFile, RECOVERY_CHUNK_BYTES } from './commit-file-list.ts';
import type { RecoveryPace } from './recovery-pace.ts';
import type { SafeCommit, ShardCommits } from './shard-commits.ts';
import { verifySegmentFiles } from './verify-commit.ts';

export interface CommitSourceOptions {
  readonly disk: Disk;
  /** Folder of the shard. */
  readonly path: string;
  readonly store: ShardStore;
  readonly recentWrites: RecentWrites;
  readonly turns: ThreadTurns;
  /** Pace of all recoveries of the thread; null: as fast as can be. */
  readonly pace: RecoveryPace | null;
  /** Every copy that may lead has the operations up to here. */
  readonly globalCheckpoint: () => number;
  /** Told of a file that is not what was written. */
  readonly onDamage: (error: ShoalError) => void;
}

interface HeldFor {
  readonly held: HeldCommit;
  readonly safe: Promise<SafeCommit>;
}

export class CommitSource implements ShardCommits {
  readonly #options: CommitSourceOptions;
  readonly #folder: string;
  /** Held commits by the copy that they are for. */
  readonly #held = new Map<string, HeldFor>();

  constructor(options: CommitSourceOptions) {
    this.#options = options;
    this.#folder = `${options.path}/index`;
  }

  async newest(): Promise<readonly CommitFile[]> {
    const held = this.#options.store.holdCommit();
    try {
      return await this.#describe(held.files);
    } finally {
      held.release();
    }
  }

  async acquire(target: string): Promise<SafeCommit | null> {
    const before = this.#held.get(target);
    if (before !== undefined) return before.safe;
    const held = this.#options.store.holdSafeCommit(this.#options.globalCheckpoint());
    if (held === null) return null;
    const through = held.commit.localCheckpoint;
    const recentWrites = this.#recentWrites(through);
    const safe = this.#describe(held.files).then((files): SafeCommit => ({ through, files, recentWrites }));
    this.#held.set(target, { held, safe });
    try {
      return await safe;
    } catch (error) {
      this.release(target);
      throw error;
    }
  }

  /** Operations above the commit are sent with their names; those in it are documents, which have none. */
  #recentWrites(through: number): Uint8Array | null {
    const runs = this.#options.recentWrites.through(through);
    return runs.length === 0 ? null : sealRecentWrites(runs);
  }

  async #describe(names: readonly string[]): Promise<readonly CommitFile[]> {
    const files: CommitFile[] = [];
    for (const name of names) {
      const file = await describeCommitFile(this.#options.disk, this.#folder, name);
      if (file === null) throw this.#damaged(name, 'it is missing');
      files.push(file);
    }
    return files;
  }

  #damaged(name: string, why: string): ShoalError {
    const error = corruptSegment(`${this.#folder}/${name}`, why);
    this.#options.onDamage(error);
    return error;
  }

  async verify(target: string): Promise<boolean> {
    const { commit } = this.#heldFor(target).held;
    const { disk, turns, onDamage } = this.#options;
    try {
      const written = await readCommitOf(disk, this.#folder, commit.generation);
      assert(written.maxSeqNo === commit.maxSeqNo, `commit ${commit.generation} was written again`);
      const files = { disk, pathOf: (name: string) => `${this.#folder}/${name}`, yieldNow: () => turns.next() };
      for (const segment of commit.segments) await verifySegmentFiles(files, segment);
      return true;
    } catch (error) {
      if (!isShoalError(error) || error.type !== 'corrupt_index_exception') throw error;
      onDamage(error);
      return false;
    }
  }

  async readChunk(target: string, name: string, chunk: number): Promise<Uint8Array> {
    const { disk, pace } = this.#options;
    const file = (await this.#heldFor(target).safe).files.find((other) => other.name === name);
    if (file === undefined || !Number.isInteger(chunk) || chunk < 0 || chunk >= file.chunks)
      throw notHeld(`piece [${chunk}] of file [${name}] is not in the commit for [${target}]`);
    const at = chunk * RECOVERY_CHUNK_BYTES;
    const wanted = Math.min(file.bytes - at, RECOVERY_CHUNK_BYTES);
    const opened = await disk.open(`${this.#folder}/${name}`, 'read');
    let bytes: Uint8Array;
    try {
      bytes = await opened.read(at, wanted);
    } finally {
      await opened.close();
    }
    if (bytes.length !== wanted) throw this.#damaged(name, `it ends before [${at + wanted}]`);
    await pace?.mayBeSent(bytes.length);
    return bytes;
  }

  #heldFor(target: string): HeldFor {
    const held = this.#held.get(target);
    if (held === undefined) throw notHeld(`no commit is held for [${target}]`);
    return held;
  }

  release(target: string): void {
    this.#held.get(target)?.held.release();
    this.#held.delete(target);
  }
}

function notHeld(why: string): ShoalError {
  return new ShoalError('illegal_state_exception', 500, why);
}
