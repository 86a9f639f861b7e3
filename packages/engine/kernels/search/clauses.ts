/**
 * Clauses of a query: each has some terms, whose scores are summed, and the query makes its score of those of the clauses.
 *
 * Sums stand by slot, a document of the range at hand: which one, its candidate says. A score is rounded to float32 where the plain
 * form rounds it: that of a clause, and that of the query. Bounds are made a little larger than that can add.
 */
import {
  Area,
  candidateDocs,
  candidateSlots,
  clauseAt,
  clauseCounts,
  clauseSums,
  isAccepted,
  touchedSlots,
} from './area.ts';

/** The term is read whole: its documents become candidates. */
export const READ: i32 = 0;
/** The candidates are looked up in the term. */
export const LOOKED_UP: i32 = 1;
/** Nothing that the term adds can bring a document among the best hits. */
export const LEFT_OUT: i32 = 2;

/** More than the rounding of clauses and their sum adds, as a factor. */
const SLACK: f64 = 1.0 + 1.0 / 1048576.0;

@unmanaged
export class Clause {
  /** Terms that must match for the clause to match. */
  needed: i32;
  /** No document matches without it. */
  isRequired: i32;
  /** Bound of what its terms still add, in the range at hand, to what is summed. */
  rest: f64;
  /** Bound of all its terms in the range at hand. */
  bound: f64;
}

@inline
export function clause(area: Area, index: i32): Clause {
  return changetype<Clause>(clauseAt(area, index));
}

/** Score of the slot; -1: the document does not match. */
export function scoreSlot(area: Area, slot: i32): f64 {
  const count = area.clauseCount;
  let sum: f64 = 0;
  let best: f64 = 0;
  let optional = 0;
  for (let i = 0; i < count; i++) {
    const own = clause(area, i);
    // Every match of a term scores more than nothing.
    const score = <f64>(<f32>load<f64>(clauseSums(area, i) + (<usize>slot << 3)));
    const isMatch =
      score > 0 && (own.needed == 1 || <i32>load<u8>(clauseCounts(area, i) + <usize>slot) >= own.needed);
    if (!isMatch) {
      if (own.isRequired) return -1;
      continue;
    }
    optional += i32(own.isRequired == 0);
    sum += score;
    best = max(best, score);
  }
  if (optional < area.clausesNeeded) return -1;
  return <f64>(<f32>(area.isBest ? best + (sum - best) * area.tieBreaker : sum));
}

/** Bound of the score of a document that has what the slot has, and what `rest` adds; `more` of it to one clause. */
@inline
function bound(area: Area, slot: i32, one: i32, more: f64): f64 {
  const count = area.clauseCount;
  let sum: f64 = 0;
  let best: f64 = 0;
  for (let i = 0; i < count; i++) {
    let score = clause(area, i).rest;
    if (slot >= 0) score += load<f64>(clauseSums(area, i) + (<usize>slot << 3));
    if (i == one) score += more;
    sum += score;
    best = max(best, score);
  }
  return (area.isBest ? best + (sum - best) * area.tieBreaker : sum) * SLACK;
}

/** Bound of the score of a document that has nothing but what `rest` says, and `more` of clause `one`. */
export function boundWith(area: Area, one: i32, more: f64): f64 {
  return bound(area, -1, one, more);
}

/** Drops candidates whose score cannot be above the threshold. */
export function keepPromising(area: Area, count: i32): i32 {
  const docs = candidateDocs(area);
  const slots = candidateSlots(area);
  const threshold = area.threshold;
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const slot = load<i32>(slots + (<usize>i << 2));
    store<i32>(docs + (<usize>kept << 2), load<i32>(docs + (<usize>i << 2)));
    store<i32>(slots + (<usize>kept << 2), slot);
    kept += i32(bound(area, slot, -1, 0) > threshold);
  }
  return kept;
}

/** Drops candidates that are deleted or that a filter does not match. */
export function keepAcceptedSlots(area: Area, count: i32): i32 {
  const accept = area.accept;
  if (accept == 0) return count;
  const docs = candidateDocs(area);
  const slots = candidateSlots(area);
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const doc = load<i32>(docs + (<usize>i << 2));
    store<i32>(docs + (<usize>kept << 2), doc);
    store<i32>(slots + (<usize>kept << 2), load<i32>(slots + (<usize>i << 2)));
    kept += i32(isAccepted(accept, doc));
  }
  return kept;
}

/** Clears the first `count` slots that were touched. */
export function clearSlots(area: Area, count: i32): void {
  const touched = touchedSlots(area);
  for (let i = 0; i < area.clauseCount; i++) {
    const sums = clauseSums(area, i);
    for (let k = 0; k < count; k++) store<f64>(sums + (<usize>load<i32>(touched + (<usize>k << 2)) << 3), 0);
    if (clause(area, i).needed == 1) continue;
    const counts = clauseCounts(area, i);
    for (let k = 0; k < count; k++) store<u8>(counts + <usize>load<i32>(touched + (<usize>k << 2)), 0);
  }
}
