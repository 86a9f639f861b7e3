/**
 * The best hits of one term: block by block, leaving out those that cannot hold one.
 */
import { Area, ordered } from './area.ts';
import { keepAccepted, scoreBlock } from './candidates.ts';
import { bestImpact, blockBound } from './score.ts';
import { NO_MORE_DOCS } from '../shared/postings-format.ts';
import { Term } from './term.ts';
import { mayPrune, offerCandidates } from './top-hits.ts';

/** The first block from `start` on whose bound is above the threshold; `stop` when there is none. */
function skipWeak(term: Term, start: i32, stop: i32, threshold: f64): i32 {
  const weight = term.weight;
  let block = start;
  while (block < stop && blockBound(term, block, weight) <= threshold) block++;
  return block;
}

/** Works through up to `budget` blocks; true when the segment is done. */
export function rankTerm(area: Area, budget: i32): bool {
  const term = ordered(area, 0);
  const blockCount = term.blockCount;
  const stop = min(area.next + budget, blockCount);
  let block = area.next;
  for (; block < stop; block++) {
    const isPruned = mayPrune(area);
    if (isPruned) {
      block = skipWeak(term, block, stop, area.threshold);
      if (block == stop) break;
      if (<f64>bestImpact(term, block) <= area.threshold) continue;
    }
    term.block = block;
    term.at = 0;
    let count = scoreBlock(area, term, block, 0, NO_MORE_DOCS, 0, isPruned ? area.threshold : 0);
    count = keepAccepted(area, count);
    area.hits += count;
    offerCandidates(area, count);
  }
  area.next = block;
  return block >= blockCount;
}
