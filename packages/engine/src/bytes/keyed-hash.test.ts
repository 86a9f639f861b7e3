import { describe, expect, test } from 'vitest';
import { KeyedHash } from './keyed-hash.ts';

describe('the hash of bytes under a secret', () => {
  test('is that of the bytes alone, wherever they stand', () => {
    const hash = new KeyedHash(Uint32Array.of(7, 9));
    const bytes = Buffer.from('..hash tables..');
    expect(hash.of(bytes, 2, 13)).toBe(hash.of(Buffer.from('hash tables'), 0, 11));
  });

  test('differs for texts that are the beginning of each other, of zeros too', () => {
    const hash = new KeyedHash(Uint32Array.of(0, 0));
    const zeros = Array.from({ length: 100 }, (_, n) => hash.of(new Uint8Array(n), 0, n));
    expect(new Set(zeros).size).toBe(100);
  });

  test('is another one under another secret', () => {
    const bytes = Buffer.from('a term');
    const values = Array.from({ length: 100 }, (_, n) =>
      new KeyedHash(Uint32Array.of(n, 1)).of(bytes, 0, bytes.length),
    );
    expect(new Set(values).size).toBe(100);
  });
});
