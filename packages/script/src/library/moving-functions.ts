/**
 * `MovingFunctions`: averages and forecasts over the values of a moving window.
 *
 * The forecasts are those of exponential smoothing: with a trend (Holt, 1957) and with seasons too (Winters, 1960). What is no number
 * is left out.
 */

import { type ScriptClass, scriptClass } from '../contract/script-class.ts';
import { illegalArgumentException } from '../values/java-exception.ts';
import type { JavaArray } from '../values/java-map.ts';
import {
  exponentialAverage,
  linearAverage,
  plainAverage,
  type SeasonOptions,
  seasonForecasts,
  trendForecasts,
} from './forecasts.ts';

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

function holtWinters(values: JavaArray, seasons: SeasonOptions): number {
  const { period, isMultiplicative } = seasons;
  const numbers = numbersOf(values).map((value) => value + (isMultiplicative ? PADDING : 0));
  if (numbers.length === 0) return Number.NaN;
  if (period < 1 || values.items.length < period * 2) {
    throw illegalArgumentException(
      `Holt-Winters aggregation requires at least (2 * period == 2 * ${period} == ${2 * period}) data-points to function.  Only [${values.items.length}] were provided.`,
    );
  }
  return seasonForecasts(numbers, seasons, 1)[0] ?? Number.NaN;
}

export const MOVING_FUNCTIONS: ScriptClass = scriptClass(
  'org.elasticsearch.search.aggregations.pipeline.MovingFunctions',
  ['java.lang.Object'],
  {
    'static double max(double[])': (_m, _s, values: JavaArray) => best(values, (a, b) => a > b),
    'static double min(double[])': (_m, _s, values: JavaArray) => best(values, (a, b) => a < b),
    'static double sum(double[])': (_m, _s, values: JavaArray) => sum(numbersOf(values)),
    'static double stdDev(double[],double)': (_m, _s, values: JavaArray, mean: number) => deviation(values, mean),
    'static double unweightedAvg(double[])': (_m, _s, values: JavaArray) => plainAverage(numbersOf(values)),
    'static double linearWeightedAvg(double[])': (_m, _s, values: JavaArray) => linearAverage(numbersOf(values)),
    'static double ewma(double[],double)': (_m, _s, values: JavaArray, alpha: number) =>
      exponentialAverage(numbersOf(values), alpha),
    'static double holt(double[],double,double)': (_m, _s, values: JavaArray, alpha: number, beta: number) =>
      trendForecasts(numbersOf(values), { alpha, beta }, 1)[0] ?? Number.NaN,
    'static double holtWinters(double[],double,double,double,int,boolean)': (
      _m,
      _s,
      values: JavaArray,
      ...[alpha, beta, gamma, period, isMultiplicative]: readonly [number, number, number, number, boolean]
    ) => holtWinters(values, { alpha, beta, gamma, period, isMultiplicative }),
  },
);
