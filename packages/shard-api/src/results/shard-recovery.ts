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

export type PeerRecoveryStage = (typeof PEER_RECOVERY_STAGES)[number];

/** A copy that recovers, or recovered, from another copy. */
export interface PeerRecovery {
  readonly stage: PeerRecoveryStage;
  /** Wall clock when it was in sync, milliseconds since 1970; null: it is not yet. */
  readonly stopMs: number | null;
  /** Files and their bytes are 0 until the source has named them; copied ones count as they come. */
  readonly recovery: ShardRecovery;
}

/** In their order: nothing came yet, files come, operations come, it is in sync. */
export const PEER_RECOVERY_STAGES = ['INIT', 'INDEX', 'TRANSLOG', 'DONE'] as const;
