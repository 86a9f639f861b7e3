/**
 * `MovingFunctions`: averages and forecasts over the values of a moving window.
 *
 * The forecasts are those of exponential smoothing: with a trend (Holt, 1957) and with seasons too (Winters, 1960). What is no number
 * is left out.
 */
import { illegalArgumentException } from '../values/java-exception.ts';
import type { JavaArray } from '../values/java-map.ts';
import { type ScriptClass, scriptClass } from './script-class.ts';

/** Added to values of multiplicative seasons, so that none is zero. */
const PADDING = 1e-10;

function numbersOf({ items }: JavaArray): readonly number[] {
  return (items as number[]).filter((value) => !Number.isNaN(value));
}

function best(values: JavaArray, isBetter: (a: number, b: number) => boolean): number {
  const numbers = numbersOf(values);
  return numbers.length === 0 ? Number.NaN : numbers.reduce((a, b) => (isBetter(b, a) ? b : a));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}

function deviation(values: JavaArray, mean: number): number {
  if (values.items.length === 0) return Number.NaN;
  return Math.sqrt(sum(numbersOf(values).map((value) => (value - mean) ** 2)) / values.items.length);
}

/** The newest value weighs most; the weights add up to one more than their sum. */
function linear(values: JavaArray): number {
  const numbers = numbersOf(values);
  if (numbers.length === 0) return Number.NaN;
  const weights = (numbers.length * (numbers.length + 1)) / 2 + 1;
  return sum(numbers.map((value, at) => value * (at + 1))) / weights;
}

function exponential(values: JavaArray, alpha: number): number {
  const numbers = numbersOf(values);
  if (numbers.length === 0) return Number.NaN;
  return numbers.reduce((mean, value) => value * alpha + mean * (1 - alpha));
}

function holt(values: JavaArray, alpha: number, beta: number): number {
  const [first, ...rest] = numbersOf(values);
  let [level, trend] = [first ?? Number.NaN, 0];
  for (const value of rest) {
    const next = alpha * value + (1 - alpha) * (level + trend);
    trend = beta * (next - level) + (1 - beta) * trend;
    level = next;
  }
  return level;
}

interface Seasons {
  readonly alpha: number;
  readonly beta: number;
  readonly gamma: number;
  readonly period: number;
  readonly isMultiplicative: boolean;
}

function holtWinters(values: JavaArray, { alpha, beta, gamma, period, isMultiplicative }: Seasons): number {
  const numbers = numbersOf(values).map((value) => value + (isMultiplicative ? PADDING : 0));
  if (numbers.length === 0) return Number.NaN;
  if (period < 1 || values.items.length < period * 2) {
    throw illegalArgumentException(
      `Holt-Winters aggregation requires at least (2 * period == 2 * ${period} == ${2 * period}) data-points to function.  Only [${values.items.length}] were provided.`,
    );
  }
  const at = (list: readonly number[], i: number): number => list[i] ?? 0;
  const firstSeason = numbers.slice(0, period);
  let level = sum(firstSeason) / period;
  // The trend is learned from the second season on.
  let trend = 0;
  const seasonal = firstSeason.map((value) => (level === 0 ? 0 : value / level));
  for (let i = period; i < numbers.length; i++) {
    const [value, season] = [at(numbers, i), at(seasonal, i - period)];
    const own = isMultiplicative ? value / season : value - season;
    const next = alpha * own + (1 - alpha) * (level + trend);
    const nextTrend = beta * (next - level) + (1 - beta) * trend;
    const fresh = isMultiplicative ? value / (level + trend) : value - (level - trend);
    seasonal.push(gamma * fresh + (1 - gamma) * season);
    [level, trend] = [next, nextTrend];
  }
  const season = at(seasonal, numbers.length - period);
  return isMultiplicative ? (level + trend) * season : level + trend + season;
}

export const MOVING_FUNCTIONS: ScriptClass = scriptClass(
  'org.elasticsearch.search.aggregations.pipeline.MovingFunctions',
  ['java.lang.Object'],
  {
    'static double max(double[])': (_m, _s, values: JavaArray) => best(values, (a, b) => a > b),
    'static double min(double[])': (_m, _s, values: JavaArray) => best(values, (a, b) => a < b),
    'static double sum(double[])': (_m, _s, values: JavaArray) => sum(numbersOf(values)),
    'static double stdDev(double[],double)': (_m, _s, values: JavaArray, mean: number) => deviation(values, mean),
    'static double unweightedAvg(double[])': (_m, _s, values: JavaArray) => {
      const numbers = numbersOf(values);
      return sum(numbers) / numbers.length;
    },
    'static double linearWeightedAvg(double[])': (_m, _s, values: JavaArray) => linear(values),
    'static double ewma(double[],double)': (_m, _s, values: JavaArray, alpha: number) => exponential(values, alpha),
    'static double holt(double[],double,double)': (_m, _s, values: JavaArray, alpha: number, beta: number) =>
      holt(values, alpha, beta),
    'static double holtWinters(double[],double,double,double,int,boolean)': (
      _m,
      _s,
      values: JavaArray,
      ...[alpha, beta, gamma, period, isMultiplicative]: readonly [number, number, number, number, boolean]
    ) => holtWinters(values, { alpha, beta, gamma, period, isMultiplicative }),
  },
);
