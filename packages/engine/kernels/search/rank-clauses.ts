/**
 * The best hits of a query of clauses: required ones, optional ones, of which some number must match, the best one or their sum.
 *
 * Every match has one of the terms that lead. Once the heap is full, so has every document that may enter one of those terms that
 * together bring more than the threshold (MaxScore, per window); the terms that have fewer documents are read, the others are
 * looked up for what those leave.
 *
 * @see Turtle & Flood, "Query evaluation: strategies and optimizations" (1995)
 */
import { Area, candidateDocs, candidateSlots, CLAUSE_WINDOW, maximum, ordered, setMaximum } from './area.ts';
import { listAccepted, listMarked, lookUp, readBlock, readTerm } from './clause-terms.ts';
import {
  boundWith,
  clause,
  clearSlots,
  keepAcceptedSlots,
  keepPromising,
  LEFT_OUT,
  LOOKED_UP,
  READ,
  scoreSlot,
} from './clauses.ts';
import { blockBound } from './score.ts';
import { lastDoc, skipTo, Term } from './term.ts';
import { mayPrune, offer } from './top-hits.ts';
import { orderByBound, windowBound } from './window.ts';

/** Works through up to `budget` windows; true when the segment is done. */
export function rankClauses(area: Area, budget: i32): bool {
  const docCount = area.docCount;
  let base = area.next;
  for (let done = 0; done < budget && base < docCount; done++) {
    if (isAnyMandatoryOver(area, base)) base = docCount;
    else rankWindow(area, base, min(base + CLAUSE_WINDOW, docCount));
    base += CLAUSE_WINDOW;
  }
  area.next = base;
  return base >= docCount;
}

/** A term that every match has ends before `base`. */
function isAnyMandatoryOver(area: Area, base: i32): bool {
  for (let i = 0; i < area.termCount; i++) {
    const term = ordered(area, i);
    if (term.isMandatory && skipTo(term, base) >= term.blockCount) return true;
  }
  return false;
}

/** Works through up to `budget` blocks of the first term, which alone leads; true when the segment is done. */
export function rankClausesByBlocks(area: Area, budget: i32): bool {
  const lead = ordered(area, 0);
  const stop = min(area.next + budget, lead.blockCount);
  let block = area.next;
  for (; block < stop; block++) {
    if (isAnyMandatoryOver(area, block > 0 ? lastDoc(lead, block - 1) + 1 : 0)) {
      block = lead.blockCount;
      break;
    }
    rankBlock(area, lead, block);
  }
  area.next = block;
  return block >= lead.blockCount;
}

/**
 * Works through the accepted documents, up to `budget` windows of them; true when the segment is done. Some documents are not
 * accepted. Worth it where the terms that lead have many more documents than are accepted.
 */
export function rankAcceptedClauses(area: Area, budget: i32): bool {
  const docCount = area.docCount;
  for (let done = 0; done < budget && area.next < docCount; done++) {
    const base = area.next;
    if (isAnyMandatoryOver(area, base)) area.next = docCount;
    else rankAccepted(area, base);
  }
  return area.next >= docCount;
}

function rankAccepted(area: Area, base: i32): void {
  const found = listAccepted(area, base);
  if (found == 0) return;
  const isPruned = mayPrune(area);
  for (let i = 0; i < area.termCount; i++) ordered(area, i).role = LOOKED_UP;
  if (isPruned) {
    const first = load<i32>(candidateDocs(area));
    const end = load<i32>(candidateDocs(area) + (<usize>(found - 1) << 2)) + 1;
    for (let i = 0; i < area.termCount; i++) setMaximum(area, i, windowBound(ordered(area, i), first, end));
    sumRests(area);
  }
  rankCandidates(area, found, isPruned);
}

function rankWindow(area: Area, base: i32, end: i32): void {
  const isPruned = mayPrune(area);
  if (isPruned) {
    orderByBound(area, base, end);
    if (!chooseRoles(area)) return;
  } else leadAsPlanned(area);
  const termCount = area.termCount;
  let readCount = 0;
  for (let i = 0; i < termCount; i++) readCount += i32(ordered(area, i).role == READ);
  for (let i = 0; i < termCount; i++) {
    const term = ordered(area, i);
    if (term.role == READ) readTerm(area, term, base, end, isPruned && readCount == 1);
  }
  rankCandidates(area, listMarked(area, base, end), isPruned);
}

function rankBlock(area: Area, lead: Term, block: i32): void {
  const isPruned = mayPrune(area);
  leadAsPlanned(area);
  if (isPruned) {
    const base = block > 0 ? lastDoc(lead, block - 1) + 1 : 0;
    const end = lastDoc(lead, block) + 1;
    for (let i = 1; i < area.termCount; i++) setMaximum(area, i, windowBound(ordered(area, i), base, end));
    sumRests(area);
    if (boundWith(area, lead.clause, blockBound(lead, block, lead.weight)) <= area.threshold) return;
  }
  rankCandidates(area, readBlock(area, lead, block), isPruned);
}

/** Looks the other terms up for the candidates, of which the terms that are read are summed, and offers what is left. */
function rankCandidates(area: Area, found: i32, isPruned: bool): void {
  if (found == 0) return;
  const termCount = area.termCount;
  let count = keepAcceptedSlots(area, found);
  for (let i = 0; i < termCount && count > 0; i++) {
    const term = ordered(area, i);
    if (!term.isMandatory || term.role == READ) continue;
    count = lookUpBounded(area, term, i, count, isPruned);
  }
  // Those that may add the most come first: they decide about most candidates.
  for (let i = termCount - 1; i >= 0 && count > 0; i--) {
    const term = ordered(area, i);
    if (term.isMandatory || term.role != LOOKED_UP) continue;
    count = lookUpBounded(area, term, i, count, isPruned);
  }
  offerSlots(area, count);
  clearSlots(area, found);
}

function lookUpBounded(area: Area, term: Term, index: i32, found: i32, isPruned: bool): i32 {
  if (!isPruned) return lookUp(area, term, found);
  const count = keepPromising(area, found);
  // What it adds is no bound any more, but a score.
  const own = clause(area, term.clause);
  own.rest = max(0, own.rest - maximum(area, index));
  return lookUp(area, term, count);
}

function offerSlots(area: Area, count: i32): void {
  const docs = candidateDocs(area);
  const slots = candidateSlots(area);
  for (let i = 0; i < count; i++) {
    const score = scoreSlot(area, load<i32>(slots + (<usize>i << 2)));
    if (score < 0) continue;
    area.hits++;
    offer(area, load<i32>(docs + (<usize>i << 2)), score);
  }
}

/** Terms lead that the query says. */
function leadAsPlanned(area: Area): void {
  for (let i = 0; i < area.termCount; i++) {
    const term = ordered(area, i);
    term.role = term.isLead ? READ : LOOKED_UP;
  }
}

/** Says what each term is in the window whose bounds are known; false when no document of it may enter. */
function chooseRoles(area: Area): bool {
  const threshold = area.threshold;
  const termCount = area.termCount;
  for (let i = 0; i < area.clauseCount; i++) {
    const own = clause(area, i);
    own.rest = 0;
    own.bound = 0;
  }
  let readCount = 0;
  let cost: f64 = 0;
  for (let i = 0; i < termCount; i++) {
    const term = ordered(area, i);
    const own = clause(area, term.clause);
    own.bound += maximum(area, i);
    if (boundWith(area, term.clause, maximum(area, i)) <= threshold) {
      own.rest += maximum(area, i);
      term.role = LOOKED_UP;
    } else {
      term.role = READ;
      readCount++;
      cost += <f64>term.docFreq;
    }
  }
  if (readCount == 0) return false;
  if (cost > area.leadCost) leadAsPlanned(area);
  leaveOut(area);
  sumRests(area);
  return true;
}

/** Where the best clause alone makes the score, one that can bring no hit adds nothing to any. */
function leaveOut(area: Area): void {
  if (!area.isBest || area.tieBreaker != 0 || area.clausesNeeded > 1) return;
  const threshold = area.threshold;
  for (let i = 0; i < area.clauseCount; i++) clause(area, i).rest = 0;
  for (let i = 0; i < area.termCount; i++) {
    const term = ordered(area, i);
    const own = clause(area, term.clause);
    if (term.role == LOOKED_UP && !own.isRequired && boundWith(area, term.clause, own.bound) <= threshold) {
      term.role = LEFT_OUT;
    }
  }
}

/** Sums the bounds of the terms that are looked up, for each clause. */
function sumRests(area: Area): void {
  for (let i = 0; i < area.clauseCount; i++) clause(area, i).rest = 0;
  for (let i = 0; i < area.termCount; i++) {
    const term = ordered(area, i);
    if (term.role == LOOKED_UP) clause(area, term.clause).rest += maximum(area, i);
  }
}
