/**
 * The best hits of any of several terms, window by window.
 *
 * Once the heap is full, terms whose bounds in a window sum up to no more than the threshold cannot bring a hit by
 * themselves: only the others are read whole, and those are looked up for what is left (MaxScore, per window).
 *
 * @see Turtle & Flood, "Query evaluation: strategies and optimizations" (1995)
 */
import { Area, maximum, ordered, partSum, setPartSum, WINDOW } from './area.ts';
import { addScores, keepAccepted, scoreBlock } from './candidates.ts';
import { blockBound } from './score.ts';
import { lastDoc, skipTo } from './term.ts';
import { mayPrune, offerCandidates } from './top-hits.ts';
import { accumulate, collect, orderByBound } from './window.ts';

/** Works through up to `budget` windows; true when the segment is done. */
export function rankOr(area: Area, budget: i32): bool {
  const docCount = area.docCount;
  let base = area.next;
  for (let done = 0; done < budget && base < docCount; done++) {
    rankWindow(area, base, min(base + WINDOW, docCount));
    base += WINDOW;
  }
  area.next = base;
  return base >= docCount;
}

function rankWindow(area: Area, base: i32, end: i32): void {
  const isPruned = mayPrune(area);
  const essential = isPruned ? partition(area, base, end) : 0;
  const termCount = area.termCount;
  if (essential == termCount) return;
  const cut = isPruned ? max(area.threshold - partSum(area, essential), 0) : 0;
  let count = 0;
  if (essential == termCount - 1) {
    count = scoreStretch(area, base, end, cut);
  } else {
    for (let i = essential; i < termCount; i++) accumulate(area, ordered(area, i), base, end);
    count = collect(area, base, end - base, cut);
  }
  for (let i = essential - 1; i >= 0 && count > 0; i--) {
    count = addScores(area, ordered(area, i), count, false, area.threshold - partSum(area, i));
  }
  count = keepAccepted(area, count);
  area.hits += count;
  offerCandidates(area, count);
}

/** Orders terms by their bound in the window; returns how many of the lowest are not essential. */
function partition(area: Area, base: i32, end: i32): i32 {
  const termCount = area.termCount;
  orderByBound(area, base, end);
  let sum: f64 = 0;
  let essential = 0;
  setPartSum(area, 0, 0);
  while (essential < termCount) {
    const more = sum + maximum(area, essential);
    if (more > area.threshold) break;
    sum = more;
    essential++;
    setPartSum(area, essential, sum);
  }
  return essential;
}

/** Candidates of the last ordered term alone: straight from its blocks. */
function scoreStretch(area: Area, base: i32, end: i32, cut: f64): i32 {
  const term = ordered(area, area.termCount - 1);
  let block = skipTo(term, base);
  let count = 0;
  while (block < term.blockCount) {
    if (blockBound(term, block, term.weight) > cut) {
      if (term.decoded != block) term.at = 0;
      count = scoreBlock(area, term, block, base, end, count, cut);
    }
    if (lastDoc(term, block) >= end - 1) break;
    block++;
    term.block = block;
    term.at = 0;
  }
  return count;
}
