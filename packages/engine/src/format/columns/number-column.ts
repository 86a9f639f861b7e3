/**
 * Columns of numbers, read in place: values of a document stand in ascending order.
 *
 * Longs beyond 2^53 are 64-bit integers, and only then.
 */

import { DamagedBytes, type WideIntegers } from '@shoal/core';
import type { LoadedPart, PartSource } from '../container/part-source.ts';
import { NumberBlocks } from '../reader/number-blocks.ts';
import type { NumberCodes } from '../reader/number-codes.ts';
import type { NumericColumn } from '../reader/segment-reader.ts';
import { WideValues } from '../reader/wide-values.ts';
import type { ColumnLayout } from './column-part.ts';
import { ENCODINGS, type Encoding } from './number-encodings.ts';
import { type NumberValues, packedNumbersLayout, readPackedNumbers } from './packed-numbers.ts';
import { isMultiValued, readStarts, sectionOfStarts } from './value-starts.ts';

/** Bytes a value of the encodings that are not packed. */
const WHOLE_BYTES = { f32: 4, f64: 8, i64: 8, u64: 8 } as const;

/** Layout of the column that `from` stands before. */
export function numberColumnLayout(from: PartSource): ColumnLayout {
  const { header } = from;
  header.u8();
  header.f64();
  header.f64();
  const count = header.u32();
  const encoding = ENCODINGS[header.u8()];
  if (encoding === undefined) throw new DamagedBytes('unknown encoding of numbers');
  if (encoding !== 'packed')
    return { values: [from.section()], starts: sectionOfStarts(from), valueBytes: WHOLE_BYTES[encoding], count };
  const { width, sections } = packedNumbersLayout(from);
  return { values: sections, starts: sectionOfStarts(from), valueBytes: width, count };
}

/** Reads a column that `writeNumberColumn` wrote. */
export function readNumberColumn(from: LoadedPart): NumericColumn {
  const { header } = from;
  const kind = header.u8() === 0 ? 'long' : 'double';
  const min = header.f64();
  const max = header.f64();
  const count = header.u32();
  const encoding = ENCODINGS[header.u8()];
  const values = encoding === 'packed' ? readPackedNumbers(from, count) : readWhole(encoding, from, count);
  const shape = { kind, min, max, starts: readStarts(from) } as const;
  if (values instanceof BigInt64Array || values instanceof BigUint64Array) return new WideNumbers(shape, values);
  return new FlatNumbers(shape, values);
}

function readWhole(encoding: Encoding | undefined, from: LoadedPart, count: number): WholeNumbers | WideIntegers {
  const { buffer, byteOffset } = from.section();
  switch (encoding) {
    case 'f32':
      return new WholeNumbers(new Float32Array(buffer, byteOffset, count));
    case 'f64':
      return new WholeNumbers(new Float64Array(buffer, byteOffset, count));
    case 'i64':
      return new BigInt64Array(buffer, byteOffset, count);
    case 'u64':
      return new BigUint64Array(buffer, byteOffset, count);
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

  readRange(from: number, to: number, scratch: Float64Array): Float64Array {
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
  readonly wide = null;
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

  readRange(from: number, to: number, scratch: Float64Array): Float64Array {
    return this.values.readRange(from, to, scratch);
  }

  blocks(docCount: number): NumberBlocks {
    return (this.keptBlocks ??= new NumberBlocks(this, docCount));
  }
}

class WideNumbers extends ColumnBase implements NumericColumn {
  readonly isWide = true;
  readonly wide: WideValues;
  readonly codes = null;
  private readonly values: WideIntegers;

  constructor(shape: ColumnShape, values: WideIntegers) {
    super(shape);
    this.values = values;
    this.wide = new WideValues(values);
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
  readRange(from: number, to: number, scratch: Float64Array): Float64Array {
    for (let doc = from; doc < to; doc++) scratch[doc - from] = Number(this.values[doc]);
    return scratch.subarray(0, to - from);
  }
}
