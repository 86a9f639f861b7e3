/**
 * What was read to open a shard: the numbers behind `_recovery`.
 */

export interface ShardRecovery {
  /** Files of the commit that was opened. */
  readonly fileCount: number;
  readonly fileBytes: number;
  /** Those of them that came out of a repository, or from another copy. */
  readonly copiedFileCount: number;
  readonly copiedFileBytes: number;
  /** Time that getting the files and opening the commit took, in milliseconds. */
  readonly indexTimeMs: number;
  /** Operations of the translog that no commit held, written again. */
  readonly translogOperations: number;
  readonly translogTimeMs: number;
}
