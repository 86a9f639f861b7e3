/** `string_stats` over shards and segments, against the same computation over all texts. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerOf } from '../aggregation-answer.test-support.ts';

const MAPPING = { properties: { t: { type: 'keyword' }, n: { type: 'long' }, ip: { type: 'ip' } } };
const doc = fc.record({
  t: fc.uniqueArray(fc.string({ unit: fc.constantFrom('a', 'b', 'ü', '1'), maxLength: 6 }), { maxLength: 3 }),
});
const shardLists = fc.array(fc.array(doc, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 3 });

test('string_stats measures every text', async () => {
  await fc.assert(
    fc.asyncProperty(shardLists, async (shards) => {
      const answer = await answerOf(MAPPING, shards, { s: { string_stats: { field: 't', show_distribution: true } } });
      const texts = shards.flat().flatMap(({ t }) => t);
      expect(answer.s?.count).toBe(texts.length);
      if (texts.length === 0) {
        expect(answer.s).toMatchObject({ min_length: null, avg_length: null, entropy: 0, distribution: null });
        return;
      }
      const all = texts.join('');
      const shares = [...new Set(all)].map((one) => [
        one,
        [...all].filter((other) => other === one).length / all.length,
      ]);
      const lengths = texts.map(({ length }) => length);
      expect(answer.s?.min_length).toBe(Math.min(...lengths));
      expect(answer.s?.max_length).toBe(Math.max(...lengths));
      expect(answer.s?.avg_length).toBeCloseTo(all.length / texts.length, 12);
      expect(answer.s?.entropy).toBeCloseTo(
        shares.reduce((sum, [, share]) => sum - (share as number) * Math.log2(share as number), 0),
        9,
      );
      expect(answer.s?.distribution).toEqual(Object.fromEntries(shares));
    }),
    { numRuns: 40 },
  );
});

test('texts may be made by a script, and stand for none', async () => {
  const docs = [[{ t: ['ab'] }, { n: 1 }]];
  const answer = await answerOf(MAPPING, docs, {
    made: { string_stats: { script: "doc['t'].size() == 0 ? 'none' : doc['t'].value" } },
    doubled: { string_stats: { field: 't', script: '_value + _value' } },
    filled: { string_stats: { field: 't', missing: 'xyz' } },
  });
  expect([answer.made?.avg_length, answer.doubled?.avg_length, answer.filled?.avg_length]).toEqual([3, 4, 2.5]);
});

test.each([
  [{ field: 'n' }, 'Field [n] of type [long] is not supported for aggregation [string_stats]'],
  [{ field: 'ip' }, 'Field [ip] of type [ip] is not supported for aggregation [string_stats]'],
  [{ field: 't', format: '0.0' }, 'Field [t] of type [keyword] does not support custom formats'],
])('%j is refused', async (options, reason) => {
  await expect(answerOf(MAPPING, [[{ t: ['a'] }]], { s: { string_stats: options } })).rejects.toThrow(reason);
});
