/**
 * Buckets of keys as results: of each parent its own, with their counts and what their children found.
 */
import type { Bucket } from '@shoal/aggregations';
import { type StepMeter, type Steps, sortInSteps } from '@shoal/core';
import type { ChildBatch } from '../collector/bucket-collector.ts';
import type { KeyedBuckets } from './keyed-buckets.ts';

interface KeyedRun<Key> {
  readonly buckets: KeyedBuckets;
  readonly children: ChildBatch;
  /** Keys ascend; else the buckets stand in the order of their making. */
  readonly isSorted: boolean;
  /** What a number stands for. */
  keyOf(number: number): Key;
}

export function* keyedResults<Key>(
  { buckets, children, isSorted, keyOf }: KeyedRun<Key>,
  parents: ArrayLike<number>,
  meter: StepMeter,
): Steps<Bucket<Key>[][]> {
  yield* buckets.settle(meter);
  const { ids, counts } = buckets;
  const lists: (readonly number[])[] = [];
  for (const list of yield* ids.byParent(parents, meter)) {
    lists.push(isSorted ? yield* sortInSteps(list, (a, b) => ids.keys.at(a) - ids.keys.at(b), meter) : list);
  }
  const results = yield* children.resultsOf(lists, meter);
  const made: Bucket<Key>[][] = [];
  for (const [p, list] of lists.entries()) {
    const own: Bucket<Key>[] = [];
    for (const [i, id] of list.entries()) {
      own.push({ key: keyOf(ids.keys.at(id)), docCount: counts.at(id), children: results[p]?.[i] ?? [] });
      if (meter.isDue(0.1)) yield;
    }
    made.push(own);
  }
  return made;
}

/** Keys that are numbers as they are. */
export function sameNumber(number: number): number {
  return number;
}
