/** Terms chosen so that they share a place in a hash table whose function is known: what they cost is counted in steps of the table. */
import { describe, expect, test } from 'vitest';
import { drawHashSecret, type HashSecret, OPEN_SECRET } from '../../bytes/hash-secret.ts';
import { KeyedHash } from '../../bytes/keyed-hash.ts';
import { createIndexingMemory, type IndexingMemory } from '../../memory/indexing-memory.ts';
import { KernelInvertedBuffer } from './kernel-inverted-buffer.ts';

const TERMS = 1_500;
const TABLE = 4_096;

/** A secret of these words. */
function secretOf(words: readonly number[]): HashSecret {
  let at = 0;
  return drawHashSecret({ u32: () => words[at++] ?? 0 });
}

const MASK = 2n ** 64n - 1n;

/** The inverse of an odd number modulo 2^64. */
function inverse(odd: bigint): bigint {
  let found = odd;
  for (let step = 0; step < 6; step++) found = (found * (2n - odd * found)) & MASK;
  return found;
}

/** Terms that have the same hash under the secret `words`. */
function collidingUnder(words: readonly number[]): string[] {
  const [a = 0n, b = 0n, c = 0n, d = 0n] = words.map(BigInt);
  const [seed, first] = [(a << 32n) | b, (c << 32n) | d | 1n];
  const bytes = Buffer.alloc(8);
  return Array.from({ length: TERMS }, (_, n) => {
    // The hash is the lower half and the upper one, its halves exchanged: it is 0 where they are the same.
    const upper = Math.imul(n + 1, 0x9e37_79b1) >>> 0;
    const lower = ((upper << 16) | (upper >>> 16)) >>> 0;
    const product = (BigInt(upper) << 32n) | BigInt(lower);
    bytes.writeBigUInt64LE(((product * inverse(first)) & MASK) ^ seed ^ 8n);
    return bytes.toString('latin1');
  });
}

/** Steps beyond the first of the look-ups of all terms. */
function stepsInKernel(memory: IndexingMemory, terms: readonly string[]): number {
  const buffer = new KernelInvertedBuffer(
    'latin1',
    { hasFreqs: false, hasPositions: false, hasPostings: true },
    memory,
  );
  for (const [doc, term] of terms.entries()) buffer.add(doc, term, 0);
  const { slots, termsMax } = buffer as unknown as { slots: number; termsMax: number };
  const words = memory.wordsAt(slots, termsMax * 4);
  const mask = termsMax * 2 - 1;
  let steps = 0;
  for (let index = 0; index <= mask; index++) {
    if (words[index * 2 + 1] !== 0) steps += (index - (words[index * 2] as number)) & mask;
  }
  buffer.release();
  return steps;
}

describe('terms that were chosen to collide', () => {
  test('cost the square of their number in the kernel when the secret is known, and little when it is not', () => {
    const known = [0, 0, 0x9e37_79b9, 0x7f4a_7c15, 0x2545_f491, 0x4f6c_dd1d];
    const terms = collidingUnder(known);
    const open = createIndexingMemory(secretOf(known));
    const hidden = createIndexingMemory();
    if (open === null || hidden === null) return;
    expect(stepsInKernel(open, terms)).toBe((TERMS * (TERMS - 1)) / 2);
    expect(stepsInKernel(hidden, terms)).toBeLessThan(TERMS * 4);
  });

  test('that differ in their last bytes only, or in many, are spread by the kernel under any secret', () => {
    for (let draw = 1; draw <= 12; draw++) {
      const words = [...OPEN_SECRET].map((word, i) => Math.imul(word + draw * 0x9e37_79b1, i * 2 + 3) >>> 0);
      const memory = createIndexingMemory(secretOf(words));
      if (memory === null) return;
      const lists = [
        Array.from({ length: TERMS }, (_, n) =>
          `field${String.fromCharCode(33 + (n % 90), 33 + Math.floor(n / 90))}`.padStart(8, 'x'),
        ),
        Array.from({ length: TERMS }, (_, n) => `${n}`.padStart(24, '0')),
        Array.from(
          { length: TERMS },
          (_, n) => `${String.fromCharCode(33 + (n % 90))}${'a'.repeat(Math.floor(n / 90))}`,
        ),
      ];
      for (const terms of lists) expect(stepsInKernel(memory, terms)).toBeLessThan(TERMS * 4);
    }
  });

  test('are spread by the plain table as well', () => {
    const known = new KeyedHash(Uint32Array.of(1, 2));
    const bytesOf = (n: number): Uint8Array => Buffer.from(`term-${n}`);
    const placeOf = (hash: KeyedHash, bytes: Uint8Array): number => hash.of(bytes, 0, bytes.length) % TABLE;
    const chosen: Uint8Array[] = [];
    for (let n = 0; chosen.length < 200; n++) if (placeOf(known, bytesOf(n)) === 0) chosen.push(bytesOf(n));
    const hidden = new KeyedHash(OPEN_SECRET);
    const places = new Set(chosen.map((bytes) => placeOf(hidden, bytes)));
    expect(places.size).toBeGreaterThan(180);
  });
});
