/**
 * Which commits of a shard stay: the newest, and the newest safe one. A safe commit holds no operation that another copy may
 * lack, so that a copy which has to give up what was never confirmed can begin again from it.
 */
import { assert, ShoalError } from '@shoal/core';
import type { Commit } from './commit-file.ts';

/** Commits kept at most: each one holds the files of segments that were merged since. */
const COMMITS_MAX = 6;

/** @param commits ascending; the newest one says what every copy has */
export function commitsToKeep(commits: readonly Commit[]): readonly Commit[] {
  const newest = commits[commits.length - 1];
  assert(newest !== undefined, 'a shard without a commit');
  const safe = commits.findLastIndex(({ maxSeqNo }) => maxSeqNo <= newest.globalCheckpoint);
  const kept = commits.slice(Math.max(safe, 0));
  // Those in between may become safe later; without them the safe one stays for longer.
  return kept.length <= COMMITS_MAX ? kept : [kept[0] as Commit, ...kept.slice(1 - COMMITS_MAX)];
}

/** 500: nothing is left that a copy could go back to. */
export function noSafeCommit(to: number): ShoalError {
  return new ShoalError('illegal_state_exception', 500, `no commit holds only operations up to [${to}]`);
}
