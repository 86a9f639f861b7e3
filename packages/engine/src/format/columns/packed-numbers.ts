/**
 * Numbers as whole ones of few bytes: value = (base + packed * unit + own index when linear) / divisor.
 *
 * Sequence numbers and counters that follow the documents take next to nothing so, dates and ids what they span, prices
 * the digits that they have. Any value is found at once; every plan is checked against every value before it is written.
 */

import { assert, DamagedBytes } from '@shoal/core';
import type { PartSink } from '../container/part-sink.ts';
import type { LoadedPart, PartSource } from '../container/part-source.ts';
import type { SectionRef } from '../container/section-ref.ts';
import { NumberCodes } from '../reader/number-codes.ts';
import type { NumberChunks } from './number-chunks.ts';
import { divide, type High, type Low, slant, unpack } from './packed-number-loops.ts';
import { BYTE, type PackedPlan, WIDTH_MAX } from './packed-number-plan.ts';

/** Values by their index in a column. */
export interface NumberValues {
  at(index: number): number;
  /** The values of the first `count` indices. */
  gather(indices: Uint32Array, count: number, into: Float64Array): void;
  /** The values from..to - 1: a view of them where it can be one, else of `scratch`, which is long enough. */
  readRange(from: number, to: number, scratch: Float64Array): Float64Array;
  /** Packed codes, where a value does not depend on its index; null or absent elsewhere. `max`: the largest value. */
  codes?(max: number): NumberCodes | null;
}

/** Base, unit and divisor. */
const PLAN_NUMBERS = 3;

/** Bytes a value in the low array; values of 3, 5 and 6 bytes are split into a low and a high array. */
function lowWidth(width: number): number {
  return width < 2 ? width : width < 4 ? 2 : 4;
}

function unsignedArray(width: number, buffer: ArrayBufferLike, at: number, count: number): Low {
  if (width === 1) return new Uint8Array(buffer, at, count);
  return width === 2 ? new Uint16Array(buffer, at, count) : new Uint32Array(buffer, at, count);
}

export function* writePackedNumbers(plan: PackedPlan, values: NumberChunks, into: PartSink): Generator<void, void> {
  const { base, unit, divisor, isLinear, width } = plan;
  const { header } = into;
  header.u8(width);
  header.u8(isLinear ? 1 : 0);
  header.f64(base);
  header.f64(unit);
  header.f64(divisor);
  if (width === 0) return;
  assert(unit > 0 && divisor > 0, `packed numbers in units of ${unit} / ${divisor}`);
  yield* into.sectionInSteps(packedBytes(plan, values, 'low'));
  if (width > lowWidth(width)) yield* into.sectionInSteps(packedBytes(plan, values, 'high'));
}

/** Bytes of one of the arrays of packed numbers, each of which is checked to come back. */
function* packedBytes(plan: PackedPlan, values: NumberChunks, part: 'low' | 'high'): Generator<Uint8Array, void> {
  const low = lowWidth(plan.width);
  const high = plan.width - low;
  let from = 0;
  let scratch = new Float64Array(0);
  for (const chunk of values.chunks()) {
    const { length } = chunk;
    const lows = unsignedArray(low, new ArrayBuffer(low * length), 0, length);
    const highs = high === 0 ? null : unsignedArray(high, new ArrayBuffer(high * length), 0, length);
    // What is packed of a chunk stands alone: its first value has the index 0.
    const shifted = { ...plan, base: plan.base + (plan.isLinear ? from : 0) };
    packChunk(shifted, chunk, lows, highs);
    if (scratch.length < length) scratch = new Float64Array(length);
    const back = new PackedNumbers(shifted, lows, highs).readRange(0, length, scratch);
    for (let i = 0; i < length; i++) if (back[i] !== chunk[i]) assert(false, 'a packed number does not come back');
    const { buffer } = part === 'low' || highs === null ? lows : highs;
    yield new Uint8Array(buffer);
    from += length;
  }
}

function packChunk(plan: PackedPlan, chunk: Float64Array, lows: Low, highs: Low | null): void {
  const { base, unit, divisor, isLinear, width } = plan;
  const slope = isLinear ? 1 : 0;
  const factor = BYTE ** lowWidth(width);
  for (let i = 0; i < chunk.length; i++) {
    const packed = (Math.round((chunk[i] as number) * divisor) - slope * i - base) / unit;
    if (highs === null) lows[i] = packed;
    else {
      const high = Math.floor(packed / factor);
      highs[i] = high;
      lows[i] = packed - high * factor;
    }
  }
}

/** Width and sections of what `readPackedNumbers` reads. */
export function packedNumbersLayout(from: PartSource): {
  readonly width: number;
  readonly sections: readonly SectionRef[];
} {
  const { header } = from;
  const width = header.u8();
  if (width > WIDTH_MAX) throw new DamagedBytes(`numbers of ${width} bytes`);
  header.u8();
  for (let i = 0; i < PLAN_NUMBERS; i++) header.f64();
  if (width === 0) return { width, sections: [] };
  return { width, sections: width === lowWidth(width) ? [from.section()] : [from.section(), from.section()] };
}

export function readPackedNumbers(from: LoadedPart, count: number): NumberValues {
  const { header } = from;
  const width = header.u8();
  if (width > WIDTH_MAX) throw new DamagedBytes(`numbers of ${width} bytes`);
  const isLinear = header.u8() === 1;
  const base = header.f64();
  const unit = header.f64();
  const plan = { base, unit, divisor: header.f64(), isLinear, width };
  if (width === 0) return new PackedNumbers(plan, new Uint8Array(0), null);
  const section = (bytes: number): Low => {
    const { buffer, byteOffset } = from.section();
    return unsignedArray(bytes, buffer, byteOffset, count);
  };
  const low = lowWidth(width);
  const lows = section(low);
  return new PackedNumbers(plan, lows, width === low ? null : section(width - low));
}

class PackedNumbers implements NumberValues {
  readonly base: number;
  readonly unit: number;
  readonly divisor: number;
  private readonly slope: number;
  private readonly isConstant: boolean;
  private readonly lows: Low;
  private readonly highs: High | null;
  private readonly highFactor: number;

  constructor(plan: PackedPlan, lows: Low, highs: Low | null) {
    this.base = plan.base;
    this.unit = plan.unit;
    this.divisor = plan.divisor;
    this.slope = plan.isLinear ? 1 : 0;
    this.isConstant = plan.width === 0;
    this.lows = lows;
    this.highs = highs instanceof Uint32Array ? null : highs;
    this.highFactor = BYTE ** lowWidth(plan.width);
  }

  at(index: number): number {
    const { highs } = this;
    let packed = this.isConstant ? 0 : (this.lows[index] as number);
    if (highs !== null) packed += (highs[index] as number) * this.highFactor;
    const whole = this.base + packed * this.unit + this.slope * index;
    return this.divisor === 1 ? whole : whole / this.divisor;
  }

  codes(max: number): NumberCodes | null {
    const { lows, highs } = this;
    if (this.slope !== 0 || this.isConstant) return null;
    return new NumberCodes(this, max, lows, highs);
  }

  gather(indices: Uint32Array, count: number, into: Float64Array): void {
    const { base, unit, divisor, slope, lows, highs, highFactor } = this;
    if (this.isConstant) {
      for (let i = 0; i < count; i++) into[i] = base + slope * (indices[i] as number);
    } else if (highs === null) {
      for (let i = 0; i < count; i++) {
        const index = indices[i] as number;
        into[i] = base + (lows[index] as number) * unit + slope * index;
      }
    } else {
      for (let i = 0; i < count; i++) {
        const index = indices[i] as number;
        const packed = (lows[index] as number) + (highs[index] as number) * highFactor;
        into[i] = base + packed * unit + slope * index;
      }
    }
    if (divisor !== 1) for (let i = 0; i < count; i++) into[i] = (into[i] as number) / divisor;
  }
  readRange(from: number, to: number, scratch: Float64Array): Float64Array {
    const { base, unit, divisor, slope, lows, highs } = this;
    const values = scratch.subarray(0, to - from);
    if (this.isConstant) values.fill(base);
    else unpack(lows, highs, from, values, base, unit);
    if (slope !== 0) slant(values, from);
    if (divisor !== 1) divide(values, divisor);
    return values;
  }
}
