import { describe, expect, test } from 'vitest';
import { idsOf, memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = { properties: { k: { type: 'keyword' } } };

async function found(value: string, options: object): Promise<unknown> {
  const docs = ['a', 'bc', 'xyz', ''].map((k, id) => ({ id: String(id), source: JSON.stringify({ k }) }));
  const context = memoryContext(MAPPING, [docs]);
  return idsOf(
    context,
    (await runQuery(context, { query: { fuzzy: { k: { value, fuzziness: 2, ...options } } } })).ords,
  );
}

describe('a fuzzy word shorter than its edits', () => {
  test('matches what is worth nothing', async () => {
    expect(await found('a', {})).toEqual(['0', '1']);
    expect(await found('a', { rewrite: 'top_terms_10' })).toEqual(['0', '1']);
  });

  test.each(['scoring_boolean', 'constant_score_boolean'])('is refused with the rewrite %s', async (rewrite) => {
    await expect(found('a', { rewrite })).rejects.toThrow('boost must be a positive float, got -1.0');
  });

  test('and without letters matches itself alone', async () => expect(await found('', {})).toEqual(['3']));
});

describe('near terms', () => {
  const docs = Array.from({ length: 60 }, (_, n) => ({
    id: String(n),
    source: JSON.stringify({ k: `word${n + 10}` }),
  }));
  const count = async (options: object): Promise<number> => {
    const query = { fuzzy: { k: { value: 'word', fuzziness: 2, ...options } } };
    return (await runQuery(memoryContext(MAPPING, [docs]), { query }, { topN: 100 })).ords.length;
  };

  test('are as many as may be, unless their rewrite takes all or says another number', async () => {
    expect(await count({})).toBe(50);
    expect(await count({ max_expansions: 7 })).toBe(7);
    expect(await count({ max_expansions: 7, rewrite: 'constant_score' })).toBe(60);
    expect(await count({ max_expansions: 7, rewrite: 'scoring_boolean' })).toBe(60);
    expect(await count({ max_expansions: 7, rewrite: 'top_terms_boost_20' })).toBe(20);
  });
});
