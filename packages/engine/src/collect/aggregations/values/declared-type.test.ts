import { describe, expect, test } from 'vitest';
import { answerOf, bucketsIn } from '../aggregation-answer.test-support.ts';

const MAPPING = {
  properties: { n: { type: 'long' }, k: { type: 'keyword' }, t: { type: 'date' }, g: { type: 'geo_point' } },
};
const DOCS = [{ n: [1, 3], k: 'a', t: '2020-03-04', g: '10,20' }, { n: 7 }];

const answer = (type: string, options: object) => answerOf(MAPPING, [DOCS], { x: { [type]: options } });

describe('the type that a request says its values are of', () => {
  test.each([
    ['avg', 'n', 'string', 'Field [n] of type [long] is not supported for aggregation [avg]'],
    ['percentiles', 'n', 'ip', 'Field [n] of type [long] is not supported for aggregation [percentiles]'],
    ['sum', 't', 'string', 'Field [t] of type [date] is not supported for aggregation [sum]'],
    ['geo_bounds', 'g', 'string', 'Field [g] of type [geo_point] is not supported for aggregation [geo_bounds]'],
    ['geo_centroid', 'g', 'long', 'Expected numeric type on field [g], but got [geo_point]'],
    ['max', 'k', 'long', 'Expected numeric type on field [k], but got [keyword]'],
    ['value_count', 'k', 'date', 'Expected numeric type on field [k], but got [keyword]'],
    ['avg', 'missing', 'string', 'unmapped field is not supported for aggregation [avg]'],
    ['cardinality', 'n', 'foo', '[cardinality] failed to parse field [value_type]'],
    ['terms', 'n', 'range', '[terms] failed to parse field [value_type]'],
  ])('does not fit: %s of [%s] as [%s]', async (type, field, valueType, reason) => {
    await expect(answer(type, { field, value_type: valueType })).rejects.toThrow(reason);
  });

  test.each([
    ['avg', 'n', 'date', { value: 11 / 3 }],
    ['max', 't', 'long', { value: Date.parse('2020-03-04'), value_as_string: '2020-03-04T00:00:00.000Z' }],
    ['value_count', 'n', 'string', { value: 3 }],
    ['cardinality', 'k', 'string', { value: 1 }],
  ])('fits: %s of [%s] as [%s]', async (type, field, valueType, result) => {
    expect((await answer(type, { field, value_type: valueType })).x).toEqual(result);
  });

  test('of dates is asked for where none is named', async () => {
    const reason = 'Field [k] of type [keyword] is not supported for aggregation [date_histogram]';
    await expect(answer('date_histogram', { field: 'k', calendar_interval: 'year' })).rejects.toThrow(reason);
  });

  test('makes numbers texts in a composite', async () => {
    const { x } = await answer('composite', { sources: [{ a: { terms: { field: 'n', value_type: 'string' } } }] });
    expect(bucketsIn(x).map(({ key }) => key?.a)).toEqual(['1', '3', '7']);
  });

  test('of a weighted average is a number', async () => {
    const average = { value: { field: 'n' }, weight: { field: 'n' } };
    await expect(answer('weighted_avg', { ...average, value_type: 'string' })).rejects.toThrow(
      '[weighted_avg] failed to parse field [value_type]',
    );
    const [one] = [{ n: 4 }];
    const { x } = await answerOf(MAPPING, [[one ?? {}]], { x: { weighted_avg: { ...average, value_type: 'long' } } });
    expect(x).toEqual({ value: 4 });
  });
});
