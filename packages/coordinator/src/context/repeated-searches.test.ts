import { parseSearch } from '@shoal/query';
import { describe, expect, test } from 'vitest';
import { RepeatedSearches } from './repeated-searches.ts';

const body = (text: string): Uint8Array => new TextEncoder().encode(text);
const search = { request: parseSearch({ body: null, params: {} }).request, aggregations: null };

describe('searches whose bodies come again', () => {
  test('are known by their text and their kind, and packed once', () => {
    const repeated = new RepeatedSearches();
    const key = repeated.keyOf('search', body('{"size":1}'));
    expect(repeated.get(key)).toBeNull();
    repeated.keep(key, search);
    const known = repeated.get(repeated.keyOf('search', body('{"size":1}')));
    expect(known?.search).toBe(search);
    let packs = 0;
    const pack = (): Uint8Array => Uint8Array.of(++packs);
    expect([known?.packed(pack), known?.packed(pack)]).toEqual([Uint8Array.of(1), Uint8Array.of(1)]);
    expect(repeated.get(repeated.keyOf('count', body('{"size":1}')))).toBeNull();
    expect(repeated.get(repeated.keyOf('search', body('{"size":2}')))).toBeNull();
  });

  test('are known without a body too, apart from those with an empty one', () => {
    const repeated = new RepeatedSearches();
    repeated.keep(repeated.keyOf('search', null), search);
    expect(repeated.get(repeated.keyOf('search', null))?.search).toBe(search);
    expect(repeated.get(repeated.keyOf('count', null))).toBeNull();
    expect(repeated.get(repeated.keyOf('search', body('')))).toBeNull();
    expect(repeated.get(repeated.keyOf('search', body('no search')))).toBeNull();
  });

  test.each([
    '{"query":{"script_score":{"script":{"id":"mine"}}}}',
    '{"suggest":{"a":{"phrase":{"collate":{"query":{"id":"mine"}}}}}}',
    String.raw`{"query":{"s\u0063ript":{"id":"mine"}}}`,
  ])('are not kept where what they mean may change: %s', (text) => {
    const repeated = new RepeatedSearches();
    const key = repeated.keyOf('search', body(text));
    repeated.keep(key, search);
    expect(repeated.get(key)).toBeNull();
  });

  test('are few and small: what did not come lately is dropped, a long body has no name', () => {
    const repeated = new RepeatedSearches();
    expect(repeated.keyOf('search', new Uint8Array(1_025))).toBeNull();
    const keyAt = (n: number): string | null => repeated.keyOf('search', body(`{"size":${n}}`));
    for (let n = 0; n <= 256; n++) repeated.keep(keyAt(n), search);
    expect([0, 200, 256].map((n) => repeated.get(keyAt(n)) !== null)).toEqual([false, true, true]);
  });
});
