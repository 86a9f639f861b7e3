import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerOf, bucketsIn } from '../aggregation-answer.test-support.ts';

const MAPPING = {
  properties: {
    kind: { type: 'keyword' },
    n: { type: 'integer' },
    big: { type: 'long' },
    d: { type: 'double' },
    flag: { type: 'boolean' },
  },
};
const DOCS = [
  { kind: 'a', n: 1, big: '9007199254740993', d: 0.5, flag: true },
  { kind: 'b', n: [2, 3], big: 5, d: 1.5, flag: false },
  { kind: 'b', n: 3 },
  { kind: 'c' },
];

/** `[key, doc_count]` of the buckets of `field` among documents of `kind`, with what else the terms are told. */
async function counts(field: string, kind: string, options: object = {}): Promise<unknown[]> {
  const t = { terms: { field, min_doc_count: 0, order: { _key: 'asc' }, ...options } };
  const answer = await answerOf(MAPPING, [DOCS], { f: { filter: { term: { kind } }, aggs: { t } } });
  return bucketsIn(answer.f?.t).map(({ key, doc_count: count }) => [key, count]);
}

describe('terms of documents that do not match', () => {
  test.each([
    [
      'kind',
      [
        ['a', 0],
        ['b', 0],
        ['c', 1],
      ],
    ],
    [
      'n',
      [
        [1, 0],
        [2, 0],
        [3, 0],
      ],
    ],
    [
      'd',
      [
        [0.5, 0],
        [1.5, 0],
      ],
    ],
    [
      'flag',
      [
        [0, 0],
        [1, 0],
      ],
    ],
  ])('are buckets without documents, of %s', async (field, expected) => {
    expect(await counts(field, 'c')).toEqual(expected);
  });

  test('are ordered, cut and chosen like others', async () => {
    expect(await counts('n', 'b', { order: { _count: 'desc' }, size: 2 })).toEqual([
      [3, 2],
      [2, 1],
    ]);
    expect(await counts('n', 'c', { include: [1, 3] })).toEqual([
      [1, 0],
      [3, 0],
    ]);
    expect(await counts('big', 'c')).toHaveLength(2);
  });

  test('have one for what stands for no value, unless it is not chosen', async () => {
    const texts = [
      ['a', 0],
      ['b', 0],
      ['c', 1],
    ] as const;
    expect(await counts('kind', 'c', { missing: 'none' })).toEqual([...texts, ['none', 0]]);
    expect(await counts('kind', 'c', { missing: 'c' })).toEqual(texts);
    expect(await counts('kind', 'c', { missing: 'none', include: '[a-c]' })).toEqual(texts);
  });

  test('stand in every bucket around them', async () => {
    const inner = { terms: { field: 'n', min_doc_count: 0, order: { _key: 'asc' } } };
    const answer = await answerOf(MAPPING, [DOCS.slice(0, 2), DOCS.slice(2)], {
      k: { terms: { field: 'kind', order: { _key: 'asc' } }, aggs: { t: inner } },
    });
    expect(bucketsIn(answer.k).map((bucket) => bucketsIn(bucket.t).map(({ doc_count: count }) => count))).toEqual([
      [1, 0, 0],
      [0, 1, 2],
      [0],
    ]);
  });

  const nested = (order: object, options: object) => ({
    terms: { field: 'kind', min_doc_count: 0, size: 3, shard_size: 4, order, ...options },
  });
  test.each([
    [{ _count: 'desc' }, {}],
    [{ _key: 'asc' }, {}],
    [{ _key: 'desc' }, {}],
    [[{ _count: 'desc' }, { _key: 'desc' }], {}],
    [{ _count: 'desc' }, { include: 'k[1-6]' }],
    [{ _key: 'desc' }, { exclude: 'k8', missing: 'k9' }],
  ])('are the first of all terms in every bucket around them, ordered by %j with %j', async (order, options) => {
    const docs = fc.sample(
      fc.record({ kind: fc.integer({ min: 0, max: 8 }).map((k) => `k${k}`), n: fc.integer({ min: 0, max: 3 }) }),
      { numRuns: 24, seed: 11 },
    );
    const all = nested(order, options);
    const cut = { histogram: { field: 'n', interval: 1 }, aggs: { t: all } };
    const whole = { histogram: { field: 'n', interval: 1 }, aggs: { t: { terms: { ...all.terms, shard_size: 100 } } } };
    const segments = [docs.slice(0, 3), docs.slice(3, 10), docs.slice(10)];
    const answer = await answerOf(MAPPING, segments, { cut, whole });
    const lists = (name: string): unknown[] => bucketsIn(answer[name]).map((bucket) => bucketsIn(bucket.t));
    expect(lists('cut')).toEqual(lists('whole'));
    expect(bucketsIn(bucketsIn(answer.whole)[0]?.t)).toHaveLength(3);
  });
});
