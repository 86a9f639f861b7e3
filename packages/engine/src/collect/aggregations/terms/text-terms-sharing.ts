/**
 * Sharing of counted texts: all threads number them by one union of the terms of all segments, so that numbers mean the same to each.
 */
import { assert, type StepMeter, type Steps } from '@shoal/core';
import type { BucketCounts } from '../collector/bucket-ids.ts';
import type { CollectorState, SideBySide, StateSharing } from '../collector/state-sharing.ts';
import type { KeyedBuckets } from '../keyed/keyed-buckets.ts';
import { keyedSharing } from '../keyed/keyed-sharing.ts';
import type { TermNumbers } from './term-numbers.ts';

export interface TextTermsParts {
  readonly numbers: TermNumbers;
  /** Counts by number; null: the buckets have them. */
  readonly flat: BucketCounts | null;
  readonly buckets: KeyedBuckets;
}

export function textTermsSharing({ numbers, flat, buckets }: TextTermsParts, children: SideBySide): StateSharing {
  const keyed = keyedSharing(buckets, children);
  return {
    isOrderFree: children.isOrderFree,
    *ready(meter) {
      return (yield* numbers.unite(meter)) && (yield* children.ready(meter));
    },
    take: (meter) => (flat === null ? keyed.take(meter) : takeFlat(flat, meter)),
    add: (state, parents, meter) => (flat === null ? keyed.add(state, parents, meter) : addFlat(flat, state, meter)),
  };
}

function* takeFlat(counts: BucketCounts, meter: StepMeter): Steps<CollectorState> {
  if (meter.isDue(1)) yield;
  return { arrays: [counts.values], children: [] };
}

/** Numbers added in one loop: a loop that may stop behind each of them takes several times as long. */
const NUMBERS_A_STEP = 65_536;

function* addFlat(counts: BucketCounts, { arrays: [there] }: CollectorState, meter: StepMeter): Steps<void> {
  assert(there !== undefined, 'a state without counts');
  counts.reserve(there.length);
  const { values } = counts;
  for (let from = 0; from < there.length; from += NUMBERS_A_STEP) {
    const to = Math.min(there.length, from + NUMBERS_A_STEP);
    for (let i = from; i < to; i++) values[i] = (values[i] as number) + (there[i] as number);
    if (meter.isDue((to - from) * 0.001)) yield;
  }
}
