/**
 * Sharing of buckets that keys make: their keys are numbers that mean the same to every thread.
 */
import { assert, type StepMeter, type Steps } from '@shoal/core';
import type { CollectorState, SideBySide, StateSharing } from '../collector/state-sharing.ts';
import type { KeyedBuckets } from './keyed-buckets.ts';

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
    parentsThere?.length === keys?.length && keys?.length === countsThere?.length,
    `${parentsThere?.length} parents, ${keys?.length} keys and ${countsThere?.length} counts of buckets`,
  );
  yield* buckets.settle(meter);
  const count = keys?.length ?? 0;
  const here = new Uint32Array(count);
  for (let id = 0; id < count; id++) {
    const bucket = buckets.ids.idOf(parents[parentsThere?.[id] as number] as number, keys?.[id] as number);
    buckets.counts.add(bucket, countsThere?.[id] as number);
    here[id] = bucket;
    if (meter.isDue(0.1)) yield;
  }
  yield* children.add(state.children, here, meter);
}
