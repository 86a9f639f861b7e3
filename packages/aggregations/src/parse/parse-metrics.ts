/**
 * Parses the aggregations that give values, not buckets.
 */
import { DoubleNumber, illegalArgument } from '@shoal/core';
import { readNumber } from '@shoal/query';
import { HDR_DIGITS_MAX } from '../sketches/hdr-sketch.ts';
import type { PercentilesMethod, StatsType } from '../tree/aggregation.ts';
import type { AggregationParser } from './aggregation-parsers.ts';
import type { OptionReader } from './option-reader.ts';
import { parseValuesSource } from './parse-values-source.ts';

const SIGMA_DEFAULT = 2;
const PRECISION_THRESHOLD_DEFAULT = 3_000;
const PRECISION_THRESHOLD_MAX = 40_000;
const PERCENTS_DEFAULT: readonly number[] = [1, 5, 25, 50, 75, 95, 99];
const COMPRESSION_DEFAULT = 100;
/** More would take memory that no answer is worth. */
const COMPRESSION_MAX = 10_000;
const HDR_DIGITS_DEFAULT = 3;

export function statsParser(type: StatsType): AggregationParser {
  return (named, options) => {
    const source = parseValuesSource(options);
    const sigma = type === 'extended_stats' ? (options.number('sigma') ?? SIGMA_DEFAULT) : SIGMA_DEFAULT;
    if (sigma < 0)
      throw illegalArgument(
        `[sigma] must be greater than or equal to 0. Found [${shownNumber(sigma)}] in [${named.name}]`,
      );
    return { ...named, kind: 'stats', type, source, sigma };
  };
}

export const parseCardinality: AggregationParser = (named, options) => {
  const source = parseValuesSource(options);
  options.ignore('rehash', 'execution_hint');
  const given = options.integer('precision_threshold');
  if (given !== null && given < 0) {
    throw illegalArgument(
      `[precisionThreshold] must be greater than or equal to 0. Found [${given}] in [${named.name}]`,
    );
  }
  const precisionThreshold = Math.min(given ?? PRECISION_THRESHOLD_DEFAULT, PRECISION_THRESHOLD_MAX);
  return { ...named, kind: 'cardinality', source, precisionThreshold };
};

export const parsePercentiles: AggregationParser = (named, options) => {
  const source = parseValuesSource(options);
  const points = parseNumbers(options, 'percents') ?? PERCENTS_DEFAULT;
  for (const percent of points) {
    if (percent < 0 || percent > 100) {
      throw illegalArgument(`percent must be in [0,100], got [${percent}]: [${named.name}]`);
    }
  }
  if (points.length === 0) throw illegalArgument(`[percents] must not be an empty array: [${named.name}]`);
  const isKeyed = options.boolean('keyed', true);
  const method = parseMethod(options, named.name);
  return { ...named, kind: 'percentiles', type: 'percentiles', source, points, isKeyed, method };
};

export const parsePercentileRanks: AggregationParser = (named, options) => {
  const source = parseValuesSource(options);
  const points = parseNumbers(options, 'values');
  if (points === null || points.length === 0) {
    throw illegalArgument(`[values] must not be an empty array: [${named.name}]`);
  }
  const isKeyed = options.boolean('keyed', true);
  const method = parseMethod(options, named.name);
  return { ...named, kind: 'percentiles', type: 'percentile_ranks', source, points, isKeyed, method };
};

function parseNumbers(options: OptionReader, name: string): readonly number[] | null {
  const items = options.list(name);
  return items?.map((item) => readNumber(item, name)).sort((a, b) => a - b) ?? null;
}

function parseMethod(options: OptionReader, name: string): PercentilesMethod {
  const digest = options.object('tdigest');
  const hdr = options.object('hdr');
  if (digest !== null && hdr !== null) throw illegalArgument('Only one percentiles method should be declared.');
  if (hdr !== null) {
    const digits = hdr.integer('number_of_significant_value_digits') ?? HDR_DIGITS_DEFAULT;
    hdr.finish();
    if (digits < 0 || digits > HDR_DIGITS_MAX) {
      throw illegalArgument(`[numberOfSignificantValueDigits] must be between 0 and 5: [${name}]`);
    }
    return { kind: 'hdr', digits };
  }
  const given = digest?.number('compression') ?? options.number('compression') ?? COMPRESSION_DEFAULT;
  digest?.ignore('execution_hint');
  digest?.finish();
  if (given < 0)
    throw illegalArgument(`[compression] must be greater than or equal to 0. Found [${shownNumber(given)}]`);
  return { kind: 'tdigest', compression: Math.min(given, COMPRESSION_MAX) };
}

const DEVIATION_COMPRESSION_DEFAULT = 1_000;

export const parseMedianDeviation: AggregationParser = (named, options) => {
  const source = parseValuesSource(options);
  const given = options.number('compression') ?? DEVIATION_COMPRESSION_DEFAULT;
  options.ignore('execution_hint');
  if (given <= 0)
    throw illegalArgument(`[compression] must be greater than 0. Found [${shownNumber(given)}] in [${named.name}]`);
  const method = { kind: 'tdigest', compression: Math.min(given, COMPRESSION_MAX) } as const;
  return {
    ...named,
    kind: 'percentiles',
    type: 'median_absolute_deviation',
    source,
    points: [],
    isKeyed: false,
    method,
  };
};

export const parseWeightedAverage: AggregationParser = (named, options) => {
  const value = options.object('value');
  const weight = options.object('weight');
  if (value === null) throw illegalArgument('Required [value]');
  if (weight === null) throw illegalArgument('Required [weight]');
  const format = options.string('format');
  options.ignore('value_type');
  const [source, weightSource] = [parseValuesSource(value), parseValuesSource(weight)];
  value.finish();
  weight.finish();
  return { ...named, kind: 'weightedAverage', source: { ...source, format }, weight: weightSource };
};

/** As Java prints a double. */
function shownNumber(value: number): string {
  return String(new DoubleNumber(value));
}
