import { expect, test } from 'vitest';
import { RecentByObject } from './recent-by-object.ts';

test('what was used last is there, and never more than it may have', () => {
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
