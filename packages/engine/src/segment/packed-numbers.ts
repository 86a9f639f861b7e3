/**
 * Numbers as whole ones of few bytes: value = (base + packed * unit + own index when linear) / divisor.
 *
 * Sequence numbers and counters that follow the documents take next to nothing so, dates and ids what they span, prices
 * the digits that they have. Any value is found at once; every plan is checked against every value before it is written.
 */
import { assert, type ByteSink, DamagedBytes } from '@shoal/core';
import { NumberCodes } from './number-codes.ts';
import { type ContainerReader, type ContainerWriter, writeSectionRef } from './segment-container.ts';

/** Values by their index in a column. */
export interface NumberValues {
  at(index: number): number;
  /** The values of the first `count` indices. */
  gather(indices: Uint32Array, count: number, into: Float64Array): void;
  /** The values from..to - 1: a view of them where it can be one, else of `scratch`, which is long enough. */
  stretch(from: number, to: number, scratch: Float64Array): Float64Array;
  /** What stands packed, where that is 32 bits at most; null or left out elsewhere. `max`: the largest value. */
  codes?(max: number): NumberCodes | null;
}

interface PackedPlan {
  readonly base: number;
  readonly unit: number;
  readonly divisor: number;
  readonly isLinear: boolean;
  /** Bytes a value: 0 to 6. */
  readonly width: number;
}

/** Decimal places that fractions may have. */
const DIVISORS = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000];
const WIDTH_MAX = 6;
const BYTE = 256;

/** null when the values are no whole numbers, nor fractions of few decimal places, or span too much. */
export function planPackedNumbers(values: Float64Array): PackedPlan | null {
  for (const divisor of DIVISORS) if (isExact(values, divisor)) return planWhole(values, divisor);
  return null;
}

function isExact(values: Float64Array, divisor: number): boolean {
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    const whole = Math.round(value * divisor);
    // Minus zero would lose its sign.
    if (whole / divisor !== value || !Number.isSafeInteger(whole) || Object.is(whole, -0)) return false;
  }
  return true;
}

function planWhole(values: Float64Array, divisor: number): PackedPlan | null {
  const plain = spanOf(values, divisor, 0);
  const linear = spanOf(values, divisor, 1);
  const isLinear = linear.max - linear.min < plain.max - plain.min;
  const { min: base, max } = isLinear ? linear : plain;
  // What is added up when a value is read stays exact too.
  if (!Number.isSafeInteger(base) || !Number.isSafeInteger(max - base)) return null;
  const unit = commonUnit(values, divisor, base, isLinear);
  let width = 0;
  while (width <= WIDTH_MAX && BYTE ** width <= (max - base) / unit) width++;
  return width > WIDTH_MAX ? null : { base, unit, divisor, isLinear, width };
}

function spanOf(values: Float64Array, divisor: number, slope: number): { readonly min: number; readonly max: number } {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) {
    const whole = Math.round((values[i] as number) * divisor) - slope * i;
    if (whole < min) min = whole;
    if (whole > max) max = whole;
  }
  return { min, max };
}

/** What all distances from the base are multiples of, such as a day of milliseconds. */
function commonUnit(values: Float64Array, divisor: number, base: number, isLinear: boolean): number {
  let unit = 0;
  for (let i = 0; i < values.length && unit !== 1; i++) {
    let rest = Math.round((values[i] as number) * divisor) - (isLinear ? i : 0) - base;
    while (rest !== 0) [unit, rest] = [rest, unit % rest];
  }
  return Math.max(unit, 1);
}

type Low = Uint8Array | Uint16Array | Uint32Array;
type High = Uint8Array | Uint16Array;

/** Values of 3, 5 and 6 bytes are kept in two arrays: of their low and their high bytes. */
function lowWidth(width: number): number {
  return width < 2 ? width : width < 4 ? 2 : 4;
}

function unsignedArray(width: number, buffer: ArrayBufferLike, at: number, count: number): Low {
  if (width === 1) return new Uint8Array(buffer, at, count);
  return width === 2 ? new Uint16Array(buffer, at, count) : new Uint32Array(buffer, at, count);
}

export function writePackedNumbers(
  plan: PackedPlan,
  values: Float64Array,
  into: ContainerWriter,
  directory: ByteSink,
): void {
  const { base, unit, divisor, isLinear, width } = plan;
  directory.u8(width);
  directory.u8(isLinear ? 1 : 0);
  directory.f64(base);
  directory.f64(unit);
  directory.f64(divisor);
  if (width === 0) return;
  const low = lowWidth(width);
  const lows = unsignedArray(low, new ArrayBuffer(low * values.length), 0, values.length);
  const highWidth = width - low;
  const highs =
    highWidth === 0 ? null : unsignedArray(highWidth, new ArrayBuffer(highWidth * values.length), 0, values.length);
  const factor = BYTE ** low;
  for (let i = 0; i < values.length; i++) {
    const whole = Math.round((values[i] as number) * divisor);
    const packed = (whole - (isLinear ? i : 0) - base) / unit;
    lows[i] = packed % factor;
    if (highs !== null) highs[i] = Math.floor(packed / factor);
  }
  writeSectionRef(directory, into.section(lows));
  if (highs !== null) writeSectionRef(directory, into.section(highs));
  const written = new PackedNumbers(plan, lows, highs);
  for (let i = 0; i < values.length; i++) assert(written.at(i) === values[i], 'a packed number does not come back');
}

export function readPackedNumbers(from: ContainerReader, count: number): NumberValues {
  const width = from.directory.u8();
  if (width > WIDTH_MAX) throw new DamagedBytes(`numbers of ${width} bytes`);
  const isLinear = from.directory.u8() === 1;
  const base = from.directory.f64();
  const unit = from.directory.f64();
  const plan = { base, unit, divisor: from.directory.f64(), isLinear, width };
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
    if (highs === null) return new NumberCodes(this, max, lows, null);
    // Three bytes: sixteen bits and eight.
    return lows instanceof Uint16Array && highs instanceof Uint8Array ? new NumberCodes(this, max, lows, highs) : null;
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
  stretch(from: number, to: number, scratch: Float64Array): Float64Array {
    const { base, unit, divisor, slope, lows, highs, highFactor } = this;
    if (this.isConstant) {
      for (let i = from; i < to; i++) scratch[i - from] = base + slope * i;
    } else if (highs === null) {
      for (let i = from; i < to; i++) scratch[i - from] = base + (lows[i] as number) * unit + slope * i;
    } else {
      for (let i = from; i < to; i++) {
        const packed = (lows[i] as number) + (highs[i] as number) * highFactor;
        scratch[i - from] = base + packed * unit + slope * i;
      }
    }
    const count = to - from;
    if (divisor !== 1) for (let i = 0; i < count; i++) scratch[i] = (scratch[i] as number) / divisor;
    return scratch.subarray(0, count);
  }
}
