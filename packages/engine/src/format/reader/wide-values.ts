/**
 * Integers of 64 bits that are compared by halves: reading one as a bigint makes an object each time.
 */
import { assert, type WideIntegers } from '@shoal/core';

/** Sign bit of an upper half: turned around, the unsigned order of halves is that of signed values. */
const SIGN = 0x8000_0000;
const LOW_BITS = 0xffff_ffffn;

/** Inclusive bounds by halves, in the order of `WideValues`. */
export interface WideBounds {
  readonly fromHigh: number;
  readonly fromLow: number;
  readonly toHigh: number;
  readonly toLow: number;
}

export class WideValues {
  private readonly values: WideIntegers;
  /** Two a value, the lower one first. */
  private readonly words: Uint32Array;
  /** `SIGN` where the values are signed, else 0. */
  private readonly flip: number;
  private sortedWords: Uint32Array | null = null;

  constructor(values: WideIntegers) {
    this.values = values;
    this.words = wordsOf(values);
    this.flip = values instanceof BigInt64Array ? SIGN : 0;
  }

  get length(): number {
    return this.values.length;
  }

  /** null: no value can be within them. */
  bounds(from: number | bigint, to: number | bigint): WideBounds | null {
    const isSigned = this.flip !== 0;
    const least = isSigned ? -(2n ** 63n) : 0n;
    const most = isSigned ? 2n ** 63n - 1n : 2n ** 64n - 1n;
    const first = atLeast(from, least);
    const last = atMost(to, most);
    if (first > last) return null;
    const [fromHigh, fromLow] = this.halves(first);
    const [toHigh, toLow] = this.halves(last);
    return { fromHigh, fromLow, toHigh, toLow };
  }

  private halves(value: bigint): readonly [high: number, low: number] {
    const bits = BigInt.asUintN(64, value);
    return [(Number(bits >> 32n) ^ this.flip) >>> 0, Number(bits & LOW_BITS)];
  }

  isWithin(index: number, { fromHigh, fromLow, toHigh, toLow }: WideBounds): boolean {
    const low = this.words[2 * index] as number;
    const high = ((this.words[2 * index + 1] as number) ^ this.flip) >>> 0;
    if (high < fromHigh || high > toHigh) return false;
    return (high !== fromHigh || low >= fromLow) && (high !== toHigh || low <= toLow);
  }

  /** Upper half of a value, signed. */
  high(index: number): number {
    return (this.words[2 * index + 1] as number) | 0;
  }

  /** Lower half of a value, signed. */
  low(index: number): number {
    return (this.words[2 * index] as number) | 0;
  }

  /** Values below that at `index`. */
  rankAt(index: number): number {
    const { words, flip } = this;
    return this.valuesBelow(((words[2 * index + 1] as number) ^ flip) >>> 0, words[2 * index] as number);
  }

  /** Values below this one; half a step less where none is equal. */
  rankOf(value: bigint): number {
    const bounds = this.bounds(value, value);
    if (bounds === null) return value < 0n ? -0.5 : this.length - 0.5;
    const rank = this.valuesBelow(bounds.fromHigh, bounds.fromLow);
    const { sorted } = this;
    const isThere =
      rank < this.length &&
      sorted[2 * rank] === bounds.fromLow &&
      ((sorted[2 * rank + 1] as number) ^ this.flip) >>> 0 === bounds.fromHigh;
    return isThere ? rank : rank - 0.5;
  }

  private valuesBelow(high: number, low: number): number {
    const { sorted, flip } = this;
    let from = 0;
    let to = this.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      const upper = ((sorted[2 * middle + 1] as number) ^ flip) >>> 0;
      if (upper < high || (upper === high && (sorted[2 * middle] as number) < low)) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /** All values in ascending order, kept for the next sort. */
  private get sorted(): Uint32Array {
    this.sortedWords ??= wordsOf(this.values.slice().sort());
    assert(this.sortedWords.length === this.words.length, `${this.length} values in ${this.sortedWords.length} halves`);
    return this.sortedWords;
  }
}

function wordsOf({ buffer, byteOffset, length }: WideIntegers): Uint32Array {
  return new Uint32Array(buffer, byteOffset, 2 * length);
}

function atLeast(bound: number | bigint, least: bigint): bigint {
  if (bound === Number.NEGATIVE_INFINITY || bound < least) return least;
  return typeof bound === 'bigint' ? bound : bound === Number.POSITIVE_INFINITY ? 2n ** 64n : BigInt(Math.ceil(bound));
}

function atMost(bound: number | bigint, most: bigint): bigint {
  if (bound === Number.POSITIVE_INFINITY || bound > most) return most;
  return typeof bound === 'bigint'
    ? bound
    : bound === Number.NEGATIVE_INFINITY
      ? -(2n ** 64n)
      : BigInt(Math.floor(bound));
}
