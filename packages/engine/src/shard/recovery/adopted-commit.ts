/**
 * A commit that was made in another folder, as the first one of this folder: its segments are the same, its translog is a new and
 * empty one.
 */
import type { ShoalError } from '@shoal/core';
import type { Runtime } from '@shoal/runtime';
import type { Commit } from '../commit/commit-file.ts';
import { LocalCheckpoint } from '../history/local-checkpoint.ts';
import { Translog } from '../translog/translog.ts';

const FIRST_TRANSLOG = 1;

/** What the adopted commit says of operations: every one up to the first is in it, every copy that may lead has those up to the second. */
type Checkpoints = Pick<Commit, 'localCheckpoint' | 'globalCheckpoint'>;

/** The commit to be written behind the one that was copied, which is of no use then: its translog stayed where it was. */
export function adoptedCommit(commit: Commit, { localCheckpoint, globalCheckpoint }: Checkpoints): Commit {
  return {
    ...{ ...commit, generation: commit.generation + 1, syncId: null },
    ...{ localCheckpoint, globalCheckpoint, trimmedSeqNo: localCheckpoint },
    // What was dropped of the translog is named by generations of the one that stayed where it was.
    ...{ translogGeneration: FIRST_TRANSLOG, generations: [], trims: [] },
  };
}

/** The generation that an adopted commit names, without operations. Its folder is empty. */
export async function beginAdoptedTranslog(
  { disk, sched }: Pick<Runtime, 'disk' | 'sched'>,
  folder: string,
): Promise<void> {
  const failures: ShoalError[] = [];
  const translog = await Translog.open({
    ...{ disk, sched, folder, pieces: null },
    begin: { kind: 'new', generation: FIRST_TRANSLOG, previousBytes: -1 },
    persisted: new LocalCheckpoint(-1),
    older: [],
    trimmedSeqNo: -1,
    onFailure: (error) => failures.push(error),
  });
  await translog.close();
  const [failure] = failures;
  if (failure !== undefined) throw failure;
}
