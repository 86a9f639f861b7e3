import { describe, expect, test } from 'vitest';
import { answerOf } from '../aggregation-answer.test-support.ts';

const MAPPING = { properties: { k: { type: 'keyword' }, x: { type: 'long' }, y: { type: 'long' } } };
const [X, Y] = [
  [102, 99, 111, 97, 101, 99],
  [89, 93, 72, 98, 102, 98],
];
const DOCS = X.map((x, i) => ({ k: i < 3 ? 'a' : 'b', x, y: Y[i] }));
const SHARDS = [DOCS.slice(0, 4), [...DOCS.slice(4), { x: 7 }]];

/** P-values of the tests, of these documents over two shards. */
async function testOf(options: object, shards: readonly (readonly object[])[] = SHARDS): Promise<unknown> {
  const { t } = await answerOf(MAPPING, shards, { t: { t_test: options } });
  return t;
}

describe('t_test', () => {
  test.each([
    // Differences 13, 6, 39, -1, -1, 1: t = 9.5 / sqrt(197.91667 / 5) with 5 degrees of freedom.
    ['of pairs', { type: 'paired' }, 0.1914368843366],
    ['of pairs, to one side', { type: 'paired', tails: 1 }, 0.0957184421683],
  ])('%s leaves out documents that lack a value', async (_, options, value) => {
    const shown = await testOf({ a: { field: 'x' }, b: { field: 'y' }, ...options });
    expect(shown).toEqual({ value: expect.closeTo(value, 10) });
  });

  test('takes populations out of one field', async () => {
    const filter = (k: string) => ({ field: 'x', filter: { term: { k } } });
    // Means 104 and 99, variances 39 and 4: t = 5 / sqrt(43 / 3).
    const t = 5 / Math.sqrt(43 / 3);
    const pooled = await testOf({ a: filter('a'), b: filter('b'), type: 'homoscedastic', format: '0.000' });
    // With 4 degrees of freedom the tail has a closed form.
    const x = t / Math.sqrt(4 + t * t);
    const p = 1 - x * (1.5 - (x * x) / 2);
    expect(pooled).toEqual({ value: expect.closeTo(p, 10), value_as_string: p.toFixed(3) });
    const welch = await testOf({ a: filter('a'), b: filter('b') });
    expect(welch).toMatchObject({ value: expect.closeTo(0.2981858007281437, 12) });
  });

  test('tells nothing of too few values', async () => {
    const options = { a: { field: 'x' }, b: { field: 'y' } };
    expect(await testOf(options, [[{ x: 1 }]])).toEqual({ value: null });
    expect(await testOf({ ...options, type: 'paired' }, [[{ x: 1, y: 2 }]])).toEqual({ value: null });
  });

  test('of pairs refuses several values of a document', async () => {
    const pair = { a: { field: 'x' }, b: { field: 'y' }, type: 'paired' };
    await expect(testOf(pair, [[{ x: [1, 2], y: 3 }]])).rejects.toThrow('more than one value for a single document');
    await expect(testOf({ ...pair, a: { field: 'k' } })).rejects.toThrow('not supported for aggregation [t_test]');
  });
});
