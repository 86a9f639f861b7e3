import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RecentByObject, RecentEntries } from './recent-entries.ts';

test('what was used last is there, and what is there is what was set last', () => {
  const use = fc.record({ key: fc.integer({ min: 0, max: 9 }), isSet: fc.boolean() });
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 8 }), fc.array(use, { maxLength: 100 }), (countMax, uses) => {
      const entries = new RecentEntries<number>(countMax);
      const last = new Map<number, number>();
      /** Keys that are there for sure, the one used last at the end. */
      let recent: number[] = [];
      for (const [value, { key, isSet }] of uses.entries()) {
        if (isSet) {
          entries.set(String(key), value);
          last.set(key, value);
        } else {
          const found = entries.get(String(key));
          if (recent.includes(key) || found !== undefined) expect(found).toBe(last.get(key));
          if (found === undefined) continue;
        }
        recent = [...recent.filter((other) => other !== key), key].slice(-Math.floor(countMax / 2));
      }
    }),
  );
});

test('never more are there than it may have', () => {
  const entries = new RecentEntries<number>(10);
  for (let i = 0; i < 1_000; i++) {
    entries.set(String(i), i);
    if (i % 3 === 0) entries.get(String(i - 4));
  }
  const there = Array.from({ length: 1_000 }, (_, i) => i).filter((i) => entries.get(String(i)) !== undefined);
  expect(there.length).toBeGreaterThanOrEqual(5);
  expect(there.length).toBeLessThanOrEqual(10);
});

test('what was used last of objects is there, and never more of them than there may be', () => {
  const entries = new RecentByObject<{ readonly n: number }, number>(10);
  const keys = Array.from({ length: 1_000 }, (_, n) => ({ n }));
  for (const key of keys) {
    entries.set(key, key.n);
    expect(entries.get(key)).toBe(key.n);
    const used = keys[Math.max(0, key.n - 3)];
    if (used !== undefined) expect(entries.get(used)).toBe(used.n);
    entries.set(key, key.n);
  }
  const there = keys.filter((key) => entries.get(key) !== undefined);
  expect(there.length).toBeGreaterThanOrEqual(5);
  expect(there.length).toBeLessThanOrEqual(10);
  expect(there.every(({ n }) => n > 980)).toBe(true);
});
