/** Significant terms over shards, against the plainest count of both sides. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Answer, answerOf, bucketsIn } from '../aggregation-answer.test-support.ts';

const MAPPING = {
  properties: { t: { type: 'keyword' }, n: { type: 'long' }, g: { type: 'keyword' }, d: { type: 'double' } },
};

interface Doc {
  readonly t: readonly string[];
  readonly n: readonly number[];
  readonly g: string;
}

const doc: fc.Arbitrary<Doc> = fc.record({
  t: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 3 }),
  n: fc.uniqueArray(fc.nat(4), { maxLength: 2 }),
  g: fc.constantFrom('x', 'y'),
});
const shardLists = fc.array(fc.array(doc, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 3 });

/**
 * Counts of the terms that are more frequent in the group than among all, by key. A shard knows of the background of the terms
 * alone that its own documents of the group have.
 */
function expected<Key>(shards: readonly (readonly Doc[])[], group: string, termsOf: (one: Doc) => readonly Key[]) {
  const inGroup = (docs: readonly Doc[]): readonly Doc[] => docs.filter(({ g }) => g === group);
  const having = (docs: readonly Doc[], key: Key): number => docs.filter((one) => termsOf(one).includes(key)).length;
  const docs = shards.flat();
  const inside = inGroup(docs);
  return [...new Set(inside.flatMap(termsOf))]
    .map((key) => {
      const known = shards.filter((shard) => having(inGroup(shard), key) > 0).flat();
      return { key, doc_count: having(inside, key), bg_count: having(known, key) };
    })
    .filter((one) => one.doc_count / inside.length > one.bg_count / docs.length);
}

const counts = (result: Answer | undefined): readonly unknown[] =>
  bucketsIn(result)
    .map(({ key, doc_count, bg_count }) => ({ key, doc_count, bg_count }))
    .toSorted((a, b) => (String(a.key) < String(b.key) ? -1 : 1));

const byKey = (a: { key: unknown }, b: { key: unknown }): number => (String(a.key) < String(b.key) ? -1 : 1);

test('significant terms are those that are more frequent in a bucket than among all documents', async () => {
  await fc.assert(
    fc.asyncProperty(shardLists, async (shards) => {
      const aggs = {
        t: { significant_terms: { field: 't', min_doc_count: 1 } },
        n: { significant_terms: { field: 'n', min_doc_count: 1 } },
      };
      const groups = ['x', 'y'].map((group) => [group, { filter: { term: { g: group } }, aggs }]);
      const answer = await answerOf(MAPPING, shards, Object.fromEntries(groups));
      const docs = shards.flat();
      for (const group of ['x', 'y']) {
        const bucket = answer[group] ?? {};
        expect(bucket.t).toMatchObject({ doc_count: bucket.doc_count, bg_count: docs.length });
        expect(counts(bucket.t)).toEqual(expected(shards, group, ({ t }) => t).toSorted(byKey));
        expect(counts(bucket.n)).toEqual(expected(shards, group, ({ n }) => n).toSorted(byKey));
        const scores = bucketsIn(bucket.t).map(({ score }) => Number(score));
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      }
    }),
    { numRuns: 40 },
  );
});

describe('significant terms', () => {
  const docs = [
    { t: ['a', 'b'], n: 1, g: 'x' },
    { t: ['a'], n: 2, g: 'y' },
    { t: [], n: 3, g: 'y' },
  ];
  const within = (options: object, aggs: object = {}) => ({
    f: {
      filter: { term: { g: 'x' } },
      aggs: { s: { significant_terms: { field: 't', min_doc_count: 1, ...options }, aggs } },
    },
  });

  test('are scored, the most significant first, with aggregations inside', async () => {
    const answer = await answerOf(MAPPING, [docs], within({}, { n: { sum: { field: 'n' } } }));
    expect(answer.f?.s).toEqual({
      doc_count: 1,
      bg_count: 3,
      buckets: [
        { key: 'b', doc_count: 1, score: 2, bg_count: 1, n: { value: 1 } },
        { key: 'a', doc_count: 1, score: 0.5, bg_count: 2, n: { value: 1 } },
      ],
    });
  });

  test('are compared with the documents of a filter', async () => {
    const answer = await answerOf(MAPPING, [docs], within({ background_filter: { term: { t: 'a' } } }));
    expect(answer.f?.s).toMatchObject({ bg_count: 2, buckets: [{ key: 'b', score: 1, bg_count: 1 }] });
  });

  test.each([
    [{ size: 1 }, ['b']],
    [{ include: 'a.*' }, ['a']],
    [{ exclude: ['b'] }, ['a']],
    [{ min_doc_count: 2 }, []],
    [{ field: 't', script: "_value + '!'" }, ['b!', 'a!']],
  ])('with %j', async (options, keys) => {
    const answer = await answerOf(MAPPING, [docs], within(options));
    expect(bucketsIn(answer.f?.s).map(({ key }) => key)).toEqual(keys);
  });

  test('of a field that is not mapped have no counts; of fractions there are none', async () => {
    const answer = await answerOf(MAPPING, [docs], { s: { significant_terms: { field: 'x' } } });
    expect(answer.s).toEqual({ buckets: [] });
    const fractions = answerOf(MAPPING, [docs], { s: { significant_terms: { field: 'd' } } });
    await expect(fractions).rejects.toThrow('No support for examining floating point numerics');
  });
});
