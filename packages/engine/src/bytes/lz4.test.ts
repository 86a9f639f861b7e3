import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createIndexingMemory } from '../memory/indexing-memory.ts';
import { decodeLz4, Lz4Encoder, lz4Bound } from './lz4.ts';

const encoder = new Lz4Encoder();
const kernels = createIndexingMemory()?.lz4 ?? encoder;

function encode(bytes: Uint8Array): Uint8Array {
  const into = new Uint8Array(lz4Bound(bytes.length));
  return into.slice(0, encoder.encode(bytes, into));
}

function decode(bytes: Uint8Array, length: number): Uint8Array {
  const into = new Uint8Array(length);
  decodeLz4(bytes, into);
  return into;
}

/** Bytes that repeat, near and far, and bytes that do not. */
const content = fc
  .array(
    fc.oneof(
      fc.record({ piece: fc.uint8Array({ maxLength: 40 }), times: fc.integer({ min: 1, max: 300 }) }),
      fc.record({ piece: fc.uint8Array({ maxLength: 2_000 }), times: fc.constant(1) }),
    ),
    { maxLength: 12 },
  )
  .map((parts) =>
    Uint8Array.from(parts.flatMap(({ piece, times }) => Array.from({ length: times }, () => [...piece]).flat())),
  );

describe('an LZ4 block', () => {
  test('decodes to what was encoded, by kernels or without', () => {
    fc.assert(
      fc.property(content, (bytes) => {
        const packed = encode(bytes);
        expect(Buffer.compare(decode(packed, bytes.length), bytes)).toBe(0);
        const into = new Uint8Array(lz4Bound(bytes.length));
        expect(Buffer.compare(into.subarray(0, kernels.encode(bytes, into)), packed)).toBe(0);
      }),
      { numRuns: 300 },
    );
  });

  test('is the same format as everywhere: a block of another encoder', () => {
    // "abcabcabc..." as the reference encoder writes it: three literals, a match of 3 back, five literals.
    const packed = Uint8Array.from([0x3f, 0x61, 0x62, 0x63, 3, 0, 3, 0x50, 0x62, 0x63, 0x61, 0x62, 0x63]);
    expect(Buffer.from(decode(packed, 30)).toString()).toBe('abc'.repeat(10));
  });

  test('makes repeating text small', () => {
    const text = Buffer.from('the quick brown fox jumps over the lazy dog. '.repeat(400));
    expect(encode(text).length).toBeLessThan(text.length / 50);
  });

  test('keeps the end of the format: the last five bytes are literals', () => {
    for (let length = 0; length < 64; length++) {
      const packed = encode(new Uint8Array(length));
      expect(decode(packed, length)).toEqual(new Uint8Array(length));
      if (length >= 13) expect(packed.subarray(-5)).toEqual(new Uint8Array(5));
    }
  });

  test('of damaged bytes never reads or writes outside', () => {
    fc.assert(
      fc.property(content, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }), (bytes, hits) => {
        const packed = encode(bytes);
        for (const [at, value] of hits) packed[at % packed.length] = value;
        try {
          expect(decode(packed, bytes.length).length).toBe(bytes.length);
        } catch (error) {
          expect(String(error)).toContain('compressed bytes make no sense');
        }
      }),
      { numRuns: 300 },
    );
  });

  test('of another length is refused', () => {
    const packed = encode(Buffer.from('some text, some text, some text'));
    expect(() => decode(packed, 30)).toThrow('compressed bytes make no sense');
    expect(() => decode(packed, 32)).toThrow('compressed bytes make no sense');
    expect(() => decode(packed.subarray(0, packed.length - 1), 31)).toThrow('compressed bytes make no sense');
  });
});
