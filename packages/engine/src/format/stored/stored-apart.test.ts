import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joinStoredApart, readKept, sourceOf } from './stored-apart.ts';

const json = fc.jsonValue().map((value) => Buffer.from(JSON.stringify({ value })));

describe('values beside a source', () => {
  test('come back as they were, and so does the source', () => {
    fc.assert(
      fc.property(fc.oneof(json, fc.constant(Buffer.alloc(0))), json, (source, values) => {
        const stored = joinStoredApart(source, values);
        expect(Buffer.from(sourceOf(stored))).toEqual(source);
        expect(Buffer.from(readKept(stored).storedApart ?? [])).toEqual(values);
      }),
    );
  });

  test('are none where a document is only its source', () => {
    for (const source of [Buffer.from('{"a":1}'), new Uint8Array(0)]) {
      expect(sourceOf(source)).toBe(source);
      expect(readKept(source).storedApart).toBeNull();
    }
  });

  test.each([[[0]], [[1, 2, 0, 0]], [[0x7b, 9, 0, 0, 0, 0]]])(
    'are refused where the bytes are too short: %j',
    (bytes) => {
      expect(() => sourceOf(Uint8Array.from(bytes))).toThrow('stored document');
    },
  );
});
