/**
 * Stats in the shape that users know: what has no values is null, a sum is 0.
 */
import { type Members, shownDouble } from '../../render/members.ts';
import { type ValueFormat, type ValuePrinter, valuePrinter } from '../../values/value-format.ts';
import type { StatsPartial } from './stats-partial.ts';
import type { StatsAggregation } from './stats-request.ts';
import { statsValue } from './stats-values.ts';

export function renderStats(aggregation: StatsAggregation, stats: StatsPartial): Members {
  const printer = valuePrinter(stats.format);
  const { type } = aggregation;
  if (type === 'value_count') return { value: stats.count };
  if (type === 'stats' || type === 'extended_stats') return renderStatsValues(type, stats, aggregation.sigma);
  const value = statsValue(stats, type);
  const isShown = stats.count > 0 || type === 'sum';
  return { value: shownDouble(value), value_as_string: (isShown ? printer.text(value) : null) ?? undefined };
}

export function renderStatsValues(type: 'stats' | 'extended_stats', stats: StatsPartial, sigma: number): Members {
  const printer = valuePrinter(stats.format);
  const members = { count: stats.count, ...statsMembers(stats, printer) };
  return type === 'stats' ? members : { ...members, ...extendedMembers(stats, sigma, printer) };
}

const SHOWN_STATS = ['min', 'max', 'avg', 'sum'] as const;

function statsMembers(stats: StatsPartial, printer: ValuePrinter): Members {
  const members: Record<string, unknown> = {};
  for (const name of SHOWN_STATS) members[name] = shownDouble(statsValue(stats, name));
  if (stats.count === 0) return members;
  for (const name of SHOWN_STATS) {
    const text = formatted(statsValue(stats, name), stats.format, printer);
    if (text !== null) members[`${name}_as_string`] = text;
  }
  return members;
}

/** Truth values among several statistics are shown as such, in spite of the name of the member; alone they are text. */
function formatted(value: number, { kind }: ValueFormat, printer: ValuePrinter): string | boolean | null {
  return kind === 'boolean' ? value !== 0 : printer.text(value);
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

function extendedMembers(stats: StatsPartial, sigma: number, printer: ValuePrinter): Members {
  const members: Record<string, unknown> = {};
  for (const name of SPREADS) {
    // Without values the sum of squares is null, and not 0 as the sum is.
    const value = stats.count === 0 ? Number.NaN : statsValue(stats, name);
    members[name] = name.endsWith('sampling') && stats.count === 1 ? 'NaN' : shownDouble(value);
  }
  const bounds = boundsOf(stats, sigma);
  members.std_deviation_bounds = Object.fromEntries(
    bounds.map(([name, value]) => [name, Number.isNaN(value) && stats.count === 1 ? 'NaN' : shownDouble(value)]),
  );
  if (stats.count === 0) return members;
  for (const name of SPREADS) {
    const value = statsValue(stats, name);
    const text = name.startsWith('std') ? printer.text(value) : formatted(value, stats.format, printer);
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
