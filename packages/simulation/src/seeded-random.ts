/**
 * Random numbers from a seed: the same seed and labels give the same numbers, on every machine.
 *
 * The generator is Chris Doty-Humphrey's sfc32 (public domain). A fork depends on the seed and its labels only, never on
 * how much was drawn before, so a new consumer does not shift the others.
 */
import { assert } from '@shoal/core';
import type { Random } from '@shoal/runtime';

/** Rounds that mix the seed before the first number is used. */
const WARM_UP_ROUNDS = 15;

const TWO_POW_32 = 0x1_0000_0000;

export interface SeededRandom extends Random {
  fork(label: string): SeededRandom;
  /** Uniform in [0, 1). */
  unit(): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
}

export function seededRandom(seed: number | string): SeededRandom {
  return new Sfc32(String(seed));
}

class Sfc32 implements SeededRandom {
  private readonly path: string;
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;

  constructor(path: string) {
    this.path = path;
    this.a = hash(path, 0x9e3779b9);
    this.b = hash(path, 0x85ebca6b);
    this.c = hash(path, 0xc2b2ae35);
    for (let round = 0; round < WARM_UP_ROUNDS; round++) this.u32();
  }

  u32(): number {
    const sum = (this.a + this.b + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  below(n: number): number {
    assert(Number.isInteger(n) && n >= 1 && n <= TWO_POW_32, `below(${n}) is outside 1..2^32`);
    // Rejects the incomplete last range, so that every value is equally likely.
    const limit = TWO_POW_32 - (TWO_POW_32 % n);
    let drawn = this.u32();
    while (drawn >= limit) drawn = this.u32();
    return drawn % n;
  }

  bytes(count: number): Uint8Array {
    const bytes = new Uint8Array(count);
    for (let at = 0; at < count; at++) bytes[at] = this.u32() & 0xff;
    return bytes;
  }

  fork(label: string): SeededRandom {
    return new Sfc32(`${this.path}/${label}`);
  }

  unit(): number {
    return this.u32() / TWO_POW_32;
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  pick<T>(items: readonly T[]): T {
    assert(items.length > 0, 'pick from nothing');
    // Within bounds: the list is not empty and `below` stays under its length.
    return items[this.below(items.length)] as T;
  }
}

/** FNV-1a with a final mix, over the code units of the text. */
function hash(text: string, basis: number): number {
  let h = basis | 0;
  for (let at = 0; at < text.length; at++) h = Math.imul(h ^ text.charCodeAt(at), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return h ^ (h >>> 16);
}
