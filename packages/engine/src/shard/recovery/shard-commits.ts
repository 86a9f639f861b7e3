/**
 * Files of an open shard for other copies, which recover from them: the contract with whoever sends them.
 *
 * A safe commit, one that holds no operation which a copy may lack, stays on disk for each of those copies until it is released, with the
 * operations above it in the translog, however the shard is written to meanwhile.
 */
import type { CommitFile } from './commit-file-list.ts';

/** Commit that is held for a copy. */
export interface SafeCommit {
  /** Every operation up to here is in it, and none that some copy may lack. */
  readonly through: number;
  readonly files: readonly CommitFile[];
  /** Names and results of recent writes that are in it, made by `sealRecentWrites`; null: there are none. */
  readonly recentWrites: Uint8Array | null;
}

export interface ShardCommits {
  /** Files of the newest commit: what need not be sent to this copy. */
  newest(): Promise<readonly CommitFile[]>;
  /** Holds the newest safe commit for a copy; the same one when it has one already. null: no commit is safe. */
  acquire(target: string): Promise<SafeCommit | null>;
  /** Reads all files of the commit that is held for the copy. false: one is not what was written, and the shard has failed. */
  verify(target: string): Promise<boolean>;
  /**
   * A piece of a file of the commit that is held for the copy, as soon as the pace of recoveries allows it.
   *
   * @throws illegal_state_exception when none is held, or it has no such piece
   * @throws corrupt_index_exception when the file has not what it should; the shard has failed
   */
  readChunk(target: string, file: string, chunk: number): Promise<Uint8Array>;
  /** The copy needs its commit no more; nothing happens when none is held for it. */
  release(target: string): void;
}
