/** Averages and forecasts of moving windows: values that were computed by hand, or by a server that has them. */
import { expect, test } from 'vitest';
import { compileScript } from '../programs/compile-script.ts';
import { doublesOf } from '../programs/result-values.ts';
import { MOVING_FUNCTION_CONTEXT } from '../programs/script-context.ts';
import { JavaMap } from '../values/java-map.ts';

const VALUES = [1, 5, 2, 9, 4, 4, 8, 1];

const made = (text: string, values: readonly number[]): unknown =>
  compileScript({ lang: 'painless', text }, MOVING_FUNCTION_CONTEXT).run([new JavaMap(), doublesOf(values)]);

test.each([
  ['max(values)', 9],
  ['min(values)', 1],
  ['sum(values)', 34],
  ['unweightedAvg(values)', 4.25],
  ['stdDev(values, 3)', 3.082207001484488],
  ['linearWeightedAvg(values)', 4.351351351351352],
  ['ewma(values, 0.4)', 3.8916736],
  ['holt(values, 0.3, 0.2)', 5.040497462579198],
  ['holtWinters(values, 0.3, 0.2, 0.1, 2, false)', 3.885795842047999],
  ['holtWinters(values, 0.3, 0.2, 0.1, 2, true)', 4.292332785793028],
  ['holtWinters(values, 0.3, 0.2, 0.1, 3, true)', 5.408017029585867],
])('%s', (call, expected) => {
  expect(made(`MovingFunctions.${call}`, VALUES)).toBeCloseTo(expected, 9);
});

test.each([
  'max(values)',
  'unweightedAvg(values)',
  'stdDev(values, 1)',
  'linearWeightedAvg(values)',
  'holt(values, 1, 1)',
])('%s of nothing is no number', (call) => {
  expect(made(`MovingFunctions.${call}`, [])).toBeNaN();
});

test('the sum of nothing is 0, and what is no number adds nothing', () => {
  expect(made('MovingFunctions.sum(values)', [])).toBe(0);
  expect(made('MovingFunctions.sum(values)', [1, Number.NaN, 2])).toBe(3);
});

test.each([0, 5, -1, 2_000_000_000])('seasons of %i values are refused in a window of 8', (period) => {
  const call = `MovingFunctions.holtWinters(values, 0.3, 0.2, 0.1, ${period}, true)`;
  expect(() => made(call, VALUES)).toThrow('runtime error');
});
