/**
 * 64-bit hashes of values in two halves, for sketches: the same on every shard, mixed well in every bit.
 *
 * Two lanes of MurmurHash3's 32-bit mixing with different constants (Austin Appleby, public domain). Of a number, the halves
 * are two functions, since the upper one alone is enough nearly always: it is the cheaper one, and depends on every bit too.
 */
import { murmur3Final } from '@shoal/core';

/** Upper half of the hash of a double, given by the halves of its bits; -0 must have been made 0. */
export function upperHash(low: number, high: number): number {
  return finish(Math.imul(low ^ (low >>> 16), 0x9e37_79b1) + high);
}

export function lowerHash(low: number, high: number): number {
  return finish(mix(mix(0x3c6ef372, high, 0x239b961b, 0xab0e9789), low, 0x239b961b, 0xab0e9789) ^ 8);
}

export class ValueHash {
  /** Halves of the last hash, unsigned. */
  high = 0;
  low = 0;

  bytes(bytes: Uint8Array): void {
    this.range(bytes, 0, bytes.length);
  }

  /** Hashes the bytes from..to - 1 of an array, without a view of them. */
  range(bytes: Uint8Array, from: number, to: number): void {
    const length = to - from;
    let h1 = 0x9747b28c;
    let h2 = 0x3c6ef372;
    const whole = from + (length & ~3);
    for (let i = from; i < whole; i += 4) {
      const k = wordAt(bytes, i);
      h1 = mix(h1, k, 0xcc9e2d51, 0x1b873593);
      h2 = mix(h2, k, 0x239b961b, 0xab0e9789);
    }
    let tail = 0;
    for (let i = to - 1; i >= whole; i--) tail = (tail << 8) | (bytes[i] as number);
    h1 = mix(h1, tail, 0xcc9e2d51, 0x1b873593);
    h2 = mix(h2, tail, 0x239b961b, 0xab0e9789);
    this.high = finish(h1 ^ length);
    this.low = finish(h2 ^ length ^ h1);
  }
}

function wordAt(bytes: Uint8Array, i: number): number {
  return (
    (bytes[i] as number) |
    ((bytes[i + 1] as number) << 8) |
    ((bytes[i + 2] as number) << 16) |
    ((bytes[i + 3] as number) << 24)
  );
}

function mix(h: number, word: number, c1: number, c2: number): number {
  let k = Math.imul(word, c1);
  k = (k << 15) | (k >>> 17);
  k = Math.imul(k, c2);
  const x = h ^ k;
  return (Math.imul((x << 13) | (x >>> 19), 5) + 0xe6546b64) | 0;
}

function finish(h: number): number {
  return murmur3Final(h) >>> 0;
}
