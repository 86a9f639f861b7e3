/**
 * The best hits of all of several terms: block by block of the rarest, which is looked up in the others.
 */
import { Area, candidateDocs, candidateScores, ordered, partSum, setMaximum, maximum, setPartSum } from './area.ts';
import { addScores, keepAccepted, scoreBlock } from './candidates.ts';
import { blockBound } from './score.ts';
import { NO_MORE_DOCS } from '../shared/postings-format.ts';
import { lastDoc } from './term.ts';
import { mayPrune, offerCandidates } from './top-hits.ts';
import { windowBound } from './window.ts';

/** Works through up to `budget` blocks of the rarest term, which is the first; true when the segment is done. */
export function rankAnd(area: Area, budget: i32): bool {
  const lead = ordered(area, 0);
  const stop = min(area.next + budget, lead.blockCount);
  let block = area.next;
  for (; block < stop; block++) {
    if (rankBlock(area, block)) return true;
  }
  area.next = block;
  return block >= lead.blockCount;
}

/** True when some term ended: nothing behind can match. */
function rankBlock(area: Area, block: i32): bool {
  const lead = ordered(area, 0);
  const termCount = area.termCount;
  const isPruned = mayPrune(area);
  if (isPruned) {
    const base = block > 0 ? lastDoc(lead, block - 1) + 1 : 0;
    const end = lastDoc(lead, block) + 1;
    boundOthers(area, base, end);
    if (blockBound(lead, block, lead.weight) + partSum(area, 1) <= area.threshold) return false;
  }
  lead.block = block;
  lead.at = 0;
  let count = scoreBlock(area, lead, block, 0, NO_MORE_DOCS, 0, isPruned ? area.threshold - partSum(area, 1) : 0);
  count = keepAccepted(area, count);
  for (let i = 1; i < termCount && count > 0; i++) {
    const term = ordered(area, i);
    count = addScores(area, term, count, true, isPruned ? area.threshold - partSum(area, i + 1) : 0);
    if (term.block >= term.blockCount) {
      // What matched before its end still counts, once the terms behind agree.
      finishBlock(area, i + 1, count, isPruned);
      return true;
    }
  }
  area.hits += count;
  offerCandidates(area, count);
  return false;
}

function finishBlock(area: Area, from: i32, found: i32, isPruned: bool): void {
  let count = found;
  for (let i = from; i < area.termCount && count > 0; i++) {
    count = addScores(area, ordered(area, i), count, true, isPruned ? area.threshold - partSum(area, i + 1) : 0);
  }
  area.hits += count;
  offerCandidates(area, count);
}

/** Sums of the bounds in [base, end): part sum i is that of the terms from i on. */
function boundOthers(area: Area, base: i32, end: i32): void {
  const termCount = area.termCount;
  setPartSum(area, termCount, 0);
  for (let i = termCount - 1; i > 0; i--) {
    setPartSum(area, i, partSum(area, i + 1) + windowBound(ordered(area, i), base, end));
  }
}
