import {
  BucketBudget,
  finishAggregations,
  parseAggregations,
  readPartials,
  renderAggregations,
} from '@shoal/aggregations';
import { type JsonObjectNode, parseJsonTree, writeJsonText } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { memoryContext, runQuery } from '../../../phases/query/memory-searcher.test-support.ts';

const MAPPING = {
  properties: {
    whole: { type: 'integer_range' },
    day: { type: 'date_range', format: 'yyyy-MM-dd' },
    net: { type: 'ip_range' },
  },
};
const SOURCES = [
  '{"whole":{"gte":1,"lt":5},"day":{"gte":"2020-01-01","lt":"2020-02-01"},"net":"10.0.0.0/8"}',
  '{"whole":[{"gte":3,"lte":7},{"gte":4,"lte":9}],"day":{"gt":"2020-01-15","lte":"2020-01-17"}}',
  '{}',
];

async function aggregated(body: object, sources: readonly string[] = SOURCES): Promise<Record<string, unknown>> {
  const aggs = { a: body };
  const context = memoryContext(MAPPING, [sources.map((source, i) => ({ id: String(i), source }))]);
  const { aggregations } = await runQuery(context, { size: 0, aggs }, { topN: 0 });
  if (aggregations === null) throw new Error('no aggregations');
  const tree = parseAggregations(parseJsonTree(new TextEncoder().encode(JSON.stringify(aggs))) as JsonObjectNode);
  const finished = finishAggregations(tree, [readPartials(aggregations)], new BucketBudget(1_000), 0);
  return JSON.parse(writeJsonText(renderAggregations(tree, finished, { typedKeys: false }))).a;
}

async function counts(body: object): Promise<string[]> {
  const { buckets } = await aggregated(body);
  return (buckets as { key: number; key_as_string?: string; doc_count: number }[]).map(
    ({ key, key_as_string, doc_count }) => `${key_as_string ?? key}:${doc_count}`,
  );
}

describe('a histogram over ranges', () => {
  test('counts a document once in each interval that its ranges touch', async () => {
    expect(await counts({ histogram: { field: 'whole', interval: 2 } })).toEqual(['0:1', '2:2', '4:2', '6:1', '8:1']);
    expect(await counts({ histogram: { field: 'whole', interval: 2, offset: 1 } })).toEqual([
      '1:1',
      '3:2',
      '5:1',
      '7:1',
      '9:1',
    ]);
  });

  test('cuts ranges to its hard bounds', async () => {
    const body = { field: 'whole', interval: 2, hard_bounds: { min: 3, max: 6 } };
    expect(await counts({ histogram: body })).toEqual(['2:2', '4:2', '6:1']);
    const days = { field: 'day', calendar_interval: 'day', hard_bounds: { min: '2020-01-14', max: '2020-01-16' } };
    expect(await counts({ date_histogram: days })).toEqual(['2020-01-14:1', '2020-01-15:2', '2020-01-16:2']);
  });

  test('of dates takes calendar intervals', async () => {
    expect(await counts({ date_histogram: { field: 'day', calendar_interval: 'week' } })).toEqual([
      '2019-12-30:1',
      '2020-01-06:1',
      '2020-01-13:2',
      '2020-01-20:1',
      '2020-01-27:1',
    ]);
  });

  test('refuses a range that touches too many intervals', async () => {
    await expect(aggregated({ histogram: { field: 'whole', interval: 1 } }, ['{"whole":{}}'])).rejects.toThrow(
      'ranges touch more than [1000000] intervals',
    );
  });

  test.each([
    [{ date_histogram: { field: 'whole', calendar_interval: 'day' } }, 'Expected date range type but found range type'],
    [
      { histogram: { field: 'net', interval: 1 } },
      'Expected numeric range type but found non-numeric range [ip_range]',
    ],
    [{ histogram: { field: 'whole', interval: 1, missing: 1 } }, "Can't apply missing values on a class"],
    [{ terms: { field: 'whole' } }, 'Field [whole] of type [integer_range] is not supported for aggregation [terms]'],
    [{ avg: { field: 'whole' } }, 'Field [whole] of type [integer_range] is not supported for aggregation [avg]'],
    [
      { ip_range: { field: 'net', ranges: [{ mask: '10.0.0.0/8' }] } },
      'Field [net] of type [ip_range] is not supported for aggregation [ip_range]',
    ],
  ])('refuses %j', async (body, reason) => {
    await expect(aggregated(body)).rejects.toThrow(reason);
  });
});

test('value_count counts the documents that have a range, missing those that have none', async () => {
  expect(await aggregated({ value_count: { field: 'whole' } })).toEqual({ value: 2 });
  expect(await aggregated({ missing: { field: 'whole' } })).toEqual({ doc_count: 1 });
});
