/**
 * Sharing of distinct counts: the union of two sketches is the sketch of all their values, in whatever order they came.
 */
import type { HyperLogLog } from '@shoal/aggregations';
import { assert, type StepMeter, type Steps } from '@shoal/core';
import { GrowableU32 } from '../../../bytes/growable-arrays.ts';
import type { BucketSketches } from '../collector/bucket-sketches.ts';
import type { CollectorState, StateSharing } from '../collector/state-sharing.ts';

/** Stands for the count of hashes of a sketch that has registers. */
const HAS_REGISTERS = 0xffff_ffff;

export function sketchSharing(sketches: BucketSketches<HyperLogLog>, precision: number): StateSharing {
  return {
    isOrderFree: true,
    take: (meter) => takeSketches(sketches, precision, meter),
    add: (state, buckets, meter) => addSketches(sketches, precision, state, { buckets, meter }),
  };
}

/** The count of halves of hashes of each bucket, then all of those, and all registers, one behind the other. */
function* takeSketches(
  sketches: BucketSketches<HyperLogLog>,
  precision: number,
  meter: StepMeter,
): Steps<CollectorState> {
  const counts = new Uint32Array(sketches.length);
  const halves = new GrowableU32();
  const withRegisters: Uint8Array[] = [];
  for (let bucket = 0; bucket < counts.length; bucket++) {
    const { hashes, registers } = sketches.at(bucket).state();
    counts[bucket] = hashes === null ? HAS_REGISTERS : hashes.length;
    if (hashes === null) withRegisters.push(registers);
    else halves.append(hashes, 0, hashes.length);
    if (meter.isDue(1)) yield;
  }
  const registers = new Uint8Array(withRegisters.length * 2 ** precision);
  for (const [i, own] of withRegisters.entries()) registers.set(own, i * 2 ** precision);
  return { arrays: [counts, halves.view().slice(), registers], children: [] };
}

function* addSketches(
  sketches: BucketSketches<HyperLogLog>,
  precision: number,
  { arrays: [counts, halves, registers] }: CollectorState,
  { buckets, meter }: { readonly buckets: ArrayLike<number>; readonly meter: StepMeter },
): Steps<void> {
  assert(counts !== undefined && halves !== undefined && registers instanceof Uint8Array, 'a state without sketches');
  assert(counts.length <= buckets.length, `${counts.length} sketches of ${buckets.length} buckets`);
  const width = 2 ** precision;
  let halfAt = 0;
  let registerAt = 0;
  for (let bucket = 0; bucket < counts.length; bucket++) {
    const count = counts[bucket] as number;
    if (count === 0) continue;
    const sketch = sketches.of(buckets[bucket] as number);
    if (count === HAS_REGISTERS) {
      sketch.mergeRegisters(registers.subarray(registerAt, registerAt + width));
      registerAt += width;
    } else {
      for (const end = halfAt + count; halfAt < end; halfAt += 2) {
        sketch.add(halves[halfAt] as number, halves[halfAt + 1] as number);
      }
    }
    if (meter.isDue(1)) yield;
  }
}
