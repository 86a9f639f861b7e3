/**
 * The packed numbers of a column as they stand, for those who can count by them and need not know what they mean: a number is
 * (base + code * unit) / divisor.
 */
type Low = Uint8Array | Uint16Array | Uint32Array;

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
  private readonly lows: Low;
  /** The bits behind the 16 of the lows; null: there are none. */
  private readonly highs: Uint8Array | null;

  constructor({ base, unit, divisor }: CodeScale, max: number, lows: Low, highs: Uint8Array | null) {
    this.base = base;
    this.unit = unit;
    this.divisor = divisor;
    this.size = Math.round((Math.round(max * divisor) - base) / unit) + 1;
    this.lows = lows;
    this.highs = highs;
  }

  /** As the column has it, by the same arithmetic. */
  value(code: number): number {
    const whole = this.base + code * this.unit;
    return this.divisor === 1 ? whole : whole / this.divisor;
  }

  /** Codes of the values at from..to - 1. */
  stretch(from: number, to: number, into: Uint32Array): void {
    const { lows, highs } = this;
    if (highs === null) {
      for (let i = from; i < to; i++) into[i - from] = lows[i] as number;
    } else {
      for (let i = from; i < to; i++) into[i - from] = (lows[i] as number) | ((highs[i] as number) << 16);
    }
  }

  /** Codes of the values at the first `count` indices. */
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
}
