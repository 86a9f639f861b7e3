/** `boxplot` of few values, which its sketch holds exactly. */
import { expect, test } from 'vitest';
import { answerOf, bucketsIn } from './aggregation-answer.test-support.ts';

const MAPPING = { properties: { n: { type: 'long' }, t: { type: 'keyword' } } };
const shards = [[1, 2, 3, 4, 5].map((n) => ({ n, t: 'a' })), [6, 7, 8, 9].map((n) => ({ n, t: n === 9 ? 'b' : 'a' }))];

test('a boxplot has the ends and the three quarters of the values', async () => {
  const answer = await answerOf(MAPPING, shards, {
    plain: { boxplot: { field: 'n' } },
    shown: { boxplot: { field: 'n', format: '0.00' } },
    none: { boxplot: { field: 'x' } },
  });
  expect(answer.plain).toMatchObject({ min: 1, max: 9, q2: 5 });
  expect(Number(answer.plain?.q1)).toBeGreaterThan(2);
  expect(Number(answer.plain?.q3)).toBeLessThan(8);
  expect(answer.shown?.max_as_string).toBe('9.00');
  expect(answer.none).toEqual({
    min: 'Infinity',
    max: '-Infinity',
    q1: 'NaN',
    q2: 'NaN',
    q3: 'NaN',
    lower: 'NaN',
    upper: 'NaN',
  });
});

test('whiskers end at the last values that are near the box', async () => {
  const far = [[-100, 1, 2, 3, 4].map((n) => ({ n, t: 'a' })), [5, 6, 7, 8, 9, 200].map((n) => ({ n, t: 'a' }))];
  const { b } = await answerOf(MAPPING, far, { b: { boxplot: { field: 'n' } } });
  expect(b).toMatchObject({ min: -100, max: 200, lower: 1, upper: 9 });
});

test('buckets may be ordered by a value of it, and pipelines may read one', async () => {
  const aggs = {
    b: { boxplot: { field: 'n' } },
    s: { bucket_script: { buckets_path: { m: 'b.max' }, script: 'params.m' } },
  };
  const answer = await answerOf(MAPPING, shards, { t: { terms: { field: 't', order: { 'b.min': 'desc' } }, aggs } });
  expect(bucketsIn(answer.t).map(({ key, s }) => [key, s?.value])).toEqual([
    ['b', 9],
    ['a', 8],
  ]);
});

test('an order by what it has not is refused', async () => {
  const aggs = { b: { boxplot: { field: 'n' } } };
  const request = { t: { terms: { field: 't', order: { 'b.q9': 'desc' } }, aggs } };
  await expect(answerOf(MAPPING, shards, request)).rejects.toThrow('b.q9');
});
