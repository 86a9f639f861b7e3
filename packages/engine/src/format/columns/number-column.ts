/**
 * Columns of numbers: collected while documents come in, written in the narrowest exact form, read in place.
 *
 * Longs beyond 2^53 are kept as 64-bit integers, and only then. Values of a document stand in ascending order.
 */
import { assert, type ByteSink, DamagedBytes } from '@shoal/core';
import { GrowableF64, GrowableU32 } from '../../bytes/growable-arrays.ts';
import type { ContainerReader, SectionSource } from '../container/container-reader.ts';
import type { ContainerWriter } from '../container/container-writer.ts';
import { type SectionRef, writeSectionRef } from '../container/section-ref.ts';
import { NumberBlocks } from '../reader/number-blocks.ts';
import type { NumberCodes } from '../reader/number-codes.ts';
import type { NumericColumn } from '../reader/segment-reader.ts';
import {
  type NumberValues,
  planPackedNumbers,
  readPackedNumbers,
  skimPackedNumbers,
  writePackedNumbers,
} from './packed-numbers.ts';
import { isMultiValued, readStarts, skimStarts, startsFromCounts, writeStarts } from './value-starts.ts';

/** How values are kept: as whole numbers of few bytes where that is exact. */
const ENCODINGS = ['packed', 'f32', 'f64', 'i64'] as const;
type Encoding = (typeof ENCODINGS)[number];

const SAFE_MAX = BigInt(Number.MAX_SAFE_INTEGER);

/** Values as documents bring them: docs ascend, a document's values in any order. */
export class NumberColumnBuffer {
  readonly kind: 'long' | 'double';
  /** Of each value; null as long as document i brought value i and nothing else. */
  private docs: GrowableU32 | null = null;
  private readonly values = new GrowableF64();
  /** Exact values by position, for those beyond 2^53. */
  private readonly wide = new Map<number, bigint>();

  constructor(kind: 'long' | 'double') {
    this.kind = kind;
  }

  get isEmpty(): boolean {
    return this.values.length === 0;
  }

  get sizeBytes(): number {
    return (this.docs?.sizeBytes ?? 0) + this.values.sizeBytes + this.wide.size * 64;
  }

  /** The value of a document, where each has one. */
  valueOf(doc: number): number {
    assert(this.docs === null, 'documents have other than one value each');
    return this.values.at(doc);
  }

  add(doc: number, value: number | bigint): void {
    if (this.docs === null && doc !== this.values.length) {
      this.docs = new GrowableU32();
      for (let before = 0; before < this.values.length; before++) this.docs.push(before);
    }
    if (typeof value === 'bigint') {
      if (value > SAFE_MAX || value < -SAFE_MAX) this.wide.set(this.values.length, value);
      this.values.push(Number(value));
    } else {
      this.values.push(value);
    }
    this.docs?.push(doc);
  }

  /** Writes the column of `docCount` documents. Yields every millisecond or so. */
  write(docCount: number, into: ContainerWriter, directory: ByteSink): Generator<void, void> {
    return writeNumberColumn(this.take(docCount), into, directory);
  }

  private counts(docCount: number): Uint32Array {
    const { docs } = this;
    const counts = new Uint32Array(docCount);
    if (docs === null) return counts.fill(1, 0, this.values.length);
    for (let i = 0; i < docs.length; i++) counts[docs.at(i)] = (counts[docs.at(i)] as number) + 1;
    return counts;
  }

  /** What was added for `docCount` documents; views. */
  take(docCount: number): NumberColumnValues {
    const { kind } = this;
    const counts = this.counts(docCount);
    const values =
      this.wide.size > 0
        ? BigInt64Array.from(this.values.view(), (value, i) => this.wide.get(i) ?? BigInt(value))
        : this.values.view();
    return { kind, counts, values };
  }
}

/** Values of a column, document after document. */
export interface NumberColumnValues {
  readonly kind: 'long' | 'double';
  /** Of each document. */
  readonly counts: Uint32Array;
  /** Those of a document in any order; BigInt64Array only when some are beyond 2^53. */
  readonly values: Float64Array | BigInt64Array;
}

/** Orders what it is given in place. Yields every millisecond or so. */
export function* writeNumberColumn(
  column: NumberColumnValues,
  into: ContainerWriter,
  directory: ByteSink,
): Generator<void, void> {
  const { kind, values } = column;
  const starts = startsFromCounts(column.counts);
  if (isMultiValued(starts)) sortRuns(values, starts);
  yield;
  yield* writeColumn(kind, starts, values, into, directory);
}

function sortRuns(values: Float64Array | BigInt64Array, starts: Uint32Array | null): void {
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
  values: Float64Array | BigInt64Array,
  into: ContainerWriter,
  directory: ByteSink,
): Generator<void, void> {
  assert(values.length > 0, 'a column without values');
  const { min, max } = values instanceof BigInt64Array ? wideSpan(values) : span(values);
  directory.u8(kind === 'long' ? 0 : 1);
  directory.f64(min);
  directory.f64(max);
  directory.u32(values.length);
  if (values instanceof BigInt64Array) {
    directory.u8(ENCODINGS.indexOf('i64'));
    writeSectionRef(directory, into.section(values));
  } else yield* writeNumbers(kind, values, into, directory);
  writeStarts(starts, into, directory);
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

function wideSpan(values: BigInt64Array): Span {
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

function* writeNumbers(
  kind: 'long' | 'double',
  values: Float64Array,
  into: ContainerWriter,
  directory: ByteSink,
): Generator<void, void> {
  const floats = kind === 'double' && areFloats(values) ? values : null;
  const packed = yield* planPackedNumbers(values);
  if (packed !== null && packed.width < (floats === null ? 8 : 4)) {
    directory.u8(ENCODINGS.indexOf('packed'));
    yield* writePackedNumbers(packed, values, into, directory);
    return;
  }
  directory.u8(ENCODINGS.indexOf(floats === null ? 'f64' : 'f32'));
  writeSectionRef(directory, into.section(floats === null ? values : Float32Array.from(values)));
}

/** The sections of a column, which the reader stands before. */
export function skimNumberColumn(from: ContainerReader): readonly SectionRef[] {
  const { directory } = from;
  directory.u8();
  directory.f64();
  directory.f64();
  directory.u32();
  const encoding = ENCODINGS[directory.u8()];
  if (encoding === undefined) throw new DamagedBytes('unknown encoding of numbers');
  const values = encoding === 'packed' ? skimPackedNumbers(from) : [from.section()];
  return [...values, ...skimStarts(from)];
}

/** Reads a column that `NumberColumnBuffer` wrote. */
export function readNumberColumn(from: SectionSource): NumericColumn {
  const kind = from.directory.u8() === 0 ? 'long' : 'double';
  const min = from.directory.f64();
  const max = from.directory.f64();
  const count = from.directory.u32();
  const encoding = ENCODINGS[from.directory.u8()];
  const values = encoding === 'packed' ? readPackedNumbers(from, count) : readWhole(encoding, from, count);
  const shape = { kind, min, max, starts: readStarts(from) } as const;
  if (values instanceof BigInt64Array) return new WideNumbers(shape, values);
  return new FlatNumbers(shape, values);
}

function readWhole(encoding: Encoding | undefined, from: SectionSource, count: number): WholeNumbers | BigInt64Array {
  const { buffer, byteOffset } = from.section();
  switch (encoding) {
    case 'f32':
      return new WholeNumbers(new Float32Array(buffer, byteOffset, count));
    case 'f64':
      return new WholeNumbers(new Float64Array(buffer, byteOffset, count));
    case 'i64':
      return new BigInt64Array(buffer, byteOffset, count);
    default:
      throw new DamagedBytes('unknown encoding of numbers');
  }
}

/** Values as floating point, one after the other. */
class WholeNumbers implements NumberValues {
  private readonly values: Float64Array | Float32Array;

  constructor(values: Float64Array | Float32Array) {
    this.values = values;
  }

  at(index: number): number {
    return this.values[index] as number;
  }

  gather(indices: Uint32Array, count: number, into: Float64Array): void {
    const { values } = this;
    for (let i = 0; i < count; i++) into[i] = values[indices[i] as number] as number;
  }

  stretch(from: number, to: number, scratch: Float64Array): Float64Array {
    const { values } = this;
    if (values instanceof Float64Array) return values.subarray(from, to);
    scratch.set(values.subarray(from, to));
    return scratch.subarray(0, to - from);
  }
}

interface ColumnShape {
  readonly kind: 'long' | 'double';
  readonly min: number;
  readonly max: number;
  readonly starts: Uint32Array | null;
}

abstract class ColumnBase {
  readonly kind: 'long' | 'double';
  readonly isMultiValued: boolean;
  readonly isDense: boolean;
  readonly min: number;
  readonly max: number;
  private readonly starts: Uint32Array | null;

  constructor(shape: ColumnShape) {
    this.kind = shape.kind;
    this.min = shape.min;
    this.max = shape.max;
    this.starts = shape.starts;
    this.isMultiValued = isMultiValued(shape.starts);
    this.isDense = shape.starts === null;
  }

  start(doc: number): number {
    return this.starts === null ? doc : (this.starts[doc] as number);
  }
}

class FlatNumbers extends ColumnBase implements NumericColumn {
  readonly isWide = false;
  private readonly values: NumberValues;
  private keptBlocks: NumberBlocks | null = null;
  readonly codes: NumberCodes | null;

  constructor(shape: ColumnShape, values: NumberValues) {
    super(shape);
    this.values = values;
    this.codes = values.codes?.(shape.max) ?? null;
  }

  value(index: number): number {
    return this.values.at(index);
  }

  bigValue(index: number): bigint {
    return BigInt(this.values.at(index));
  }

  gather(docs: Uint32Array, count: number, into: Float64Array): void {
    this.values.gather(docs, count, into);
  }

  stretch(from: number, to: number, scratch: Float64Array): Float64Array {
    return this.values.stretch(from, to, scratch);
  }

  blocks(docCount: number): NumberBlocks {
    return (this.keptBlocks ??= new NumberBlocks(this, docCount));
  }
}

class WideNumbers extends ColumnBase implements NumericColumn {
  readonly isWide = true;
  readonly codes = null;
  private readonly values: BigInt64Array;

  constructor(shape: ColumnShape, values: BigInt64Array) {
    super(shape);
    this.values = values;
  }

  value(index: number): number {
    return Number(this.values[index]);
  }

  bigValue(index: number): bigint {
    return this.values[index] as bigint;
  }

  blocks(): null {
    return null;
  }

  gather(docs: Uint32Array, count: number, into: Float64Array): void {
    const { values } = this;
    for (let i = 0; i < count; i++) into[i] = Number(values[docs[i] as number]);
  }
  stretch(from: number, to: number, scratch: Float64Array): Float64Array {
    for (let doc = from; doc < to; doc++) scratch[doc - from] = Number(this.values[doc]);
    return scratch.subarray(0, to - from);
  }
}
