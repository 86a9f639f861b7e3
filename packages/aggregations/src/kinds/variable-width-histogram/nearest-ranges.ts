/**
 * Agglomerative clustering of numbers in order: the two nearest neighbours become one until there are few enough.
 *
 * Distances are between means, which move with each merge. A heap holds the distance of every neighbour pair; those of merged
 * ranges are passed over when they come up.
 */
import { assert, type StepMeter, type Steps } from '@shoal/core';

/** A weighted point. */
export interface WeightedMean {
  readonly key: number;
  readonly docCount: number;
}

/** Points first..last. */
export interface PointRange {
  readonly first: number;
  readonly last: number;
}

interface Range extends PointRange {
  readonly mean: number;
  readonly weight: number;
}

interface Pair {
  readonly distance: number;
  readonly left: Range;
  readonly right: Range;
}

/** @param points ascending @returns ranges in the order of the points, at most `most` */
export function* nearestRanges(
  points: readonly WeightedMean[],
  most: number,
  meter: StepMeter,
): Steps<readonly PointRange[]> {
  assert(most > 0, `${points.length} points in ${most} ranges`);
  /** Ranges by their first, and by their last point. */
  const byFirst = points.map(({ key, docCount }, at): Range => ({ first: at, last: at, mean: key, weight: docCount }));
  const byLast = [...byFirst];
  const isCurrent = (range: Range): boolean => byFirst[range.first] === range && byLast[range.last] === range;
  const heap = new PairHeap();
  const join = (left: Range | undefined, right: Range | undefined): void => {
    if (left !== undefined && right !== undefined) heap.push(pairOf(left, right));
  };
  for (let at = 1; at < byFirst.length; at++) {
    join(byFirst[at - 1], byFirst[at]);
    if (meter.isDue(0.2)) yield;
  }
  for (let count = byFirst.length; count > most; ) {
    const nearest = heap.pop();
    assert(nearest !== undefined, `${count} ranges without neighbours`);
    const { left, right } = nearest;
    if (meter.isDue(0.5)) yield;
    if (!isCurrent(left) || !isCurrent(right)) continue;
    const merged = mergedRange(left, right);
    byFirst[merged.first] = merged;
    byLast[merged.last] = merged;
    join(byLast[merged.first - 1], merged);
    join(merged, byFirst[merged.last + 1]);
    count--;
  }
  const ranges: PointRange[] = [];
  for (let range = byFirst[0]; range !== undefined; range = byFirst[range.last + 1]) ranges.push(range);
  return ranges;
}

function pairOf(left: Range, right: Range): Pair {
  return { distance: Math.abs(left.mean - right.mean), left, right };
}

function mergedRange(left: Range, right: Range): Range {
  const weight = left.weight + right.weight;
  const mean = weight > 0 ? (left.mean * left.weight + right.mean * right.weight) / weight : left.mean;
  return { first: left.first, last: right.last, mean, weight };
}

/** The nearest pair first, of equally near ones the first in order. */
class PairHeap {
  private readonly pairs: Pair[] = [];

  push(pair: Pair): void {
    const { pairs } = this;
    let at = pairs.length;
    pairs.push(pair);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isNearer(pair, pairs[parent] as Pair)) break;
      pairs[at] = pairs[parent] as Pair;
      at = parent;
    }
    pairs[at] = pair;
  }

  pop(): Pair | undefined {
    const { pairs } = this;
    const top = pairs[0];
    const last = pairs.pop();
    if (last === undefined || pairs.length === 0) return top;
    let at = 0;
    for (let child = 1; child < pairs.length; child = 2 * at + 1) {
      if (child + 1 < pairs.length && isNearer(pairs[child + 1] as Pair, pairs[child] as Pair)) child++;
      if (!isNearer(pairs[child] as Pair, last)) break;
      pairs[at] = pairs[child] as Pair;
      at = child;
    }
    pairs[at] = last;
    return top;
  }
}

function isNearer(a: Pair, b: Pair): boolean {
  return a.distance < b.distance || (a.distance === b.distance && a.left.first < b.left.first);
}
