import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PieceReader } from './piece-reader.ts';
import { wordOf } from './stream-bytes.ts';

test('bytes in pieces are read as they would be in one', () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 9 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(pieces, fc.nat(), fc.nat(), (parts, a, b) => {
      const whole = Buffer.concat(parts);
      const reader = new PieceReader(parts);
      expect(reader.length).toBe(whole.length);
      const [from = 0, to = 0] = [a % (whole.length + 1), b % (whole.length + 1)].sort((x, y) => x - y);
      expect(Array.from(reader.read(from, to))).toEqual(Array.from(whole.subarray(from, to)));
      for (let word = 0; (word + 1) * 4 <= whole.length; word++)
        expect(wordOf(reader, word)).toBe(whole.readUInt32LE(word * 4));
    }),
  );
});
