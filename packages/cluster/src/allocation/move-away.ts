/** Moves started copies from nodes on which they may not stay: excluded ones, those whose disks are full, those with too many copies. */
import type { AllocationRound } from './allocation-round.ts';

export function moveAway(round: AllocationRound): void {
  for (const copies of round.changes.shards()) {
    for (const copy of copies) {
      if (copy.state !== 'STARTED' || round.mayRemain(copy)) continue;
      if (round.moveRefusal(copy) !== null || !round.mayRecover(copy)) continue;
      const { node } = round.lightest(copy, round.nodes);
      if (node !== null) round.move(copy, node);
    }
  }
}
