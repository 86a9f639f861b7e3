/** Ranges and bounds of dates: how their texts and numbers are read. */
import {
  BucketBudget,
  finishAggregations,
  parseAggregations,
  readPartials,
  renderAggregations,
} from '@shoal/aggregations';
import { type JsonObjectNode, parseJsonTree, writeJsonText } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = {
  properties: { d: { type: 'date' }, s: { type: 'date', format: 'epoch_second' }, n: { type: 'long' } },
};
const DOCS = [
  { d: '2020-01-01T00:00:00Z', s: 1_577_836_800, n: 12 },
  { d: '2021-06-15T12:30:00Z', s: 1_623_760_200, n: 25 },
  { d: '2022-12-31T23:59:59Z', s: 1_672_531_199, n: 37 },
];
const NOW = Date.UTC(2024, 1, 10);

async function buckets(kind: string, body: object, inner = {}): Promise<readonly Record<string, unknown>[]> {
  const aggs = { a: { [kind]: body, aggs: inner } };
  const context = memoryContext(MAPPING, [DOCS.map((doc, i) => ({ id: String(i), source: JSON.stringify(doc) }))]);
  const { aggregations } = await runQuery(context, { size: 0, aggs }, { topN: 0, nowMs: NOW });
  if (aggregations === null) throw new Error('no aggregations');
  const tree = parseAggregations(parseJsonTree(new TextEncoder().encode(JSON.stringify(aggs))) as JsonObjectNode);
  const finished = finishAggregations(tree, [readPartials(aggregations)], new BucketBudget(1_000), NOW);
  return JSON.parse(writeJsonText(renderAggregations(tree, finished, { typedKeys: false }))).a.buckets;
}

const ranges = async (body: object) =>
  (await buckets('date_range', body)).map(({ key, doc_count }) => [key, doc_count]);
const years = async (body: object) =>
  (await buckets('date_histogram', { field: 'd', calendar_interval: 'year', format: 'yyyy', ...body })).map(
    ({ key_as_string, doc_count }) => `${key_as_string}:${doc_count}`,
  );

describe('a date range', () => {
  test('of a field in seconds reads numbers and texts as seconds', async () => {
    const list = [{ from: 1_577_836_800, to: 1_623_760_200 }, { from: '1623760200' }];
    expect(await ranges({ field: 's', ranges: list })).toEqual([
      ['1577836800-1623760200', 1],
      ['1623760200-*', 2],
    ]);
  });
  test('reads dates in the format of the request', async () => {
    expect(await ranges({ field: 's', format: 'yyyy-MM-dd', ranges: [{ to: '2021-01-01' }] })).toEqual([
      ['*-2021-01-01', 1],
    ]);
    expect(await ranges({ field: 'd', format: 'epoch_second', ranges: [{ from: 1_623_760_200 }] })).toEqual([
      ['1623760200-*', 2],
    ]);
  });
  test('rounds down, an upper end as well', async () => {
    const list = [{ to: '2021-06-15||/y' }, { from: '2021-06-15||/y', to: '2021-06-15||+1y/y' }];
    expect(await ranges({ field: 'd', format: 'yyyy-MM-dd', ranges: list })).toEqual([
      ['*-2021-01-01', 1],
      ['2021-01-01-2022-01-01', 1],
    ]);
  });
  test('of a field that is not mapped is one of dates', async () => {
    const list = [{ from: '2020', to: '2021' }];
    expect(await ranges({ field: 'nope', format: 'yyyy', ranges: list })).toEqual([['2020-2021', 0]]);
    expect(await ranges({ field: 'nope', format: 'yyyy', missing: '2020', ranges: list })).toEqual([['2020-2021', 3]]);
    expect(await ranges({ field: 'nope', ranges: [{ from: '2020-01-01||/y' }] })).toEqual([
      ['2020-01-01T00:00:00.000Z-*', 0],
    ]);
  });
  test('of a fraction of a second in seconds shows the fraction', async () => {
    const list = [{ from: '2020-01-01T00:00:00.250Z' }];
    const format = 'epoch_second||strict_date_time';
    expect(await ranges({ field: 'd', format, ranges: list })).toEqual([['1577836800.25-*', 2]]);
  });
});

describe('bounds of a date histogram', () => {
  test('that are hard leave out buckets by their keys, the one of the upper bound as well', async () => {
    expect(await years({ hard_bounds: { min: '2020', max: '2022' } })).toEqual(['2020:1', '2021:1']);
    const inside = { hard_bounds: { min: '2020-06-01', max: '2021-12-01' }, format: 'yyyy||yyyy-MM-dd' };
    expect(await years(inside)).toEqual(['2020:1']);
    expect(await years({ hard_bounds: { min: '2021||-1y', max: '2021||/y' } })).toEqual(['2020:1']);
  });
  test('do not move with its offset', async () => {
    const moved = { offset: '+1d', hard_bounds: { min: '2021', max: '2022' } };
    expect(await years(moved)).toEqual(['2021:1']);
    expect(await years({ offset: '+1d', extended_bounds: { min: '2021', max: '2023' } })).toEqual([
      '2019:1',
      '2020:0',
      '2021:1',
      '2022:1',
      '2023:0',
    ]);
  });
  test('that are extended take date math', async () => {
    expect(await years({ extended_bounds: { min: '2020||-1y', max: 'now/y' } })).toEqual([
      '2019:0',
      '2020:1',
      '2021:1',
      '2022:1',
      '2023:0',
      '2024:0',
    ]);
  });
  test('that are extended have their buckets in a gap of an outer histogram as well', async () => {
    const year = { field: 'd', calendar_interval: 'year', format: 'yyyy' };
    const b = { date_histogram: { ...year, extended_bounds: { min: '2020', max: '2022' } } };
    const outer = await buckets('date_histogram', { ...year, calendar_interval: 'quarter' }, { b });
    const shown = outer.map(({ b: histogram }) =>
      (histogram as { buckets: Record<string, unknown>[] }).buckets.map(
        ({ key_as_string, doc_count }) => `${key_as_string}:${doc_count}`,
      ),
    );
    expect(shown.slice(0, 2)).toEqual([
      ['2020:1', '2021:0', '2022:0'],
      ['2020:0', '2021:0', '2022:0'],
    ]);
  });
  test('contradict neither themselves nor each other', async () => {
    const wrong = { min: '2022', max: '2021' };
    await expect(years({ extended_bounds: wrong })).rejects.toThrow('[extended_bounds.min][1640995200000] cannot be');
    await expect(years({ hard_bounds: wrong })).rejects.toThrow('[hard_bounds.min][1640995200000] cannot be');
    const outside = { extended_bounds: { min: '2019', max: '2021' }, hard_bounds: { min: '2020', max: '2024' } };
    await expect(years(outside)).rejects.toThrow('Extended bounds have to be inside hard bounds');
  });
});

test('hard bounds of a histogram of numbers are compared with multiples of its interval', async () => {
  const keys = async (body: object) =>
    (await buckets('histogram', { field: 'n', interval: 10, min_doc_count: 1, ...body })).map(({ key }) => key);
  expect(await keys({ hard_bounds: { min: 15, max: 30 } })).toEqual([20, 30]);
  expect(await keys({ hard_bounds: { min: 20, max: 25 }, offset: 5 })).toEqual([25]);
});
