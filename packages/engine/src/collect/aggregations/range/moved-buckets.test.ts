/** Buckets that a pipeline aggregation took away or moved keep the names that the request gave them. */
import { describe, expect, test } from 'vitest';
import { answerOf } from '../aggregation-answer.test-support.ts';

const MAPPING = { properties: { n: { type: 'long' }, a: { type: 'ip' } } };
const SHARDS = [
  [
    { n: 1, a: '10.0.0.1' },
    { n: 6, a: '10.0.0.9' },
  ],
  [{ n: 7, a: '10.0.0.9' }],
];

const FIRST_GONE = { gone: { bucket_selector: { buckets_path: { c: '_count' }, script: 'params.c > 1' } } };
const MOST_FIRST = { order: { bucket_sort: { sort: [{ _count: { order: 'desc' } }] } } };
const keysOf = (buckets: unknown): unknown[] => (buckets as { key: string }[]).map(({ key }) => key);

describe('where the first bucket is taken away', () => {
  test('filters under keys keep theirs', async () => {
    const filters = { low: { range: { n: { lt: 5 } } }, high: { range: { n: { gte: 5 } } } };
    const { a } = await answerOf(MAPPING, SHARDS, { a: { filters: { filters }, aggs: FIRST_GONE } });
    expect(a?.buckets).toEqual({ high: { doc_count: 2 } });
  });

  test('ranges under keys keep theirs', async () => {
    const range = {
      field: 'n',
      keyed: true,
      ranges: [
        { key: 'low', to: 5 },
        { key: 'high', from: 5 },
      ],
    };
    const { a } = await answerOf(MAPPING, SHARDS, { a: { range, aggs: FIRST_GONE } });
    expect(a?.buckets).toEqual({ high: { from: 5, doc_count: 2 } });
  });

  test('ranges of addresses keep their ends', async () => {
    const ranges = [{ to: '10.0.0.5' }, { from: '10.0.0.5' }];
    const { a } = await answerOf(MAPPING, SHARDS, { a: { ip_range: { field: 'a', ranges }, aggs: FIRST_GONE } });
    expect(a?.buckets).toEqual([{ key: '10.0.0.5-*', from: '10.0.0.5', doc_count: 2 }]);
  });
});

describe('where buckets are sorted by their count', () => {
  test('ranges come in that order, with their own ends', async () => {
    const range = { field: 'n', ranges: [{ to: 5 }, { from: 5 }] };
    const { a } = await answerOf(MAPPING, SHARDS, { a: { range, aggs: MOST_FIRST } });
    expect(keysOf(a?.buckets)).toEqual(['5.0-*', '*-5.0']);
  });

  test('a matrix does, without combinations that are empty', async () => {
    const filters = { x: { term: { n: 1 } }, y: { range: { n: { gte: 6 } } }, z: { term: { n: 99 } } };
    const { a } = await answerOf(MAPPING, SHARDS, { a: { adjacency_matrix: { filters }, aggs: MOST_FIRST } });
    expect(keysOf(a?.buckets)).toEqual(['y', 'x']);
  });
});

test('ranges in any order of the request come in that of their ends', async () => {
  const range = { field: 'n', ranges: [{ from: 5 }, { to: 5 }] };
  const { a } = await answerOf(MAPPING, SHARDS, { a: { range } });
  expect(keysOf(a?.buckets)).toEqual(['*-5.0', '5.0-*']);
});
