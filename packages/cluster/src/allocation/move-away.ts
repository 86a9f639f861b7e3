/**
 * Moves started copies from nodes on which they may not stay: excluded ones, those whose disks are full, those with too many copies.
 *
 * Looks only at indices that changed since all their copies could stay, while nodes, settings and disks are as they were.
 */
import { compareCodeUnits } from '@shoal/cluster-state';
import type { AllocationRound } from './allocation-round.ts';

export function moveAway(round: AllocationRound): void {
  const { copies, changes } = round;
  const inputs = round.remainInputs();
  const names = new Set([...copies.unsettled(inputs), ...changes.changedIndices()]);
  for (const index of [...names].sort(compareCodeUnits)) {
    const isSettled = moveCopies(round, index);
    // Copies that were assigned in this round may never be so: the index that comes with them is looked at then.
    if (isSettled && !changes.hasChanged(index)) copies.settle(index);
  }
  // Copies were asked about while a node was full that is not any more, or the other way round.
  if (round.remainInputs().some((input, i) => input !== inputs[i])) copies.unsettleAll();
}

/** @returns whether all started copies of the index may stay where they are */
function moveCopies(round: AllocationRound, index: string): boolean {
  let stays = true;
  for (let shard = 0; shard < round.changes.index(index).numberOfShards; shard++) {
    for (const copy of round.changes.shardCopies(index, shard)) {
      if (copy.state !== 'STARTED' || round.mayRemain(copy)) continue;
      stays = false;
      if (round.moveRefusal(copy) !== null || !round.mayRecover(copy)) continue;
      const { node } = round.lightest(copy, round.nodes);
      if (node !== null) round.move(copy, node);
    }
  }
  return stays;
}
