import { describe, expect, test } from 'vitest';
import { type Answer, answerOf, bucketsIn } from '../aggregation-answer.test-support.ts';

const MAPPING = {
  properties: { d: { type: 'date' }, k: { type: 'keyword' }, v: { type: 'double' }, h: { type: 'histogram' } },
};
const DOCS = [
  { d: '2024-01-05', k: 'a', v: [1, 2], h: { values: [2], counts: [5] } },
  { d: '2024-01-25', k: 'b', v: 28, _doc_count: 5 },
  { d: '2024-02-10', k: 'a', v: 29 },
  { d: '2024-04-01', k: 'a' },
];

async function rates(around: object, rate: object): Promise<unknown> {
  const aggs = { d: { ...around, aggs: { r: { rate } } } };
  const { d } = await answerOf(MAPPING, [DOCS.slice(0, 1), DOCS.slice(1, 3), DOCS.slice(3)], aggs);
  return bucketsIn(d).map(({ r }) => r?.value);
}

const MONTHS = { date_histogram: { field: 'd', calendar_interval: 'month' } };

describe('rate', () => {
  test.each([
    ['values a day', { field: 'v', unit: 'day' }, [1, 1, 0, 0]],
    ['values a month', { field: 'v', unit: 'month' }, [31, 29, 0, 0]],
    ['values an interval', { field: 'v' }, [31, 29, 0, 0]],
    ['numbers of values a year', { field: 'v', unit: 'year', mode: 'value_count' }, [36, 12, 0, 0]],
    ['documents a quarter', { unit: 'quarter' }, [6, 3, 0, 3]],
    ['values of a script a year', { script: "doc['d'].value.monthValue", unit: 'year' }, [24, 24, 0, 48]],
    ['counted values', { field: 'h' }, [10, 0, 0, 0]],
    ['numbers of counted values', { field: 'h', mode: 'value_count' }, [5, 0, 0, 0]],
  ])('of %s', async (_, rate, values) => {
    expect(await rates(MONTHS, rate)).toEqual(values);
  });

  test('of fixed intervals', async () => {
    const halves = { date_histogram: { field: 'd', fixed_interval: '12h', min_doc_count: 1 } };
    expect(await rates(halves, { field: 'v', unit: 'day' })).toEqual([6, 56, 58, 0]);
  });

  test('of the one date of a composite', async () => {
    const sources = [{ k: { terms: { field: 'k' } } }, { m: MONTHS }];
    expect(await rates({ composite: { sources } }, { field: 'v', unit: 'day' })).toEqual([3 / 31, 1, 0, 28 / 31]);
  });

  test('below other aggregations is that of the nearest interval, orders them, and is read by pipelines', async () => {
    const terms = { terms: { field: 'k', order: { r: 'asc' } }, aggs: { r: { rate: { field: 'v', unit: 'day' } } } };
    const max = { max_bucket: { buckets_path: 't>r' } };
    const { d } = await answerOf(MAPPING, [DOCS.slice(0, 1), DOCS.slice(1)], {
      d: { ...MONTHS, aggs: { t: terms, max, whole: { rate: { field: 'v', format: '0.0' } } } },
    });
    const [first] = bucketsIn(d);
    const shown = ({ key, r }: Answer) => [key, r?.value];
    expect(bucketsIn(first?.t).map(shown)).toEqual([
      ['a', 3 / 31],
      ['b', 28 / 31],
    ]);
    expect(first).toMatchObject({
      max: { value: 28 / 31, keys: ['b'] },
      whole: { value: 31, value_as_string: '31.0' },
    });
  });
});
