/**
 * Pipelines within the aggregation whose buckets they look at: running sums, differences, and buckets sorted and cut.
 */
import { unreachable } from '@shoal/core';
import type { Aggregation } from '../aggregation.ts';
import { bucketValue, type FinishedBucket, keyNumber, type PipelineValue } from './bucket-value.ts';
import type { ParentPipeline } from './pipeline-aggregation.ts';

export function runParent(
  pipeline: ParentPipeline,
  aggregation: Aggregation,
  buckets: readonly FinishedBucket[],
): readonly FinishedBucket[] {
  const numberOf = (bucket: FinishedBucket): number | null =>
    bucketValue(aggregation.children, bucket, pipeline.path, pipeline.gapPolicy);
  switch (pipeline.type) {
    case 'cumulative_sum': {
      let sum = 0;
      return buckets.map((bucket) => {
        const value = numberOf(bucket);
        if (value !== null && Number.isFinite(value)) sum += value;
        return withValue(bucket, pipeline.name, sum);
      });
    }
    case 'derivative':
      return derivatives(pipeline, buckets, numberOf);
    case 'serial_diff': {
      const values = buckets.map(numberOf);
      return buckets.map((bucket, i) => {
        const difference = (values[i] ?? Number.NaN) - (values[i - pipeline.lag] ?? Number.NaN);
        return Number.isNaN(difference) ? bucket : withValue(bucket, pipeline.name, difference);
      });
    }
    case 'bucket_sort':
      return sorted(pipeline, aggregation, buckets);
    default:
      return unreachable(pipeline.type);
  }
}

function withValue(bucket: FinishedBucket, name: string, value: number, normalized: number | null = null) {
  const made: PipelineValue = { kind: 'number', value, normalized };
  return { ...bucket, values: new Map([...(bucket.values ?? []), [name, made]]) };
}

function derivatives(
  { name, unitMs }: ParentPipeline,
  buckets: readonly FinishedBucket[],
  numberOf: (bucket: FinishedBucket) => number | null,
): readonly FinishedBucket[] {
  const values = buckets.map(numberOf);
  return buckets.map((bucket, i) => {
    const before = buckets[i - 1];
    const [value, last] = [values[i] ?? null, values[i - 1] ?? null];
    if (before === undefined || value === null || last === null) return bucket;
    const rise = value - last;
    const units = unitMs === null ? null : (keyNumber(bucket.key) - keyNumber(before.key)) / unitMs;
    return withValue(bucket, name, rise, units === null ? null : rise / units);
  });
}

function sorted(
  { sort, from, size, gapPolicy }: ParentPipeline,
  aggregation: Aggregation,
  buckets: readonly FinishedBucket[],
): readonly FinishedBucket[] {
  const to = size === null ? buckets.length : from + size;
  if (sort.length === 0) return buckets.slice(from, to);
  const keyed = buckets.map((bucket) => ({
    bucket,
    values: sort.map(({ path }) => sortValue(aggregation, bucket, path, gapPolicy)),
  }));
  const present = keyed.filter(({ values }) =>
    values.some((value) => typeof value === 'string' || !Number.isNaN(value)),
  );
  present.sort((a, b) => {
    for (const [i, { isAscending }] of sort.entries()) {
      const c = compareValues(a.values[i] ?? Number.NaN, b.values[i] ?? Number.NaN, isAscending ? 1 : -1);
      if (c !== 0) return c;
    }
    return 0;
  });
  return present.slice(from, to).map(({ bucket }) => bucket);
}

function sortValue(
  aggregation: Aggregation,
  bucket: FinishedBucket,
  path: readonly string[],
  gapPolicy: ParentPipeline['gapPolicy'],
): number | string {
  if (path.length === 1 && path[0] === '_key') {
    return typeof bucket.key === 'string' ? bucket.key : keyNumber(bucket.key);
  }
  return bucketValue(aggregation.children, bucket, path, gapPolicy) ?? Number.NaN;
}

/** What has no value is last in either direction. */
function compareValues(a: number | string, b: number | string, sign: number): number {
  const [isNoA, isNoB] = [Number.isNaN(a), Number.isNaN(b)];
  if (isNoA || isNoB) return Number(isNoA) - Number(isNoB);
  return a === b ? 0 : a < b ? -sign : sign;
}
