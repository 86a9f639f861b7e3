/** `matrix_stats` over shards and segments, against two passes over all values. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Answer, answerOf } from '../aggregation-answer.test-support.ts';

const MAPPING = { properties: { x: { type: 'double' }, y: { type: 'long' }, t: { type: 'keyword' } } };
const doc = fc.record(
  { x: fc.integer({ min: -400, max: 400 }).map((value) => value / 8), y: fc.integer({ min: -50, max: 50 }) },
  { requiredKeys: [] },
);
const shardLists = fc.array(fc.array(doc, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 3 });

function fieldsOf(answer: Answer): readonly Answer[] {
  const fields: unknown = answer.m?.fields;
  return Array.isArray(fields) ? fields : [];
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function naive(values: readonly number[], others: readonly number[]) {
  const mean = (list: readonly number[]): number => sum(list) / list.length;
  const [own, other] = [mean(values), mean(others)];
  const power = (k: number): number => sum(values.map((value) => (value - own) ** k));
  const n = values.length;
  return {
    mean: own,
    variance: power(2) / (n - 1),
    skewness: (Math.sqrt(n) * power(3)) / power(2) ** 1.5,
    kurtosis: (n * power(4)) / power(2) ** 2,
    covariance: sum(values.map((value, i) => (value - own) * ((others[i] as number) - other))) / (n - 1),
  };
}

function near(actual: unknown, expected: number): void {
  const shown = actual === 'NaN' ? Number.NaN : Number(actual);
  if (!Number.isFinite(expected)) expect(Number.isFinite(shown)).toBe(false);
  else expect(Math.abs(shown - expected)).toBeLessThan(1e-6 * Math.max(1, Math.abs(expected)));
}

test('matrix_stats measures the documents that have a value in every field', async () => {
  await fc.assert(
    fc.asyncProperty(shardLists, async (shards) => {
      const answer = await answerOf(MAPPING, shards, { m: { matrix_stats: { fields: ['y', 'x'] } } });
      const whole = shards.flat().filter(({ x, y }) => x !== undefined && y !== undefined);
      expect(answer.m?.doc_count).toBe(whole.length);
      if (whole.length === 0) return;
      const xs = whole.map(({ x }) => x as number);
      const ys = whole.map(({ y }) => y as number);
      // Fewer than two values, or equal ones, have no spread: what remains is rounding.
      fc.pre(new Set(xs).size > 1 && new Set(ys).size > 1);
      const [first, second] = fieldsOf(answer);
      expect([first?.name, second?.name]).toEqual(['x', 'y']);
      for (const [shown, expected] of [
        [first, naive(xs, ys)],
        [second, naive(ys, xs)],
      ] as const) {
        expect(shown?.count).toBe(whole.length);
        for (const name of ['mean', 'variance', 'skewness', 'kurtosis'] as const) near(shown?.[name], expected[name]);
      }
      near(first?.covariance?.y, naive(xs, ys).covariance);
      expect(second?.correlation?.y).toBe(1);
    }),
    { numRuns: 40 },
  );
});

describe('matrix_stats', () => {
  const docs = [[{ x: [1, 5, 6], y: 1 }, { x: 2 }]];
  const meanOf = async (options: object): Promise<unknown> => {
    const answer = await answerOf(MAPPING, docs, { m: { matrix_stats: { fields: ['x', 'y'], ...options } } });
    return fieldsOf(answer)[0]?.mean;
  };

  test.each([
    ['avg', 4],
    ['min', 1],
    ['max', 6],
    ['sum', 12],
    ['median', 5],
  ])('takes the %s of several values', async (mode, mean) => {
    expect(await meanOf({ mode })).toBe(mean);
  });

  test('gives documents without a value one that stands for none', async () => {
    expect(await meanOf({ missing: { y: 7 }, mode: 'min' })).toBe(1.5);
  });

  test('leaves out fields that are not mapped', async () => {
    const answer = await answerOf(MAPPING, docs, { m: { matrix_stats: { fields: ['x', 'z'] } } });
    expect(answer.m?.doc_count).toBe(2);
    expect((await answerOf(MAPPING, docs, { m: { matrix_stats: { fields: ['z'] } } })).m).toEqual({ doc_count: 0 });
  });

  test.each([
    [{ mode: 'most' }, 'Illegal sort mode: most'],
    [{ script: '1' }, 'Unexpected token VALUE_STRING [script] in [m].'],
    [{ fields: ['t'] }, 'is not supported for aggregation [matrix_stats]'],
  ])('%j is refused', async (options, reason) => {
    await expect(meanOf(options)).rejects.toThrow(reason);
  });
});
