/**
 * Numbers of buckets that are known before any document is seen: every parent has the same count of them.
 */
import type { StepMeter, Steps } from '@shoal/core';

/** Buckets of each parent, `width` of them. */
export function* fixedLists(parents: ArrayLike<number>, width: number, meter: StepMeter): Steps<number[][]> {
  const lists: number[][] = [];
  for (let i = 0; i < parents.length; i++) {
    const first = (parents[i] as number) * width;
    lists.push(Array.from({ length: width }, (_, r) => first + r));
    if (meter.isDue(0.05 * width)) yield;
  }
  return lists;
}
