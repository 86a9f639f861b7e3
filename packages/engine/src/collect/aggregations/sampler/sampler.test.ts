/** Samples of a shard, against the plainest choice of the best documents. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerOf, bucketsIn } from '../aggregation-answer.test-support.ts';
import { BestDocs } from './best-docs.ts';

const MAPPING = { properties: { n: { type: 'long' }, t: { type: 'keyword' }, d: { type: 'double' } } };

const entries = fc.array(fc.record({ score: fc.nat(5), key: fc.nat(3) }), { maxLength: 300 });

test('the best documents are those that are best of all, few of them with one key', () => {
  fc.assert(
    fc.property(entries, fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 4 }), (list, size, perKey) => {
      const best = new BestDocs({ size, perKey });
      for (const [doc, { score, key }] of list.entries()) best.add(doc, score, key);
      const counts = new Map<number, number>();
      const expected: number[] = [];
      const sorted = [...list.entries()].sort(([a, x], [b, y]) => y.score - x.score || a - b);
      for (const [doc, { key }] of sorted) {
        const count = counts.get(key) ?? 0;
        if (count >= perKey || expected.length === size) continue;
        counts.set(key, count + 1);
        expected.push(doc);
      }
      expect(best.docs()).toEqual(expected.sort((a, b) => a - b));
    }),
  );
});

describe('a sampler', () => {
  const shards = [
    [{ n: 1, t: 'a' }, { n: 2, t: 'a' }, { n: 3, t: 'b' }, { n: 4 }, { n: 5 }],
    [
      { n: 6, t: 'a' },
      { n: 7, t: 'b' },
    ],
  ];
  const inside = { sum: { sum: { field: 'n' } } };

  test('hands on so many documents of each shard', async () => {
    const answer = await answerOf(MAPPING, shards, { s: { sampler: { shard_size: 2 }, aggs: inside } });
    expect(answer.s).toEqual({ doc_count: 4, sum: { value: 1 + 2 + 6 + 7 } });
  });

  test('hands on as many of each bucket around it', async () => {
    const s = { sampler: { shard_size: 1 }, aggs: inside };
    const answer = await answerOf(MAPPING, shards, { t: { terms: { field: 't' }, aggs: { s } } });
    expect(bucketsIn(answer.t)).toEqual([
      { key: 'a', doc_count: 3, s: { doc_count: 2, sum: { value: 7 } } },
      { key: 'b', doc_count: 2, s: { doc_count: 2, sum: { value: 10 } } },
    ]);
  });

  test.each([
    ['texts, of which the first stands for none', { field: 't' }, [1, 3, 6, 7]],
    ['hashes of texts', { field: 't', execution_hint: 'map' }, [1, 3, 4, 6, 7]],
    ['two of each text', { field: 't', max_docs_per_value: 2 }, [1, 2, 3, 6, 7]],
    ['none of any text', { field: 't', max_docs_per_value: 0 }, []],
    ['what a script makes', { script: "doc['n'].value % 2" }, [1, 2, 6, 7]],
    ['a value that stands for none', { field: 't', missing: 'a' }, [1, 3, 6, 7]],
    ['a field without values, which are alike', { field: 'd' }, [1, 6]],
  ])('takes documents apart by %s', async (_, options, expected) => {
    const s = { diversified_sampler: options, aggs: { n: { terms: { field: 'n', order: { _key: 'asc' } } } } };
    const answer = await answerOf(MAPPING, shards, { s });
    expect(bucketsIn(answer.s?.n).map(({ key }) => key)).toEqual(expected);
  });

  test('of a field that is not mapped is empty', async () => {
    const answer = await answerOf(MAPPING, shards, { s: { diversified_sampler: { field: 'x' }, aggs: inside } });
    expect(answer.s).toEqual({ doc_count: 0 });
  });

  test.each([
    [{ sampler: { shard_size: 0 }, aggs: inside }, 'numHits must be > 0'],
    [{ sampler: { shard_size: 2 } }, 'Sampler aggregation must be used with child aggregations.'],
    [{ sampler: { size: 2 }, aggs: inside }, 'Unsupported property "size" for aggregation "s'],
    [{ diversified_sampler: { max_docs_per_value: 1 }, aggs: inside }, 'Required one of fields [field, script]'],
    [{ diversified_sampler: { field: 't', execution_hint: 'x' }, aggs: inside }, 'Unknown `execution_hint`: [x]'],
  ])('%j is refused', async (request, reason) => {
    await expect(answerOf(MAPPING, shards, { s: request })).rejects.toThrow(reason);
  });

  test('takes no field with several values', async () => {
    const docs = [[{ t: ['a', 'b'], n: 1 }]];
    const request = { diversified_sampler: { field: 't' }, aggs: inside };
    await expect(answerOf(MAPPING, docs, { s: request })).rejects.toThrow('must be a single valued-field');
  });
});
