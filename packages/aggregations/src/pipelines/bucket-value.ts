/**
 * The number that a path leads to from a bucket.
 */
import { illegalArgument } from '@shoal/core';
import type { Bucket, PartialResult } from '../partials/partial-result.ts';
import type { Aggregation, FiltersAggregation } from '../tree/aggregation.ts';
import type { GapPolicy } from '../tree/pipeline-aggregation.ts';
import { MEDIAN_DEVIATION, medianDeviation, statsValue, weightedAverage } from '../values/metric-value.ts';

/** What a pipeline made. */
export type PipelineValue =
  | { readonly kind: 'number'; readonly value: number; readonly normalized: number | null }
  | { readonly kind: 'extreme'; readonly value: number; readonly keys: readonly string[] }
  | { readonly kind: 'stats'; readonly stats: Extract<PartialResult, { kind: 'stats' }> }
  | { readonly kind: 'percentiles'; readonly values: readonly number[] };

export type PipelineValues = ReadonlyMap<string, PipelineValue>;

/** A bucket after the final reduce, with what pipelines added to it. */
export interface FinishedBucket extends Bucket<unknown> {
  readonly values?: PipelineValues;
}

/** NaN where there is none, and the policy does not put one there; null: a pipeline made nothing for this bucket. */
export function bucketValue(
  children: readonly Aggregation[],
  bucket: FinishedBucket,
  path: readonly string[],
  gapPolicy: GapPolicy,
): number | null {
  const [first = '', second] = path;
  if (first === '_count' && second === undefined) return bucket.docCount;
  const isOfPipeline = first !== '_key' && !children.some(({ name }) => name === first);
  if (isOfPipeline && bucket.values?.get(first) === undefined) return null;
  const value = first === '_key' && second === undefined ? keyNumber(bucket.key) : valueIn(children, bucket, path);
  if (Number.isFinite(value) && (bucket.docCount > 0 || gapPolicy === 'keep_values')) return value;
  return gapPolicy === 'insert_zeros' ? 0 : Number.NaN;
}

/** What buckets are in order of. */
export function keyNumber(key: unknown): number {
  return typeof key === 'number' || typeof key === 'bigint' ? Number(key) : Number.NaN;
}

function valueIn(children: readonly Aggregation[], bucket: FinishedBucket, path: readonly string[]): number {
  const [name = '', ...rest] = path;
  if (name === '_count') return bucket.docCount;
  const at = children.findIndex((child) => child.name === name);
  const child = children[at];
  const partial = bucket.children[at];
  if (child !== undefined && partial !== undefined) return metricIn(child, partial, rest);
  const made = bucket.values?.get(name);
  if (made === undefined) throw invalidPath(`Cannot find an aggregation named [${name}] in [${path.join('>')}]`);
  return madeNumber(name, made, rest);
}

function madeNumber(name: string, made: PipelineValue, [metric]: readonly string[]): number {
  switch (made.kind) {
    case 'number':
      return metric === 'normalized_value' ? (made.normalized ?? Number.NaN) : made.value;
    case 'extreme':
      return made.value;
    case 'stats':
      if (metric !== undefined) return statsValue(made.stats, metric);
      throw severalValues(name);
    case 'percentiles':
      throw severalValues(name);
  }
}

function metricIn(child: Aggregation, partial: PartialResult, path: readonly string[]): number {
  const [metric, ...rest] = path;
  switch (partial.kind) {
    case 'stats':
      if (child.kind === 'stats' && child.type !== 'stats' && child.type !== 'extended_stats') {
        return statsValue(partial, child.type);
      }
      if (metric === undefined) throw severalValues(child.name);
      return statsValue(partial, metric);
    case 'cardinality':
      return partial.sketch.cardinality();
    case 'weightedAverage':
      return weightedAverage(partial);
    case 'percentiles':
      if (child.kind === 'percentiles' && child.type === MEDIAN_DEVIATION) return medianDeviation(partial);
      if (metric === undefined) throw severalValues(child.name);
      return child.kind === 'percentiles' && child.type === 'percentile_ranks'
        ? partial.sketch.rank(Number(metric)) * 100
        : partial.sketch.quantile(Number(metric) / 100);
    case 'filters':
      if (child.kind === 'filters' && isSingle(child.type)) {
        const [only] = partial.buckets;
        if (only === undefined) return Number.NaN;
        return metric === undefined ? only.docCount : valueIn(child.children, only, path);
      }
      if (child.kind === 'filters' && metric !== undefined) {
        const at = child.filters.findIndex(({ key }) => `'${key}'` === metric || key === metric);
        const bucket = partial.buckets[at];
        if (bucket !== undefined) return rest.length === 0 ? bucket.docCount : valueIn(child.children, bucket, rest);
      }
      return severalBuckets(child, partial, path);
    default:
      return severalBuckets(child, partial, path);
  }
}

/** One bucket, shown as the aggregation itself. */
export function isSingle(type: FiltersAggregation['type']): boolean {
  return type === 'filter' || type === 'missing' || type === 'global';
}

function severalBuckets(child: Aggregation, partial: PartialResult, path: readonly string[]): number {
  if (path[0] === '_bucket_count' && 'buckets' in partial) return partial.buckets.length;
  const found = path.length > 0 ? 'Object[]' : className(partial);
  throw invalidPath(
    `buckets_path must reference either a number value or a single value numeric metric aggregation, got: [${found}] at aggregation [${child.name}]`,
  );
}

/** As Elasticsearch calls the results, which its messages name. */
function className(partial: PartialResult): string {
  switch (partial.kind) {
    case 'terms':
      return { text: 'StringTerms', long: 'LongTerms', double: 'DoubleTerms' }[partial.keyKind];
    case 'histogram':
      return partial.format.kind === 'date' ? 'InternalDateHistogram' : 'InternalHistogram';
    case 'range':
      return 'InternalRange';
    case 'composite':
      return 'InternalComposite';
    default:
      return 'InternalFilters';
  }
}

function severalValues(name: string): Error {
  return invalidPath(
    `buckets_path must reference either a number value or a single value numeric metric aggregation, but [${name}] contains multiple values. Please specify which to use.`,
  );
}

function invalidPath(reason: string): Error {
  return illegalArgument(reason);
}
