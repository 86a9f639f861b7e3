/**
 * Sets of sequence numbers as sorted, disjoint ranges: what a copy has, without an entry for each operation.
 *
 * Operations arrive in any order, but nearly in order: a set is one checkpoint and few ranges above it.
 */
import { assert } from '@shoal/core';

/** Checkpoint of a copy without operations. */
export const NO_OPERATIONS = -1;
/** Checkpoint of a copy that has not told it yet. */
export const UNKNOWN_CHECKPOINT = -2;

/** Sequence numbers `first`..`last`, both included. */
export interface SeqNoRange {
  readonly first: number;
  readonly last: number;
}

/** Every number up to `checkpoint`, and those of `above`, which neither touch it nor one another. */
export interface SeqNoSet {
  readonly checkpoint: number;
  readonly above: readonly SeqNoRange[];
}

export function seqNosThrough(checkpoint: number): SeqNoSet {
  assert(Number.isSafeInteger(checkpoint) && checkpoint >= NO_OPERATIONS, `checkpoint ${checkpoint} is none`);
  return { checkpoint, above: [] };
}

export function addSeqNos(set: SeqNoSet, ranges: readonly SeqNoRange[]): SeqNoSet {
  let { checkpoint } = set;
  let above = set.above;
  for (const range of ranges) {
    if (range.last > checkpoint) above = addRange(above, range);
  }
  while (above[0] !== undefined && above[0].first <= checkpoint + 1) {
    checkpoint = Math.max(checkpoint, above[0].last);
    above = above.slice(1);
  }
  return { checkpoint, above };
}

/** Sorted union of the ranges and one more. */
function addRange(ranges: readonly SeqNoRange[], added: SeqNoRange): readonly SeqNoRange[] {
  assert(added.first >= 0 && added.last >= added.first, `range ${added.first}..${added.last} is empty`);
  const before = ranges.filter((range) => range.last < added.first - 1);
  const after = ranges.filter((range) => range.first > added.last + 1);
  const touching = ranges.slice(before.length, ranges.length - after.length);
  const first = Math.min(added.first, touching[0]?.first ?? added.first);
  const last = Math.max(added.last, touching.at(-1)?.last ?? added.last);
  return [...before, { first, last }, ...after];
}

/** The ranges without one of their parts. */
export function removeRange(ranges: readonly SeqNoRange[], removed: SeqNoRange): readonly SeqNoRange[] {
  const rest: SeqNoRange[] = [];
  for (const range of ranges) {
    if (range.last < removed.first || range.first > removed.last) rest.push(range);
    else {
      if (range.first < removed.first) rest.push({ first: range.first, last: removed.first - 1 });
      if (range.last > removed.last) rest.push({ first: removed.last + 1, last: range.last });
    }
  }
  return rest;
}

export function hasSeqNo(set: SeqNoSet, seqNo: number): boolean {
  return seqNo <= set.checkpoint || set.above.some(({ first, last }) => first <= seqNo && seqNo <= last);
}

export function hasSeqNos(set: SeqNoSet, ranges: readonly SeqNoRange[]): boolean {
  return ranges.every(
    ({ first, last }) =>
      last <= set.checkpoint ||
      set.above.some((range) => range.first <= Math.max(first, set.checkpoint + 1) && last <= range.last),
  );
}

/** None of these numbers is in the set. */
export function lacksSeqNos(set: SeqNoSet, ranges: readonly SeqNoRange[]): boolean {
  return ranges.every(
    ({ first, last }) =>
      first > set.checkpoint && !set.above.some((range) => range.first <= last && first <= range.last),
  );
}

/** Highest number of the set; `NO_OPERATIONS` when it is empty. */
export function highestSeqNo(set: SeqNoSet): number {
  return set.above.at(-1)?.last ?? set.checkpoint;
}

/** What the set has above a number. */
export function seqNosAbove({ checkpoint, above }: SeqNoSet, seqNo: number): readonly SeqNoRange[] {
  const ranges = checkpoint === NO_OPERATIONS ? above : [{ first: 0, last: checkpoint }, ...above];
  return removeRange(ranges, { first: 0, last: seqNo });
}

/** Everything of the set above its checkpoint and up to `last` that is missing. */
export function missingSeqNos(set: SeqNoSet, last: number): readonly SeqNoRange[] {
  const missing: SeqNoRange[] = [];
  let next = set.checkpoint + 1;
  for (const range of set.above) {
    if (range.first > last) break;
    if (range.first > next) missing.push({ first: next, last: range.first - 1 });
    next = range.last + 1;
  }
  if (next <= last) missing.push({ first: next, last });
  return missing;
}

/** Ranges that hold exactly these numbers, which ascend. */
export function rangesOf(seqNos: readonly number[]): readonly SeqNoRange[] {
  const ranges: { first: number; last: number }[] = [];
  for (const seqNo of seqNos) {
    const open = ranges.at(-1);
    assert(open === undefined || seqNo > open.last, `sequence number ${seqNo} does not ascend`);
    if (open !== undefined && seqNo === open.last + 1) open.last = seqNo;
    else ranges.push({ first: seqNo, last: seqNo });
  }
  return ranges;
}
