/**
 * Sharing of buckets that keys make: their keys are numbers that mean the same to every thread.
 */
import { assert, type StepMeter, type Steps } from '@shoal/core';
import type { CollectorState, SideBySide, StateSharing } from '../collector/state-sharing.ts';
import type { KeyedBuckets } from './keyed-buckets.ts';

/** Buckets added in one loop: a loop that may stop behind each of them takes several times as long. */
const BUCKETS_A_STEP = 4_096;

export function keyedSharing(buckets: KeyedBuckets, children: SideBySide): StateSharing {
  return {
    isOrderFree: children.isOrderFree,
    ready: (meter) => children.ready(meter),
    take: (meter) => takeKeyed(buckets, children, meter),
    add: (state, parents, meter) => addKeyed(buckets, children, state, { parents, meter }),
  };
}

function* takeKeyed(buckets: KeyedBuckets, children: SideBySide, meter: StepMeter): Steps<CollectorState> {
  yield* buckets.settle(meter);
  const { ids, counts } = buckets;
  const { count } = ids;
  counts.reserve(count);
  const arrays = [ids.parents.values.slice(0, count), ids.keys.values.slice(0, count), counts.values.slice(0, count)];
  return { arrays, children: yield* children.take(meter) };
}

function* addKeyed(
  buckets: KeyedBuckets,
  children: SideBySide,
  state: CollectorState,
  { parents, meter }: { readonly parents: ArrayLike<number>; readonly meter: StepMeter },
): Steps<void> {
  const [parentsThere, keys, countsThere] = state.arrays;
  assert(
    parentsThere !== undefined && keys !== undefined && countsThere !== undefined,
    `a state of buckets has ${state.arrays.length} arrays`,
  );
  assert(
    parentsThere.length === keys.length && keys.length === countsThere.length,
    `${parentsThere.length} parents, ${keys.length} keys and ${countsThere.length} counts of buckets`,
  );
  yield* buckets.settle(meter);
  const count = keys.length;
  const here = new Uint32Array(count);
  for (let from = 0; from < count; from += BUCKETS_A_STEP) {
    const to = Math.min(count, from + BUCKETS_A_STEP);
    addRange(buckets, { parentsThere, keys, countsThere }, { from, to, parents, here });
    if (meter.isDue((to - from) * 0.1)) yield;
  }
  yield* children.add(state.children, here, meter);
}

interface FlatBuckets {
  readonly parentsThere: CollectorState['arrays'][number];
  readonly keys: CollectorState['arrays'][number];
  readonly countsThere: CollectorState['arrays'][number];
}

/** @param range buckets of `from`..`to` - 1 there; `here` takes the number that each has here */
function addRange(
  { ids, counts }: KeyedBuckets,
  { parentsThere, keys, countsThere }: FlatBuckets,
  range: {
    readonly from: number;
    readonly to: number;
    readonly parents: ArrayLike<number>;
    readonly here: Uint32Array;
  },
): void {
  const { from, to, parents, here } = range;
  for (let id = from; id < to; id++) {
    const bucket = ids.idOf(parents[parentsThere[id] as number] as number, keys[id] as number);
    counts.add(bucket, countsThere[id] as number);
    here[id] = bucket;
  }
}
