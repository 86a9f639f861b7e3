/**
 * Quantiles with a fixed number of significant digits: counts in buckets whose width grows with the value.
 *
 * A bucket of a value in [2^e, 2^(e+1)) is 2^(e-b) wide, with 2^b parts a power of two; `b` follows from the digits. What is
 * shown is the largest value that falls in the same bucket, in the resolution of the smallest value seen, as the
 * HdrHistogram library does.
 */
import { illegalArgument } from '@shoal/core';

export const HDR_DIGITS_MAX = 5;

export class HdrSketch {
  readonly digits: number;
  /** Parts of a power of two, as a power of two. */
  private readonly bits: number;
  /** By bucket: exponent * 2^bits + part. */
  private readonly counts = new Map<number, number>();
  private zeros = 0;
  count = 0;
  private exponentMin = Number.POSITIVE_INFINITY;

  constructor(digits: number) {
    this.digits = digits;
    this.bits = Math.max(0, Math.ceil(Math.log2(2 * 10 ** digits)) - 1);
  }

  get sizeBytes(): number {
    return this.counts.size * 40;
  }

  /** @throws ShoalError for negative values, which have no place here */
  add(value: number, count = 1): void {
    if (value < 0) {
      throw illegalArgument(`Negative values are not supported by HDR aggregation, found [${value}]`);
    }
    this.count += count;
    if (value < Number.MIN_VALUE * 2 ** (this.bits + 1)) {
      this.zeros += count;
      return;
    }
    const exponent = exponentOf(value);
    if (exponent < this.exponentMin) this.exponentMin = exponent;
    const bucket = exponent * 2 ** this.bits + Math.floor((value / 2 ** exponent - 1) * 2 ** this.bits);
    this.counts.set(bucket, (this.counts.get(bucket) ?? 0) + count);
  }

  merge(other: HdrSketch): void {
    this.count += other.count;
    this.zeros += other.zeros;
    this.exponentMin = Math.min(this.exponentMin, other.exponentMin);
    for (const [bucket, count] of other.counts) this.counts.set(bucket, (this.counts.get(bucket) ?? 0) + count);
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
    return [...this.counts].sort((a, b) => a[0] - b[0]);
  }

  get zeroCount(): number {
    return this.zeros;
  }

  /** A value of the bucket, for rebuilding a sketch from its entries. */
  lowest(bucket: number): number {
    const parts = 2 ** this.bits;
    const exponent = Math.floor(bucket / parts);
    return (1 + (bucket - exponent * parts) / parts) * 2 ** exponent;
  }

  private highest(bucket: number): number {
    const exponent = Math.floor(bucket / 2 ** this.bits);
    return this.lowest(bucket) + 2 ** (exponent - this.bits) - 2 ** (this.exponentMin - this.bits);
  }
}

/** Of the power of two at or below `value`. */
function exponentOf(value: number): number {
  const guess = Math.floor(Math.log2(value));
  if (2 ** guess > value) return guess - 1;
  return 2 ** (guess + 1) <= value ? guess + 1 : guess;
}
