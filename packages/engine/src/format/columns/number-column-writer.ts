/**
 * Writes a column of numbers in the narrowest form that gives every value back exactly.
 */

import { assert } from '@shoal/core';
import type { PartSink } from '../container/part-sink.ts';
import type { NumberChunks, WideChunks } from './number-chunks.ts';
import { ENCODINGS } from './number-encodings.ts';
import { planPackedNumbers } from './packed-number-plan.ts';
import { writePackedNumbers } from './packed-numbers.ts';
import { startsFromCounts, writeStarts } from './value-starts.ts';

/** Values of a column, document after document. */
export interface NumberColumnValues {
  readonly kind: 'long' | 'double';
  /** Values of each document; null: exactly one. */
  readonly counts: Uint32Array | null;
  /** Values of a document ascend; integers of 64 bits only when some are beyond 2^53. */
  readonly values: NumberChunks | WideChunks;
}

/** Writes a column. Yields every millisecond or so. */
export function* writeNumberColumn(column: NumberColumnValues, into: PartSink): Generator<void, void> {
  const { kind, counts, values } = column;
  const starts = startsFromCounts(counts);
  assert(values.length > 0, 'a column without values');
  assert(
    starts === null || starts[starts.length - 1] === values.length,
    `${values.length} values, starts end at ${starts?.[starts.length - 1]}`,
  );
  assert(
    starts !== null || counts === null || counts.length === values.length,
    `${values.length} values of ${counts?.length} documents`,
  );
  yield;
  const { min, max } = yield* values.isWide ? wideSpan(values) : span(values);
  assert(min <= max, `values from ${min} to ${max}`);
  into.header.u8(kind === 'long' ? 0 : 1);
  into.header.f64(min);
  into.header.f64(max);
  into.header.u32(values.length);
  if (values.isWide) {
    const [first] = values.chunks();
    into.header.u8(ENCODINGS.indexOf(first instanceof BigInt64Array ? 'i64' : 'u64'));
    yield* into.sectionInSteps(chunkBytes(values));
  } else yield* writeNumbers(kind, values, into);
  yield* writeStarts(starts, into);
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

interface Span {
  readonly min: number;
  readonly max: number;
}

function* span(values: NumberChunks): Generator<void, Span> {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const chunk of values.chunks()) {
    for (let i = 0; i < chunk.length; i++) {
      const value = chunk[i] as number;
      if (value < min) min = value;
      if (value > max) max = value;
    }
    yield;
  }
  return { min, max };
}

function* wideSpan(values: WideChunks): Generator<void, Span> {
  let min: bigint | null = null;
  let max: bigint | null = null;
  for (const chunk of values.chunks()) {
    for (let i = 0; i < chunk.length; i++) {
      const value = chunk[i] as bigint;
      if (min === null || value < min) min = value;
      if (max === null || value > max) max = value;
    }
    yield;
  }
  return { min: Number(min), max: Number(max) };
}

function* areFloats(values: NumberChunks): Generator<void, boolean> {
  for (const chunk of values.chunks()) {
    for (let i = 0; i < chunk.length; i++) if (Math.fround(chunk[i] as number) !== chunk[i]) return false;
    yield;
  }
  return true;
}

function* writeNumbers(kind: 'long' | 'double', values: NumberChunks, into: PartSink): Generator<void, void> {
  const hasFloats = kind === 'double' && (yield* areFloats(values));
  const packed = yield* planPackedNumbers(values);
  if (packed !== null && packed.width < (hasFloats ? 4 : 8)) {
    into.header.u8(ENCODINGS.indexOf('packed'));
    yield* writePackedNumbers(packed, values, into);
    return;
  }
  into.header.u8(ENCODINGS.indexOf(hasFloats ? 'f32' : 'f64'));
  yield* into.sectionInSteps(hasFloats ? floatBytes(values) : chunkBytes(values));
}

function* floatBytes(values: NumberChunks): Generator<Uint8Array, void> {
  for (const chunk of values.chunks()) yield bytesOf(Float32Array.from(chunk));
}

function* chunkBytes(values: NumberChunks | WideChunks): Generator<Uint8Array, void> {
  for (const chunk of values.chunks()) yield bytesOf(chunk);
}
