import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineCutter, PIECE_BYTES } from './line-cutter.ts';

/** Lines with lengths around those at which pieces end. */
const lines = fc.array(
  fc.oneof(
    fc.integer({ min: 0, max: 2_000 }),
    fc.constantFrom(PIECE_BYTES / 4, PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES * 3),
  ),
  { minLength: 1, maxLength: 12 },
);
const chunkSizes = fc.array(fc.constantFrom(1, 7_000, 65_536, 300_000, 3_000_000), { minLength: 1, maxLength: 5 });

/** Chunks of these sizes in turn, small ones only so often as a test has time for. */
function chunksOf(body: Buffer, sizes: readonly number[]): readonly Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0, n = 0; at < body.length; n++) {
    const size = Math.max(sizes[n % sizes.length] ?? 1, Math.floor(body.length / 200));
    chunks.push(body.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

function cut(body: Buffer, sizes: readonly number[], announced: number): readonly Uint8Array[] {
  const cutter = new LineCutter(announced);
  for (const chunk of chunksOf(body, sizes)) cutter.add(chunk);
  return cutter.finish();
}

describe('a body that comes in chunks', () => {
  test('is the same in pieces of whole lines, none larger than its longest line or the usual size asks for', () => {
    fc.assert(
      fc.property(lines, chunkSizes, fc.boolean(), fc.boolean(), (lengths, sizes, isAnnounced, isCut) => {
        const whole = Buffer.concat(
          lengths.map((length, at) => Buffer.from(`${String.fromCharCode(97 + at).repeat(length)}\n`)),
        );
        const body = isCut ? whole.subarray(0, whole.length - 1) : whole;
        const pieces = cut(body, sizes, isAnnounced ? body.length : 0);
        expect(Buffer.concat(pieces).equals(body)).toBe(true);
        for (const piece of pieces.slice(0, -1)) expect(piece.at(-1)).toBe(0x0a);
        for (const { byteLength, buffer } of pieces) {
          expect(byteLength).toBeGreaterThan(0);
          expect(buffer.byteLength).toBeLessThanOrEqual(
            Math.max(body.length, 2 * PIECE_BYTES, 2 * Math.max(...lengths) + 2),
          );
        }
      }),
      { numRuns: 60 },
    );
  });

  test('in one chunk is that chunk', () => {
    const chunk = Buffer.from('a\nb\n');
    const cutter = new LineCutter(chunk.length);
    cutter.add(chunk);
    expect(cutter.finish()[0]).toBe(chunk);
  });

  test('of no bytes has no pieces', () => {
    expect(new LineCutter(0).finish()).toEqual([]);
  });
});
