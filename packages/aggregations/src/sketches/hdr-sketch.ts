/**
 * Quantiles with a fixed number of significant digits: counts in buckets whose width grows with the value.
 *
 * A bucket of a value in [2^e, 2^(e+1)) is 2^(e-b) wide, with 2^b parts a power of two; `b` follows from the digits. Exponent
 * and part together are the upper bits of the double itself, which number the bucket. What is shown is the largest value that
 * falls in the same bucket, in the resolution of the smallest value seen, as the HdrHistogram library does.
 */
import { ShoalError } from '@shoal/core';

export const HDR_DIGITS_MAX = 5;
/** Buckets of a chunk of counts, as a power of two. */
const CHUNK_BITS = 7;
const CHUNK_SIZE = 1 << CHUNK_BITS;
/** Below it doubles lose digits; such values count as zeros. */
const LEAST = 2 ** -1022;
const EXPONENT_BIAS = 1023;
/** Bits of a double's upper half below its exponent. */
const MANTISSA_BITS = 20;

export class HdrSketch {
  readonly digits: number;
  /** Parts of a power of two, as a power of two. */
  private readonly bits: number;
  /** Counts by bucket, made where there are values. */
  private readonly chunks = new Map<number, Float64Array>();
  private readonly double = new Float64Array(1);
  private readonly halves = new Uint32Array(this.double.buffer);
  private lastNumber = -1;
  private lastChunk: Float64Array = new Float64Array(0);
  private zeros = 0;
  count = 0;
  private least = Number.POSITIVE_INFINITY;

  constructor(digits: number) {
    this.digits = digits;
    this.bits = Math.max(0, Math.ceil(Math.log2(2 * 10 ** digits)) - 1);
  }

  get sizeBytes(): number {
    return this.chunks.size * (CHUNK_SIZE * 8 + 64);
  }

  /** @throws ShoalError for negative values, which have no place here */
  add(value: number, count = 1): void {
    if (value < 0) {
      throw new ShoalError(
        'array_index_out_of_bounds_exception',
        400,
        `Negative values are not supported by HDR aggregation, found [${value}]`,
      );
    }
    this.count += count;
    if (value < LEAST) {
      this.zeros += count;
      return;
    }
    if (value < this.least) this.least = value;
    this.double[0] = value;
    this.addToBucket((this.halves[1] as number) >>> (MANTISSA_BITS - this.bits), count);
  }

  private addToBucket(bucket: number, count: number): void {
    const number = bucket >>> CHUNK_BITS;
    if (number !== this.lastNumber) {
      let chunk = this.chunks.get(number);
      if (chunk === undefined) this.chunks.set(number, (chunk = new Float64Array(CHUNK_SIZE)));
      this.lastChunk = chunk;
      this.lastNumber = number;
    }
    const at = bucket & (CHUNK_SIZE - 1);
    this.lastChunk[at] = (this.lastChunk[at] as number) + count;
  }

  merge(other: HdrSketch): void {
    this.count += other.count;
    this.zeros += other.zeros;
    this.least = Math.min(this.least, other.least);
    for (const [bucket, count] of other.entries()) this.addToBucket(bucket, count);
  }

  /** NaN when there are no values. */
  quantile(q: number): number {
    if (this.count === 0) return Number.NaN;
    const wanted = Math.max(1, Math.floor(q * this.count + 0.5));
    let seen = this.zeros;
    if (seen >= wanted) return 0;
    let found = 0;
    for (const [bucket, count] of this.entries()) {
      found = this.highest(bucket);
      seen += count;
      if (seen >= wanted) break;
    }
    return found;
  }

  /** Share (0..1) of the values that are at most in the bucket of `value`; NaN when there are none. */
  rank(value: number): number {
    if (this.count === 0) return Number.NaN;
    let seen = value >= 0 ? this.zeros : 0;
    for (const [bucket, count] of this.entries()) if (this.lowest(bucket) <= value) seen += count;
    return seen / this.count;
  }

  /** Buckets ascending, with their counts. */
  entries(): readonly (readonly [number, number])[] {
    const entries: (readonly [number, number])[] = [];
    for (const [number, chunk] of this.chunks) {
      for (let i = 0; i < CHUNK_SIZE; i++) {
        const count = chunk[i] as number;
        if (count > 0) entries.push([(number << CHUNK_BITS) + i, count]);
      }
    }
    return entries.sort((a, b) => a[0] - b[0]);
  }

  get zeroCount(): number {
    return this.zeros;
  }

  /** A value of the bucket, for rebuilding a sketch from its entries. */
  lowest(bucket: number): number {
    const parts = 2 ** this.bits;
    const exponent = Math.floor(bucket / parts);
    return (1 + (bucket - exponent * parts) / parts) * 2 ** (exponent - EXPONENT_BIAS);
  }

  private highest(bucket: number): number {
    const exponent = Math.floor(bucket / 2 ** this.bits) - EXPONENT_BIAS;
    const smallest = Math.floor(Math.log2(this.least));
    return this.lowest(bucket) + 2 ** (exponent - this.bits) - 2 ** (exponentOf(this.least, smallest) - this.bits);
  }
}

/** Exponent of the power of two at or below `value`; `guess`, its logarithm, may be one off. */
function exponentOf(value: number, guess: number): number {
  if (2 ** guess > value) return guess - 1;
  return 2 ** (guess + 1) <= value ? guess + 1 : guess;
}
