/**
 * Sharing of buckets that the request names: every parent has the same count of them.
 */
import { assert, type StepMeter, type Steps } from '@shoal/core';
import type { BucketCounts } from './bucket-ids.ts';
import type { CollectorState, SideBySide, StateSharing } from './state-sharing.ts';

/** @param width buckets of each parent */
export function fixedSharing(counts: BucketCounts, width: number, children: SideBySide): StateSharing {
  return {
    isOrderFree: children.isOrderFree,
    ready: (meter) => children.ready(meter),
    take: (meter) => takeFixed(counts, children, meter),
    add: (state, parents, meter) => addFixed({ counts, width, children }, state, parents, meter),
  };
}

function* takeFixed(counts: BucketCounts, children: SideBySide, meter: StepMeter): Steps<CollectorState> {
  return { arrays: [counts.values], children: yield* children.take(meter) };
}

interface FixedBuckets {
  readonly counts: BucketCounts;
  readonly width: number;
  readonly children: SideBySide;
}

function* addFixed(
  { counts, width, children }: FixedBuckets,
  state: CollectorState,
  parents: ArrayLike<number>,
  meter: StepMeter,
): Steps<void> {
  const [there] = state.arrays;
  assert(there !== undefined, 'a state without counts');
  const here = new Uint32Array(parents.length * width);
  for (let bucket = 0; bucket < here.length; bucket++) {
    const at = (parents[Math.trunc(bucket / width)] as number) * width + (bucket % width);
    here[bucket] = at;
    counts.add(at, there[bucket] ?? 0);
    if (meter.isDue(0.02)) yield;
  }
  yield* children.add(state.children, here, meter);
}
