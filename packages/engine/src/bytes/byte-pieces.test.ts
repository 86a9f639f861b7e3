import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BytePieces } from './byte-pieces.ts';
import { PIECE_BYTES, PieceArena, PiecePool } from './piece-pool.ts';

const CASES = 200;

function filled(bytes: number, seed: number): Uint8Array {
  return Uint8Array.from({ length: bytes }, (_, i) => i * 31 + seed);
}

/** What was left in a piece by whoever had it before. */
function usedPool(): PiecePool {
  const pool = new PiecePool(4 * PIECE_BYTES);
  const pieces = [0, 1, 2, 3].map(() => pool.take(PIECE_BYTES).fill(0xaa));
  for (const piece of pieces) pool.give(piece);
  return pool;
}

describe('bytes in pieces', () => {
  test('are read as they were appended, whole or split, by any source', () => {
    const appended = fc.record({
      length: fc.oneof(fc.nat(200), fc.nat(40_000), fc.constantFrom(0, 1, PIECE_BYTES, PIECE_BYTES + 1)),
      isWhole: fc.boolean(),
    });
    const sources = fc.constantFrom('plain', 'pool', 'arena');
    fc.assert(
      fc.property(fc.array(appended, { maxLength: 12 }), sources, fc.nat(), (parts, kind, seed) => {
        const source = kind === 'plain' ? undefined : kind === 'pool' ? usedPool() : new PieceArena(usedPool());
        const pieces = new BytePieces(source);
        const model: Uint8Array[] = [];
        for (const [i, { length, isWhole }] of parts.entries()) {
          const bytes = filled(length, i + seed);
          const start = pieces.length;
          if (isWhole) pieces.whole(bytes);
          else pieces.raw(bytes);
          model.push(bytes);
          expect(Buffer.compare(pieces.read(start, length), bytes)).toBe(0);
        }
        const whole = Buffer.concat(model);
        expect(pieces.length).toBe(whole.length);
        expect(Buffer.compare(Buffer.concat(pieces.pieces().map(({ bytes }) => bytes)), whole)).toBe(0);
        for (const { bytes, start } of pieces.pieces())
          expect(Buffer.compare(bytes, whole.subarray(start, start + bytes.length))).toBe(0);
        const from = whole.length === 0 ? 0 : seed % whole.length;
        const part = whole.subarray(from, from + 100_000);
        expect(Buffer.compare(pieces.read(from, part.length), part)).toBe(0);
        const copy = new Uint8Array(part.length);
        pieces.copyTo(copy, from);
        expect(Buffer.compare(copy, part)).toBe(0);
        pieces.release();
        expect([pieces.length, pieces.memoryBytes]).toEqual([0, 0]);
      }),
      { numRuns: CASES },
    );
  });

  test('appended whole are read as a view of where they stand', () => {
    const pieces = new BytePieces();
    for (let i = 0; i < 50; i++) pieces.whole(filled(10_000, i));
    const block = pieces.read(30_000, 10_000);
    expect(block.buffer.byteLength).toBeGreaterThan(10_000);
    expect(Buffer.compare(block, filled(10_000, 3))).toBe(0);
  });
});

describe('a pool of pieces', () => {
  test('gives out again what it was given, and keeps no more than it may', () => {
    const pool = new PiecePool(2 * PIECE_BYTES);
    const taken = [1, 2, 3].map(() => pool.take(PIECE_BYTES));
    for (const piece of taken) pool.give(piece);
    expect(pool.idleBytes).toBe(2 * PIECE_BYTES);
    expect(taken).toContain(pool.take(PIECE_BYTES));
    pool.give(new Uint8Array(PIECE_BYTES * 2));
    expect(pool.idleBytes).toBe(PIECE_BYTES);
  });

  test('lets go in time of what nobody takes, and of nothing that is taken now and then', () => {
    const pool = new PiecePool(8 * PIECE_BYTES);
    const use = (count: number): void => {
      const taken = Array.from({ length: count }, () => pool.take(PIECE_BYTES));
      for (const piece of taken) pool.give(piece);
    };
    use(8);
    pool.trim();
    for (let i = 0; i < 5; i++) {
      use(3);
      pool.trim();
    }
    expect(pool.idleBytes).toBe(3 * PIECE_BYTES);
    for (let i = 0; i < 5; i++) pool.trim();
    expect(pool.idleBytes).toBe(0);
  });

  test('gets back what an arena cut into smaller ones', () => {
    const pool = usedPool();
    const arena = new PieceArena(pool);
    const pieces = Array.from({ length: 20 }, (_, i) => arena.take(30_000).fill(i));
    expect(pieces.every((piece, i) => piece.every((byte) => byte === i))).toBe(true);
    expect(pool.idleBytes).toBe(PIECE_BYTES);
    arena.release();
    expect(pool.idleBytes).toBe(4 * PIECE_BYTES);
  });
});
