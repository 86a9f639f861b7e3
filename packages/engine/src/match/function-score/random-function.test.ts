import { describe, expect, test } from 'vitest';
import { memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';
import { shardSeed } from './random-function.ts';

const MAPPING = { properties: { n: { type: 'integer' }, d: { type: 'double' }, k: { type: 'keyword' } } };
const DOCUMENTS = ['a', 'b', 'c', 'd', 'e'].map((id, at) => ({
  id,
  source: JSON.stringify({ n: [at, at * 10], d: at / 4, ...(at < 3 ? { k: `word${at}` } : {}) }),
}));

async function best(random: object): Promise<number | null> {
  const searched = memoryContext(MAPPING, [DOCUMENTS]);
  return (await runQuery(searched, { query: { function_score: { random_score: random } } })).maxScore;
}

describe('random_score', () => {
  test('seeds the shards of an index as Elasticsearch does', () => {
    // A document without the field gets what the seed of its shard gives: this is the answer of a real server.
    const seed = shardSeed(12, { index: 'seeded', number: 0 });
    expect((seed & 0xffffff) / 2 ** 24).toBeCloseTo(0.1743682, 7);
    expect(shardSeed(12, { index: 'seeded', number: 1 })).not.toBe(seed);
  });

  test('is the same for the same seed and value, and another for another', async () => {
    for (const field of ['n', 'd', 'k', '_seq_no']) {
      const first = await best({ seed: 12, field });
      expect(await best({ seed: 12, field })).toBe(first);
      expect(await best({ seed: 13, field })).not.toBe(first);
    }
  });

  test('takes a text, and a number longer than 32 bits, as their hashes', async () => {
    expect(await best({ seed: 'ab', field: 'n' })).toBe(await best({ seed: 3105, field: 'n' }));
    expect(await best({ seed: 5_000_000_000, field: 'n' })).toBe(await best({ seed: 705032705, field: 'n' }));
    await expect(best({ seed: 1.5, field: 'n' })).rejects.toThrow('must be an int, long or string');
  });
});
