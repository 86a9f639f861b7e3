/**
 * Metrics in the shape that users know. What has no values is null, a sum is 0.
 */
import { DoubleNumber, unreachable } from '@shoal/core';
import {
  expectKind,
  type PartialResult,
  type PercentilesPartial,
  type StatsPartial,
  type WeightedAveragePartial,
} from '../partials/partial-result.ts';
import type {
  MetricAggregation,
  PercentilesAggregation,
  StatsAggregation,
  WeightedAverageAggregation,
} from '../tree/aggregation.ts';
import { printDecimal } from '../values/decimal-pattern.ts';
import { MEDIAN_DEVIATION, medianDeviation, statsValue, weightedAverage } from '../values/metric-value.ts';
import { type ValuePrinter, valuePrinter } from '../values/value-formats.ts';

type Rendered = Readonly<Record<string, unknown>>;

function shown(value: number): DoubleNumber | null {
  return Number.isNaN(value) ? null : new DoubleNumber(value);
}

/** Members of a metric's result. */
export function renderMetric(aggregation: MetricAggregation, partial: PartialResult): Rendered {
  switch (aggregation.kind) {
    case 'stats':
      return renderStats(aggregation, expectKind(partial, 'stats'));
    case 'cardinality':
      return { value: expectKind(partial, 'cardinality').sketch.cardinality() };
    case 'percentiles':
      return renderPercentiles(aggregation, expectKind(partial, 'percentiles'));
    case 'weightedAverage':
      return renderWeightedAverage(aggregation, expectKind(partial, 'weightedAverage'));
    default:
      return unreachable(aggregation);
  }
}

function renderStats(aggregation: StatsAggregation, stats: StatsPartial): Rendered {
  const printer = valuePrinter(stats.format);
  const { type } = aggregation;
  if (type === 'value_count') return { value: stats.count };
  if (type === 'stats' || type === 'extended_stats') return renderStatsValues(type, stats, aggregation.sigma);
  const value = statsValue(stats, type);
  const isShown = stats.count > 0 || type === 'sum';
  return { value: shown(value), value_as_string: (isShown ? printer.text(value) : null) ?? undefined };
}

export function renderStatsValues(type: 'stats' | 'extended_stats', stats: StatsPartial, sigma: number): Rendered {
  const printer = valuePrinter(stats.format);
  const members = { count: stats.count, ...statsMembers(stats, printer) };
  return type === 'stats' ? members : { ...members, ...extendedMembers(stats, sigma, printer) };
}

const SHOWN_STATS = ['min', 'max', 'avg', 'sum'] as const;

function statsMembers(stats: StatsPartial, printer: ValuePrinter): Rendered {
  const members: Record<string, unknown> = {};
  for (const name of SHOWN_STATS) members[name] = shown(statsValue(stats, name));
  if (stats.count === 0) return members;
  for (const name of SHOWN_STATS) {
    const text = printer.text(statsValue(stats, name));
    if (text !== null) members[`${name}_as_string`] = text;
  }
  return members;
}

const SPREADS = [
  'sum_of_squares',
  'variance',
  'variance_population',
  'variance_sampling',
  'std_deviation',
  'std_deviation_population',
  'std_deviation_sampling',
] as const;

function extendedMembers(stats: StatsPartial, sigma: number, printer: ValuePrinter): Rendered {
  const members: Record<string, unknown> = {};
  for (const name of SPREADS) {
    // Of nothing, the sum of squares is null and not 0 as the sum is.
    const value = stats.count === 0 ? Number.NaN : statsValue(stats, name);
    members[name] = name.endsWith('sampling') && stats.count === 1 ? 'NaN' : shown(value);
  }
  const bounds = boundsOf(stats, sigma);
  members.std_deviation_bounds = Object.fromEntries(
    bounds.map(([name, value]) => [name, Number.isNaN(value) && stats.count === 1 ? 'NaN' : shown(value)]),
  );
  if (stats.count === 0) return members;
  for (const name of SPREADS) {
    const text = printer.text(statsValue(stats, name));
    if (text !== null) members[`${name}_as_string`] = text;
  }
  const texts = bounds.map(([name, value]) => [name, printer.text(value)] as const);
  if (texts.some(([, text]) => text !== null)) members.std_deviation_bounds_as_string = Object.fromEntries(texts);
  return members;
}

function boundsOf(stats: StatsPartial, sigma: number): readonly (readonly [string, number])[] {
  const avg = statsValue(stats, 'avg');
  const population = statsValue(stats, 'std_deviation_population') * sigma;
  const sampling = statsValue(stats, 'std_deviation_sampling') * sigma;
  return [
    ['upper', avg + population],
    ['lower', avg - population],
    ['upper_population', avg + population],
    ['lower_population', avg - population],
    ['upper_sampling', avg + sampling],
    ['lower_sampling', avg - sampling],
  ];
}

function renderWeightedAverage(aggregation: WeightedAverageAggregation, partial: WeightedAveragePartial): Rendered {
  const value = weightedAverage(partial);
  const { format } = aggregation.source;
  const text = format === null || Number.isNaN(value) ? undefined : printDecimal(value, format);
  return { value: shown(value), value_as_string: text };
}

function renderPercentiles(aggregation: PercentilesAggregation, partial: PercentilesPartial): Rendered {
  const { sketch, format } = partial;
  const printer = valuePrinter(format);
  if (aggregation.type === MEDIAN_DEVIATION) {
    const value = medianDeviation(partial);
    return { value: shown(value), value_as_string: (Number.isNaN(value) ? null : printer.text(value)) ?? undefined };
  }
  const isRank = aggregation.type === 'percentile_ranks';
  const points = aggregation.points.map((point) => {
    const value = isRank ? sketch.rank(point) * 100 : sketch.quantile(point / 100);
    return { point, value, text: Number.isNaN(value) ? null : printer.text(value) };
  });
  if (!aggregation.isKeyed) {
    return {
      values: points.map(({ point, value, text }) => ({
        key: new DoubleNumber(point),
        value: shown(value),
        value_as_string: text ?? undefined,
      })),
    };
  }
  const values: Record<string, unknown> = {};
  for (const { point, value, text } of points) {
    const key = String(new DoubleNumber(point));
    values[key] = shown(value);
    if (text !== null) values[`${key}_as_string`] = text;
  }
  return { values };
}
