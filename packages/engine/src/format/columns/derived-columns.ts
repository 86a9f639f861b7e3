/**
 * Columns of numbers made of those of another: instants in another resolution, fractions cut off.
 */
import { illegalArgument } from '@shoal/core';
import type { NumericColumn } from '../reader/segment-reader.ts';
import { WideValues } from '../reader/wide-values.ts';

const MS_NANOS = 1_000_000n;
const MS_NANOS_NUMBER = 1_000_000;
/** Latest instant of 64 bits of nanoseconds, in ms. */
const NANOS_MS_MAX = 9_223_372_036_854;

/** Numbers made of those of another column, one by one and in their order. */
class DerivedColumn implements NumericColumn {
  readonly kind: 'long' | 'double';
  readonly isMultiValued: boolean;
  readonly isDense: boolean;
  readonly isWide: boolean;
  readonly wide = null;
  readonly codes = null;
  readonly min: number;
  readonly max: number;
  private readonly from: NumericColumn;
  private readonly read: (index: number) => number;
  private readonly readBig: ((index: number) => bigint) | null;

  constructor(
    from: NumericColumn,
    kind: 'long' | 'double',
    read: (index: number) => number,
    readBig: ((index: number) => bigint) | null = null,
  ) {
    this.from = from;
    this.kind = kind;
    this.read = read;
    this.readBig = readBig;
    this.isWide = readBig !== null;
    this.isMultiValued = from.isMultiValued;
    this.isDense = from.isDense;
    this.min = Number.NEGATIVE_INFINITY;
    this.max = Number.POSITIVE_INFINITY;
  }

  start(doc: number): number {
    return this.from.start(doc);
  }

  value(index: number): number {
    return this.read(index);
  }

  bigValue(index: number): bigint {
    return this.readBig === null ? BigInt(Math.trunc(this.read(index))) : this.readBig(index);
  }

  gather(docs: Uint32Array, count: number, into: Float64Array): void {
    for (let i = 0; i < count; i++) into[i] = this.read(docs[i] as number);
  }

  readRange(from: number, to: number, scratch: Float64Array): Float64Array {
    for (let at = from; at < to; at++) scratch[at - from] = this.read(at);
    return scratch.subarray(0, to - from);
  }

  blocks(): null {
    return null;
  }
}

/** Nanoseconds of a column of milliseconds, in 64 bits. */
class NanosColumn implements NumericColumn {
  readonly kind = 'long';
  readonly isMultiValued: boolean;
  readonly isDense: boolean;
  readonly isWide = true;
  readonly wide: WideValues;
  readonly codes = null;
  readonly min: number;
  readonly max: number;
  private readonly ms: NumericColumn;
  private readonly nanos: BigInt64Array;

  constructor(ms: NumericColumn, docCount: number) {
    if (ms.min < 0 || ms.max > NANOS_MS_MAX) {
      throw illegalArgument(
        ms.min < 0
          ? `milliseconds [${ms.min}] are before the epoch in 1970 and cannot be converted to nanoseconds`
          : `milliseconds [${ms.max}] are after 2262-04-11T23:47:16.854775807 and cannot be converted to nanoseconds`,
      );
    }
    this.ms = ms;
    this.isMultiValued = ms.isMultiValued;
    this.isDense = ms.isDense;
    this.min = ms.min * 1e6;
    this.max = ms.max * 1e6;
    this.nanos = new BigInt64Array(ms.start(docCount));
    for (let at = 0; at < this.nanos.length; at++) this.nanos[at] = BigInt(ms.value(at)) * MS_NANOS;
    this.wide = new WideValues(this.nanos);
  }

  start(doc: number): number {
    return this.ms.start(doc);
  }

  value(index: number): number {
    return Number(this.nanos[index]);
  }

  bigValue(index: number): bigint {
    return this.nanos[index] as bigint;
  }

  gather(docs: Uint32Array, count: number, into: Float64Array): void {
    for (let i = 0; i < count; i++) into[i] = this.value(docs[i] as number);
  }

  readRange(from: number, to: number, scratch: Float64Array): Float64Array {
    for (let at = from; at < to; at++) scratch[at - from] = this.value(at);
    return scratch.subarray(0, to - from);
  }

  blocks(): null {
    return null;
  }
}

/** Numbers made of the values of another column, by their index. */
export function derivedNumbers(from: NumericColumn, read: (index: number) => number): NumericColumn {
  return new DerivedColumn(from, 'double', read);
}

/** Whole numbers, some beyond 2^53, made of the values of another column, by their index. */
export function derivedWholes(from: NumericColumn, read: (index: number) => bigint): NumericColumn {
  return new DerivedColumn(from, 'long', (index) => Number(read(index)), read);
}

/** Whole milliseconds of instants in nanoseconds. */
export function inMillis(nanos: NumericColumn | null): NumericColumn | null {
  if (nanos === null) return null;
  return nanos.isWide
    ? new DerivedColumn(nanos, 'long', (index) => Number(nanos.bigValue(index) / MS_NANOS))
    : new DerivedColumn(nanos, 'long', (index) => Math.floor(nanos.value(index) / MS_NANOS_NUMBER));
}

/** Milliseconds with a fraction of instants in nanoseconds: for distances. */
export function inFractionalMillis(nanos: NumericColumn | null): NumericColumn | null {
  return nanos && new DerivedColumn(nanos, 'double', (index) => inDouble(nanos, index) / MS_NANOS_NUMBER);
}

/**
 * Nanoseconds of instants in milliseconds, in a segment of `docCount` documents.
 *
 * @throws ShoalError for instants that 64 bits of nanoseconds do not hold
 */
export function inNanos(ms: NumericColumn | null, docCount: number): NumericColumn | null {
  return ms && new NanosColumn(ms, docCount);
}

/** Numbers without their fraction. */
export function inWholes(numbers: NumericColumn | null): NumericColumn | null {
  return numbers && new DerivedColumn(numbers, 'long', (index) => Math.trunc(numbers.value(index)) + 0);
}

/** Numbers beyond 2^53 as the doubles next to them. */
export function inDoubles(numbers: NumericColumn | null): NumericColumn | null {
  return numbers?.isWide ? new DerivedColumn(numbers, 'double', (index) => inDouble(numbers, index)) : numbers;
}

function inDouble(numbers: NumericColumn, index: number): number {
  return numbers.isWide ? Number(numbers.bigValue(index)) : numbers.value(index);
}
