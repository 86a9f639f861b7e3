/**
 * Which aggregations there are, by the name that a request gives them.
 */
import type { Aggregation } from '../tree/aggregation.ts';
import type { OptionReader } from './option-reader.ts';
import {
  parseAdjacencyMatrix,
  parseDateHistogram,
  parseFilter,
  parseFilters,
  parseGlobal,
  parseHistogram,
  parseIpRange,
  parseMissing,
  parseRareTerms,
  parseTerms,
  rangeParser,
} from './parse-buckets.ts';
import { parseComposite } from './parse-composite.ts';
import {
  parseCardinality,
  parseMedianDeviation,
  parsePercentileRanks,
  parsePercentiles,
  parseWeightedAverage,
  statsParser,
} from './parse-metrics.ts';

export type NamedParts = Pick<Aggregation, 'name' | 'meta' | 'children' | 'pipelines'>;

export type AggregationParser = (named: NamedParts, options: OptionReader) => Aggregation;

export const AGGREGATION_PARSERS: ReadonlyMap<string, AggregationParser> = new Map([
  ['avg', statsParser('avg')],
  ['cardinality', parseCardinality],
  ['composite', parseComposite],
  ['date_histogram', parseDateHistogram],
  ['date_range', rangeParser('date_range')],
  ['extended_stats', statsParser('extended_stats')],
  ['filter', parseFilter],
  ['filters', parseFilters],
  ['global', parseGlobal],
  ['histogram', parseHistogram],
  ['max', statsParser('max')],
  ['min', statsParser('min')],
  ['missing', parseMissing],
  ['percentile_ranks', parsePercentileRanks],
  ['percentiles', parsePercentiles],
  ['range', rangeParser('range')],
  ['stats', statsParser('stats')],
  ['sum', statsParser('sum')],
  ['terms', parseTerms],
  ['adjacency_matrix', parseAdjacencyMatrix],
  ['ip_range', parseIpRange],
  ['median_absolute_deviation', parseMedianDeviation],
  ['rare_terms', parseRareTerms],
  ['weighted_avg', parseWeightedAverage],
  ['value_count', statsParser('value_count')],
]);

/** Known to Elasticsearch, not built here. */
export const NOT_SUPPORTED: ReadonlySet<string> = new Set([
  'auto_date_histogram',
  'boxplot',
  'bucket_count_ks_test',
  'bucket_correlation',
  'categorize_text',
  'change_point',
  'children',
  'cumulative_cardinality',
  'diversified_sampler',
  'frequent_item_sets',
  'geo_bounds',
  'geo_centroid',
  'geo_distance',
  'geo_line',
  'geohash_grid',
  'geohex_grid',
  'geotile_grid',
  'inference',
  'ip_prefix',
  'matrix_stats',
  'moving_avg',
  'moving_percentiles',
  'multi_terms',
  'nested',
  'normalize',
  'parent',
  'random_sampler',
  'rate',
  'reverse_nested',
  'sampler',
  'scripted_metric',
  'significant_terms',
  'significant_text',
  'string_stats',
  't_test',
  'time_series',
  'top_hits',
  'top_metrics',
  'variable_width_histogram',
]);
