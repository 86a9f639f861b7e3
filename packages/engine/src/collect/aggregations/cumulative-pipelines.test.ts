/** `cumulative_cardinality` and the forecasts of `moving_avg` in answers. */
import { expect, test } from 'vitest';
import { answerOf, bucketsIn } from './aggregation-answer.test-support.ts';

const MAPPING = { properties: { k: { type: 'keyword' }, d: { type: 'date' }, n: { type: 'long' } } };
const SHARDS = [
  [
    { d: '2020-01-05', k: 'a', n: 2 },
    { d: '2020-02-05', k: ['a', 'b'], n: 4 },
  ],
  [
    { d: '2020-02-06', k: 'c', n: 6 },
    { d: '2020-04-01', k: 'd', n: 1 },
  ],
];
const months = { field: 'd', calendar_interval: 'month' };

test('distinct values are counted up to each bucket, whatever stands in it', async () => {
  const aggs = {
    c: { cardinality: { field: 'k' } },
    all: { cumulative_cardinality: { buckets_path: 'c', format: '0.0' } },
  };
  const { h } = await answerOf(MAPPING, SHARDS, { h: { date_histogram: months, aggs } });
  expect(bucketsIn(h).map(({ all }) => all)).toEqual([
    { value: 1, value_as_string: '1.0' },
    { value: 3, value_as_string: '3.0' },
    { value: 3, value_as_string: '3.0' },
    { value: 4, value_as_string: '4.0' },
  ]);
});

test('a path to anything else is refused', async () => {
  const aggs = { s: { sum: { field: 'n' } }, all: { cumulative_cardinality: { buckets_path: 's' } } };
  const asked = answerOf(MAPPING, SHARDS, { h: { date_histogram: months, aggs } });
  await expect(asked).rejects.toThrow('buckets_path must reference a cardinality aggregation');
});

test('forecasts stand in buckets of the next intervals, without the other aggregations', async () => {
  const aggs = {
    s: { sum: { field: 'n' } },
    m: { moving_avg: { buckets_path: 's', predict: 2, format: '0.0' } },
    twice: { bucket_script: { buckets_path: { x: 'm' }, script: 'params.x * 2' } },
    t: { terms: { field: 'k' } },
  };
  const { h } = await answerOf(MAPPING, SHARDS, { h: { date_histogram: months, aggs } });
  const shown = bucketsIn(h);
  expect(
    shown.map(({ key_as_string, s, m }) => [String(key_as_string).slice(0, 7), s?.value, m?.value_as_string]),
  ).toEqual([
    ['2020-01', 2, undefined],
    ['2020-02', 10, '2.0'],
    ['2020-03', 0, undefined],
    ['2020-04', 1, '6.0'],
    ['2020-05', undefined, '4.3'],
    ['2020-06', undefined, '4.3'],
  ]);
  expect(Object.keys(shown[5] ?? {})).not.toContain('t');
});
