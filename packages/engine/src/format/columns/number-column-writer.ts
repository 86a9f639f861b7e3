/**
 * Writes a column of numbers in the narrowest form that gives every value back exactly.
 */

import { assert, type WideIntegers } from '@shoal/core';
import type { PartSink } from '../container/part-sink.ts';
import { ENCODINGS } from './number-encodings.ts';
import { planPackedNumbers } from './packed-number-plan.ts';
import { writePackedNumbers } from './packed-numbers.ts';
import { isMultiValued, startsFromCounts, writeStarts } from './value-starts.ts';

/** Values of a column, document after document. */
export interface NumberColumnValues {
  readonly kind: 'long' | 'double';
  /** Values of each document. */
  readonly counts: Uint32Array;
  /** Values of a document in any order; integers of 64 bits only when some are beyond 2^53. */
  readonly values: Float64Array | WideIntegers;
}

/** Writes a column; sorts the values of each document where they stand. Yields every millisecond or so. */
export function* writeNumberColumn(column: NumberColumnValues, into: PartSink): Generator<void, void> {
  const { kind, values } = column;
  const starts = startsFromCounts(column.counts);
  assert(
    starts === null || starts[starts.length - 1] === values.length,
    `${values.length} values, starts end at ${starts?.[starts.length - 1]}`,
  );
  assert(
    starts !== null || column.counts.length === values.length,
    `${values.length} values of ${column.counts.length} documents`,
  );
  if (isMultiValued(starts)) sortRuns(values, starts);
  yield;
  yield* writeColumn(kind, starts, values, into);
}

function sortRuns(values: Float64Array | WideIntegers, starts: Uint32Array | null): void {
  if (starts === null) return;
  for (let doc = 1; doc < starts.length; doc++) {
    const from = starts[doc - 1] as number;
    const to = starts[doc] as number;
    if (to - from > 1) values.subarray(from, to).sort();
  }
}

function* writeColumn(
  kind: 'long' | 'double',
  starts: Uint32Array | null,
  values: Float64Array | WideIntegers,
  into: PartSink,
): Generator<void, void> {
  assert(values.length > 0, 'a column without values');
  const { min, max } = values instanceof Float64Array ? span(values) : wideSpan(values);
  assert(min <= max, `values from ${min} to ${max}`);
  into.header.u8(kind === 'long' ? 0 : 1);
  into.header.f64(min);
  into.header.f64(max);
  into.header.u32(values.length);
  if (values instanceof Float64Array) yield* writeNumbers(kind, values, into);
  else {
    into.header.u8(ENCODINGS.indexOf(values instanceof BigInt64Array ? 'i64' : 'u64'));
    into.section(values);
  }
  writeStarts(starts, into);
}

interface Span {
  readonly min: number;
  readonly max: number;
}

function span(values: Float64Array): Span {
  let min = values[0] as number;
  let max = min;
  for (let i = 1; i < values.length; i++) {
    const value = values[i] as number;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return { min, max };
}

function wideSpan(values: WideIntegers): Span {
  let min = values[0] as bigint;
  let max = min;
  for (let i = 1; i < values.length; i++) {
    const value = values[i] as bigint;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return { min: Number(min), max: Number(max) };
}

function areFloats(values: Float64Array): boolean {
  for (let i = 0; i < values.length; i++) if (Math.fround(values[i] as number) !== values[i]) return false;
  return true;
}

function* writeNumbers(kind: 'long' | 'double', values: Float64Array, into: PartSink): Generator<void, void> {
  const floats = kind === 'double' && areFloats(values) ? values : null;
  const packed = yield* planPackedNumbers(values);
  if (packed !== null && packed.width < (floats === null ? 8 : 4)) {
    into.header.u8(ENCODINGS.indexOf('packed'));
    yield* writePackedNumbers(packed, values, into);
    return;
  }
  into.header.u8(ENCODINGS.indexOf(floats === null ? 'f64' : 'f32'));
  into.section(floats === null ? values : Float32Array.from(values));
}
