/**
 * Columns of numbers: collected while documents come in, written in the narrowest exact form, read in place.
 *
 * Longs beyond 2^53 are kept as 64-bit integers, and only then. Values of a document stand in ascending order.
 */
import { assert, type ByteSink } from '@shoal/core';
import { GrowableF64, GrowableU32 } from '../bytes/growable-arrays.ts';
import { type ContainerReader, type ContainerWriter, writeSectionRef } from './segment-container.ts';
import type { NumericColumn } from './segment-reader.ts';
import { isMultiValued, readStarts, startsFromCounts, writeStarts } from './value-starts.ts';

type Values = Float64Array | Float32Array | Int32Array | Uint8Array | BigInt64Array;

/** How values are kept; `constant` keeps one for all. */
const ENCODINGS = ['constant', 'u8', 'i32', 'f32', 'f64', 'i64'] as const;
type Encoding = (typeof ENCODINGS)[number];

const SAFE_MAX = BigInt(Number.MAX_SAFE_INTEGER);

/** Values as documents bring them: docs ascend, a document's values in any order. */
export class NumberColumnBuffer {
  readonly kind: 'long' | 'double';
  private readonly docs = new GrowableU32();
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
    return this.docs.sizeBytes + this.values.sizeBytes + this.wide.size * 64;
  }

  add(doc: number, value: number | bigint): void {
    if (typeof value === 'bigint') {
      if (value > SAFE_MAX || value < -SAFE_MAX) this.wide.set(this.values.length, value);
      this.values.push(Number(value));
    } else {
      this.values.push(value);
    }
    this.docs.push(doc);
  }

  /** Writes the column of `docCount` documents. */
  write(docCount: number, into: ContainerWriter, directory: ByteSink): void {
    const counts = new Uint32Array(docCount);
    for (let i = 0; i < this.docs.length; i++) counts[this.docs.at(i)] = (counts[this.docs.at(i)] as number) + 1;
    const starts = startsFromCounts(counts);
    const isMany = isMultiValued(starts);
    if (this.wide.size > 0) {
      const exact = BigInt64Array.from(this.values.view(), (value, i) => this.wide.get(i) ?? BigInt(value));
      if (isMany) sortRuns(exact, starts);
      writeColumn(this.kind, starts, exact, into, directory);
    } else {
      const values = this.values.view();
      if (isMany) sortRuns(values, starts);
      writeColumn(this.kind, starts, narrow(this.kind, values), into, directory);
    }
  }
}

function sortRuns(values: Float64Array | BigInt64Array, starts: Uint32Array | null): void {
  if (starts === null) return;
  for (let doc = 1; doc < starts.length; doc++) {
    const from = starts[doc - 1] as number;
    const to = starts[doc] as number;
    if (to - from > 1) values.subarray(from, to).sort();
  }
}

/** The narrowest array that holds the values exactly. */
function narrow(kind: 'long' | 'double', values: Float64Array): Values {
  if (kind === 'double')
    return values.every((value) => Math.fround(value) === value) ? Float32Array.from(values) : values;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  if (min >= 0 && max <= 0xff) return Uint8Array.from(values);
  if (min >= -0x8000_0000 && max <= 0x7fff_ffff) return Int32Array.from(values);
  return values;
}

function encodingOf(values: Values): Encoding {
  if (values instanceof Uint8Array) return 'u8';
  if (values instanceof Int32Array) return 'i32';
  if (values instanceof Float32Array) return 'f32';
  return values instanceof Float64Array ? 'f64' : 'i64';
}

function writeColumn(
  kind: 'long' | 'double',
  starts: Uint32Array | null,
  values: Values,
  into: ContainerWriter,
  directory: ByteSink,
): void {
  assert(values.length > 0, 'a column without values');
  let min: number | bigint = values[0] as number | bigint;
  let max = min;
  for (const value of values) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  const isConstant = min === max && !(values instanceof BigInt64Array) && !Object.is(Number(min), -0);
  directory.u8(ENCODINGS.indexOf(isConstant ? 'constant' : encodingOf(values)));
  directory.u8(kind === 'long' ? 0 : 1);
  directory.f64(Number(min));
  directory.f64(Number(max));
  directory.u32(values.length);
  if (!isConstant) writeSectionRef(directory, into.section(values));
  writeStarts(starts, into, directory);
}

/** Reads a column that `NumberColumnBuffer` wrote. */
export function readNumberColumn(from: ContainerReader): NumericColumn {
  const encoding = ENCODINGS[from.directory.u8()];
  const kind = from.directory.u8() === 0 ? 'long' : 'double';
  const min = from.directory.f64();
  const max = from.directory.f64();
  const count = from.directory.u32();
  const bytes = encoding === 'constant' ? new Uint8Array(0) : from.section();
  const { buffer, byteOffset } = bytes;
  const starts = readStarts(from);
  const shape = { kind, min, max, starts } as const;
  switch (encoding) {
    case 'u8':
      return new FlatNumbers(shape, bytes);
    case 'i32':
      return new FlatNumbers(shape, new Int32Array(buffer, byteOffset, count));
    case 'f32':
      return new FlatNumbers(shape, new Float32Array(buffer, byteOffset, count));
    case 'i64':
      return new WideNumbers(shape, new BigInt64Array(buffer, byteOffset, count));
    case 'constant':
      return new ConstantNumbers(shape, min);
    default:
      return new FlatNumbers(shape, new Float64Array(buffer, byteOffset, count));
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
  private readonly values: Float64Array | Float32Array | Int32Array | Uint8Array;

  constructor(shape: ColumnShape, values: Float64Array | Float32Array | Int32Array | Uint8Array) {
    super(shape);
    this.values = values;
  }

  value(index: number): number {
    return this.values[index] as number;
  }

  bigValue(index: number): bigint {
    return BigInt(this.values[index] as number);
  }

  gather(docs: Uint32Array, count: number, into: Float64Array): void {
    const { values } = this;
    for (let i = 0; i < count; i++) into[i] = values[docs[i] as number] as number;
  }

  stretch(from: number, to: number, scratch: Float64Array): Float64Array {
    const { values } = this;
    if (values instanceof Float64Array) return values.subarray(from, to);
    scratch.set(values.subarray(from, to));
    return scratch.subarray(0, to - from);
  }
}

class WideNumbers extends ColumnBase implements NumericColumn {
  readonly isWide = true;
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

  gather(docs: Uint32Array, count: number, into: Float64Array): void {
    const { values } = this;
    for (let i = 0; i < count; i++) into[i] = Number(values[docs[i] as number]);
  }

  stretch(from: number, to: number, scratch: Float64Array): Float64Array {
    for (let doc = from; doc < to; doc++) scratch[doc - from] = Number(this.values[doc]);
    return scratch.subarray(0, to - from);
  }
}

class ConstantNumbers extends ColumnBase implements NumericColumn {
  readonly isWide = false;
  private readonly constant: number;

  constructor(shape: ColumnShape, constant: number) {
    super(shape);
    this.constant = constant;
  }

  value(_index: number): number {
    return this.constant;
  }

  bigValue(_index: number): bigint {
    return BigInt(this.constant);
  }

  gather(_docs: Uint32Array, count: number, into: Float64Array): void {
    into.fill(this.constant, 0, count);
  }

  stretch(from: number, to: number, scratch: Float64Array): Float64Array {
    return scratch.fill(this.constant, 0, to - from).subarray(0, to - from);
  }
}
