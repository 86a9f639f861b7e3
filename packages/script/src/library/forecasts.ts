/**
 * Averages of a series that weigh new values more than old ones, and forecasts of its next values: exponential smoothing, with a
 * trend (Holt, 1957) and with seasons too (Winters, 1960).
 */

/** Mean of a series; NaN of none. */
export function plainAverage(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The newest value weighs most; the weights add up to one more than their sum. */
export function linearAverage(values: readonly number[]): number {
  if (values.length === 0) return Number.NaN;
  const weights = (values.length * (values.length + 1)) / 2 + 1;
  return values.reduce((sum, value, at) => sum + value * (at + 1), 0) / weights;
}

/** @param alpha share of the newest value, 0..1 */
export function exponentialAverage(values: readonly number[], alpha: number): number {
  if (values.length === 0) return Number.NaN;
  return values.reduce((mean, value) => value * alpha + mean * (1 - alpha));
}

export interface TrendOptions {
  /** Share of the newest value in the level, 0..1. */
  readonly alpha: number;
  /** Share of the newest change in the trend, 0..1. */
  readonly beta: number;
}

/** The first forecasts of a series with a trend: `count` of them. */
export function trendForecasts(
  [first, ...rest]: readonly number[],
  { alpha, beta }: TrendOptions,
  count: number,
): number[] {
  let [level, trend] = [first ?? Number.NaN, 0];
  for (const value of rest) {
    const next = alpha * value + (1 - alpha) * (level + trend);
    trend = beta * (next - level) + (1 - beta) * trend;
    level = next;
  }
  return Array.from({ length: count }, (_, i) => level + i * trend);
}

export interface SeasonOptions extends TrendOptions {
  /** Share of the newest season, 0..1. */
  readonly gamma: number;
  /** Values of one season; at least 1. */
  readonly period: number;
  /** Seasons multiply the level; else they are added to it. */
  readonly isMultiplicative: boolean;
}

/** The first forecasts of a series of at least two seasons: `count` of them. */
export function seasonForecasts(
  values: readonly number[],
  { alpha, beta, gamma, period, isMultiplicative }: SeasonOptions,
  count: number,
): number[] {
  const at = (list: readonly number[], i: number): number => list[i] ?? 0;
  const firstSeason = values.slice(0, period);
  let level = plainAverage(firstSeason);
  // The trend is learned from the second season on.
  let trend = 0;
  const seasonal = firstSeason.map((value) => (level === 0 ? 0 : value / level));
  for (let i = period; i < values.length; i++) {
    const [value, season] = [at(values, i), at(seasonal, i - period)];
    const own = isMultiplicative ? value / season : value - season;
    const next = alpha * own + (1 - alpha) * (level + trend);
    const nextTrend = beta * (next - level) + (1 - beta) * trend;
    const fresh = isMultiplicative ? value / (level + trend) : value - (level - trend);
    seasonal.push(gamma * fresh + (1 - gamma) * season);
    [level, trend] = [next, nextTrend];
  }
  return Array.from({ length: count }, (_, i) => {
    const season = at(seasonal, values.length - period + (i % period));
    const steady = level + (i + 1) * trend;
    return isMultiplicative ? steady * season : steady + season;
  });
}
