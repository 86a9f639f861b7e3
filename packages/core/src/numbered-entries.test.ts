import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NumberedEntries } from './numbered-entries.ts';

test('entries by numbers are those of a Map', () => {
  const step = fc.record({ key: fc.oneof(fc.nat(40), fc.nat(2 ** 40)), isSet: fc.boolean(), value: fc.nat() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const entries = new NumberedEntries<number>();
      const map = new Map<number, number>();
      for (const { key, isSet, value } of steps) {
        if (isSet) {
          entries.set(key, value);
          map.set(key, value);
        } else expect(entries.delete(key)).toBe(map.delete(key));
        expect([entries.size, entries.has(key), entries.get(key)]).toEqual([map.size, map.has(key), map.get(key)]);
      }
      const keys = [...map.keys()].sort((a, b) => a - b);
      expect(entries.sortedKeys()).toEqual(keys);
      expect(entries.sortedValues()).toEqual(keys.map((key) => map.get(key)));
      entries.clear();
      expect([entries.size, entries.sortedKeys()]).toEqual([0, []]);
    }),
    { numRuns: 500 },
  );
});
