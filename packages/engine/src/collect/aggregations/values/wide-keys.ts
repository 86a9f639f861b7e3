/**
 * Numbers beyond 2^53 as keys of buckets, which are doubles: each gets one that no column can have.
 */
import type { BucketKey } from '@shoal/aggregations';

/** Where no double of a column can be. */
const WIDE_BASE = 1e300;
/** Bytes of one number, about. */
const ENTRY_BYTES = 64;

export class WideKeys {
  private readonly wide: bigint[] = [];
  private readonly places = new Map<bigint, number>();

  get memoryBytes(): number {
    return this.wide.length * ENTRY_BYTES;
  }

  /** The number itself where a double holds it exactly. */
  of(value: bigint): number {
    const number = Number(value);
    if (Number.isSafeInteger(number)) return number;
    let at = this.places.get(value);
    if (at === undefined) {
      at = this.wide.length;
      this.places.set(value, at);
      this.wide.push(value);
    }
    return WIDE_BASE * (at + 1);
  }

  /** What `of` was given. */
  value(key: number): BucketKey {
    if (this.wide.length === 0 || key < WIDE_BASE) return key;
    return this.wide[Math.round(key / WIDE_BASE) - 1] ?? key;
  }
}
