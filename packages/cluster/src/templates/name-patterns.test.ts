import { simpleMatch } from '@shoal/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { patternsOverlap } from './name-patterns.ts';

const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*'), minLength: 1, maxLength: 4 });
/** Every name that patterns of four characters can tell apart. */
const names = everyName(8);

function everyName(lengthMax: number): readonly string[] {
  const out: string[] = [''];
  for (let from = 0; (out[from]?.length ?? lengthMax) < lengthMax; from++) out.push(`${out[from]}a`, `${out[from]}b`);
  return out;
}

test('patterns overlap when some name fits both', () => {
  fc.assert(
    fc.property(pattern, pattern, (a, b) => {
      const hasCommon = names.some((name) => simpleMatch(a, name) && simpleMatch(b, name));
      expect(patternsOverlap(a, b)).toBe(hasCommon);
    }),
    { numRuns: 500 },
  );
});
