import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ValueHash } from './value-hash.ts';

test('bytes hash alike alone and within others', () => {
  const bytes = fc.uint8Array({ maxLength: 40 });
  fc.assert(
    fc.property(bytes, bytes, bytes, (before, hashed, after) => {
      const alone = new ValueHash();
      alone.bytes(hashed);
      const within = new ValueHash();
      within.range(Uint8Array.of(...before, ...hashed, ...after), before.length, before.length + hashed.length);
      expect([within.high, within.low]).toEqual([alone.high, alone.low]);
    }),
  );
});
