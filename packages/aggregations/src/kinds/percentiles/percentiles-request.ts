/**
 * Requests of `percentiles`, `percentile_ranks`, `median_absolute_deviation` and `boxplot`.
 */
import { illegalArgument, ValueReader } from '@shoal/core';
import { readNumber } from '@shoal/query';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import { readNumbers, shownNumber } from '../../request/number-options.ts';
import type { OptionReader } from '../../request/option-reader.ts';
import { parseValuesSource, readValuesSource, type ValuesSource } from '../../request/values-source.ts';
import { HDR_DIGITS_MAX } from '../../sketches/hdr-sketch.ts';
import type { AggregationNode, NamedParts } from '../../tree/aggregation-node.ts';

export const MEDIAN_DEVIATION = 'median_absolute_deviation';
export const BOXPLOT = 'boxplot';
const TYPES = ['percentiles', 'percentile_ranks', 'median_absolute_deviation', 'boxplot'] as const;

export interface PercentilesAggregation extends AggregationNode {
  readonly kind: 'percentiles';
  /** Percents in, values out; or values in, percents out; or the median distance from the median; or the quarters of the values. */
  readonly type: (typeof TYPES)[number];
  readonly source: ValuesSource;
  /** Ascending. */
  readonly points: readonly number[];
  readonly isKeyed: boolean;
  readonly method: PercentilesMethod;
}

export type PercentilesMethod =
  | { readonly kind: 'tdigest'; readonly compression: number }
  /** `digits`: significant decimal digits kept, 0..5. */
  | { readonly kind: 'hdr'; readonly digits: number };

const PERCENTS_DEFAULT: readonly number[] = [1, 5, 25, 50, 75, 95, 99];
const COMPRESSION_DEFAULT = 100;
/** More would take memory that no answer is worth. */
const COMPRESSION_MAX = 10_000;
const HDR_DIGITS_DEFAULT = 3;
const DEVIATION_COMPRESSION_DEFAULT = 1_000;

export const parsePercentiles: AggregationParser<PercentilesAggregation> = (named, options) => {
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

export const parsePercentileRanks: AggregationParser<PercentilesAggregation> = (named, options) => {
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

export const parseMedianDeviation: AggregationParser<PercentilesAggregation> = (named, options) => {
  const source = parseValuesSource(options);
  const given = options.number('compression') ?? DEVIATION_COMPRESSION_DEFAULT;
  options.ignore('execution_hint');
  if (given <= 0)
    throw illegalArgument(`[compression] must be greater than 0. Found [${shownNumber(given)}] in [${named.name}]`);
  const method = { kind: 'tdigest', compression: Math.min(given, COMPRESSION_MAX) } as const;
  return { ...named, kind: 'percentiles', type: MEDIAN_DEVIATION, source, points: [], isKeyed: false, method };
};

export const parseBoxplot: AggregationParser<PercentilesAggregation> = (named, options) => {
  const source = parseValuesSource(options);
  const given = options.number('compression') ?? COMPRESSION_DEFAULT;
  if (given < 0) {
    const found = `Found [${shownNumber(given)}] in [${named.name}]`;
    throw illegalArgument(`[compression] must be greater than or equal to 0. ${found}`);
  }
  const method = { kind: 'tdigest', compression: Math.min(given, COMPRESSION_MAX) } as const;
  return { ...named, kind: 'percentiles', type: BOXPLOT, source, points: [], isKeyed: false, method };
};

export function readPercentiles(r: ValueReader, named: NamedParts): PercentilesAggregation {
  return {
    ...named,
    kind: 'percentiles',
    type: r.oneOf('type', TYPES),
    source: readValuesSource(r.object('source')),
    points: readNumbers(r, 'points', ValueReader.asNumber),
    isKeyed: r.boolean('isKeyed'),
    method: readMethod(r.object('method')),
  };
}

function readMethod(r: ValueReader): PercentilesMethod {
  const kind = r.oneOf('kind', ['tdigest', 'hdr']);
  if (kind === 'hdr') return { kind, digits: r.integer('digits', 0, HDR_DIGITS_MAX) };
  const compression = r.number('compression');
  if (compression < 0 || compression > COMPRESSION_MAX) r.refuse('compression', `within 0..${COMPRESSION_MAX}`);
  return { kind, compression };
}
