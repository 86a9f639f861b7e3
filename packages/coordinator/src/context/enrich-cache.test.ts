import { describe, expect, test } from 'vitest';
import { EnrichCache } from './enrich-cache.ts';

describe('the cache of lookups', () => {
  test('forgets what was not used for the longest time', () => {
    const cache = new EnrichCache();
    for (let n = 0; n < 1_000; n++) cache.put(`k${n}`, ['{}']);
    expect(cache.get('k0')).toEqual(['{}']);
    cache.put('one more', ['{}']);
    expect([cache.get('k0'), cache.get('k1'), cache.size]).toEqual([['{}'], undefined, 1_000]);
    expect(cache.counts).toMatchObject({ hits: 2, misses: 1, evictions: 1 });
  });

  test('holds a limited number of characters', () => {
    const cache = new EnrichCache();
    const large = 'x'.repeat(6 * 1024 * 1024);
    for (const key of ['a', 'b', 'c']) cache.put(key, [large]);
    expect([cache.get('a'), cache.size]).toEqual([undefined, 2]);
    cache.put('c', []);
    expect(cache.chars).toBe(large.length + 2);
  });
});
