/**
 * The packed numbers of a column as they stand, for those who can count by them and need not know what they mean: a number is
 * (base + code * unit) / divisor.
 */
type Low = Uint8Array | Uint16Array | Uint32Array;
type High = Uint8Array | Uint16Array;

export interface CodeScale {
  readonly base: number;
  readonly unit: number;
  readonly divisor: number;
}

export class NumberCodes {
  /** Every code is below; codes between may have no value. */
  readonly size: number;
  readonly base: number;
  readonly unit: number;
  readonly divisor: number;
  readonly lows: Low;
  /** The bits behind the 16 or 32 of the lows; null: there are none. */
  readonly highs: High | null;

  constructor({ base, unit, divisor }: CodeScale, max: number, lows: Low, highs: High | null) {
    this.base = base;
    this.unit = unit;
    this.divisor = divisor;
    this.size = Math.round((Math.round(max * divisor) - base) / unit) + 1;
    this.lows = lows;
    this.highs = highs;
  }

  /** Value of a code, by the arithmetic of the column. */
  value(code: number): number {
    const whole = this.base + code * this.unit;
    return this.divisor === 1 ? whole : whole / this.divisor;
  }

  /** Codes of the values at from..to - 1; only where all are below 2^32. */
  readRange(from: number, to: number, into: Uint32Array): void {
    const { lows, highs } = this;
    into.set(lows.subarray(from, to));
    if (highs !== null) orHighs(into, highs, from, to - from, 16);
  }

  /** Codes of the values at the first `count` indices; only where all are below 2^32. */
  gather(indices: Uint32Array, count: number, into: Uint32Array): void {
    const { lows, highs } = this;
    if (highs === null) {
      for (let i = 0; i < count; i++) into[i] = lows[indices[i] as number] as number;
    } else {
      for (let i = 0; i < count; i++) {
        const index = indices[i] as number;
        into[i] = (lows[index] as number) | ((highs[index] as number) << 16);
      }
    }
  }

  /** Codes less their last `shift` bits, 1 to 31 of them, of the values at from..to - 1. */
  coarseRange(from: number, to: number, shift: number, into: Uint32Array): void {
    const { lows, highs } = this;
    const count = to - from;
    if (highs instanceof Uint8Array) {
      if (lows instanceof Uint32Array) shiftFive(lows, highs, from, count, shift, into);
      else if (lows instanceof Uint16Array) shiftThree(lows, highs, from, count, shift, into);
      return;
    }
    into.set(lows.subarray(from, to));
    shiftAll(into, count, shift);
    if (highs !== null) orHighs(into, highs, from, count, 32 - shift);
  }

  /** Writes the codes of the first `count` indices, shifted right by `shift`. */
  coarseGather(indices: Uint32Array, count: number, shift: number, into: Uint32Array): void {
    const { lows, highs } = this;
    if (lows instanceof Uint32Array) {
      for (let i = 0; i < count; i++) into[i] = (lows[indices[i] as number] as number) >>> shift;
      if (highs === null) return;
      const left = 32 - shift;
      for (let i = 0; i < count; i++) {
        into[i] = (into[i] as number) | ((highs[indices[i] as number] as number) << left);
      }
    } else {
      this.gather(indices, count, into);
      shiftAll(into, count, shift);
    }
  }
}

function orHighs(codes: Uint32Array, highs: High, from: number, count: number, left: number): void {
  for (let i = 0; i < count; i++) codes[i] = (codes[i] as number) | ((highs[from + i] as number) << left);
}

function shiftAll(codes: Uint32Array, count: number, shift: number): void {
  for (let i = 0; i < count; i++) codes[i] = (codes[i] as number) >>> shift;
}

function shiftThree(
  lows: Uint16Array,
  highs: Uint8Array,
  from: number,
  count: number,
  shift: number,
  into: Uint32Array,
): void {
  for (let i = 0; i < count; i++) {
    into[i] = ((lows[from + i] as number) | ((highs[from + i] as number) << 16)) >>> shift;
  }
}

function shiftFive(
  lows: Uint32Array,
  highs: Uint8Array,
  from: number,
  count: number,
  shift: number,
  into: Uint32Array,
): void {
  const left = 32 - shift;
  for (let i = 0; i < count; i++) {
    into[i] = ((lows[from + i] as number) >>> shift) | ((highs[from + i] as number) << left);
  }
}
