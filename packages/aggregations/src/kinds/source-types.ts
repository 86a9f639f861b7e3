/**
 * Types of values that aggregations are over, by the names that requests give the aggregations: `_nodes` lists them, and
 * `_nodes/usage` counts by them.
 */
import { AGGREGATION_TYPES } from './aggregation-kinds.ts';

export type SourceType = 'boolean' | 'bytes' | 'date' | 'geo_shape' | 'geopoint' | 'ip' | 'numeric' | 'range' | 'other';

const OTHER: readonly SourceType[] = ['other'];
const NUMBERS: readonly SourceType[] = ['numeric', 'boolean', 'date'];
const NUMBERS_ALONE: readonly SourceType[] = ['numeric'];
const DATES: readonly SourceType[] = ['date', 'boolean', 'numeric'];
const KEYS: readonly SourceType[] = ['bytes', 'boolean', 'date', 'ip', 'numeric'];
const COUNTED: readonly SourceType[] = [...KEYS, 'geo_shape', 'geopoint', 'range'];
const CELLS: readonly SourceType[] = ['geopoint', 'geo_shape'];

/** First the type of values that a field has which is not mapped. */
const SOURCE_TYPES: ReadonlyMap<string, readonly SourceType[]> = new Map([
  ['auto_date_histogram', DATES],
  ['avg', NUMBERS],
  ['boxplot', NUMBERS_ALONE],
  ['cardinality', COUNTED],
  ['date_histogram', [...DATES, 'range']],
  ['date_range', DATES],
  ['diversified_sampler', ['bytes', 'boolean', 'date', 'numeric']],
  ['extended_stats', NUMBERS],
  ['geo_bounds', CELLS],
  ['geo_centroid', ['geopoint']],
  ['geo_distance', ['geopoint']],
  ['geohash_grid', CELLS],
  ['geotile_grid', CELLS],
  ['histogram', [...NUMBERS, 'range']],
  ['ip_prefix', ['ip']],
  ['ip_range', ['ip']],
  ['max', NUMBERS],
  ['median_absolute_deviation', NUMBERS_ALONE],
  ['min', NUMBERS],
  ['missing', COUNTED],
  ['percentile_ranks', NUMBERS],
  ['percentiles', NUMBERS],
  ['range', NUMBERS],
  ['rare_terms', KEYS],
  ['significant_terms', KEYS],
  ['stats', NUMBERS],
  ['string_stats', ['bytes']],
  ['sum', NUMBERS],
  ['terms', KEYS],
  ['value_count', COUNTED],
  ['variable_width_histogram', NUMBERS_ALONE],
  ['weighted_avg', NUMBERS_ALONE],
] satisfies readonly (readonly [string, readonly SourceType[]])[]);

/** Types of values that an aggregation takes; `other` for one that is over no values of a field. */
export function sourceTypesOf(type: string): readonly SourceType[] {
  return SOURCE_TYPES.get(type) ?? OTHER;
}

/** Types of aggregations in requests, sorted; pipelines are none. */
export const AGGREGATION_TYPE_NAMES: readonly string[] = [...AGGREGATION_TYPES.keys()].sort();
