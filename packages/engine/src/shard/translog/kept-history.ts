/**
 * Translog files below those that a commit needs: kept for copies that will ask for them, and not read when a shard is opened.
 */
import type { Commit } from '../commit/commit-file.ts';
import { highestSeqNo } from '../history/history-retention.ts';

export interface KeptHistory {
  /** Ascending, without gaps up to the first generation that the commit needs. */
  readonly generations: Commit['generations'];
  /** Every operation above it is in the translog. */
  readonly trimmedSeqNo: number;
}

/** @param there generations in the folder */
export function keptHistory(
  there: readonly number[],
  {
    generations,
    translogGeneration,
    trimmedSeqNo,
  }: Pick<Commit, 'generations' | 'translogGeneration' | 'trimmedSeqNo'>,
): KeptHistory {
  const found = new Set(there);
  const older = generations.filter(({ generation }) => generation < translogGeneration);
  // Files go from the oldest on: what is there above a missing one is of no use without it.
  const missing = older.findLastIndex(({ generation }) => !found.has(generation));
  const gone = older.slice(0, missing + 1);
  return {
    generations: older.slice(missing + 1),
    trimmedSeqNo: highestSeqNo(gone, trimmedSeqNo),
  };
}
