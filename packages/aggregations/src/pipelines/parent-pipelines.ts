/**
 * Pipelines within the aggregation whose buckets they look at: running sums, differences, and buckets sorted and cut.
 */
import { type StepMeter, type Steps, sortInSteps, unreachable } from '@shoal/core';
import type { Aggregation } from '../tree/aggregation.ts';
import type { ParentPipeline } from '../tree/pipeline-aggregation.ts';
import { bucketValue, type FinishedBucket, keyNumber, type PipelineValue } from './bucket-value.ts';

/** Microseconds that a bucket costs, about. */
const BUCKET_UNITS = 0.7;

export function* runParent(
  pipeline: ParentPipeline,
  aggregation: Aggregation,
  buckets: readonly FinishedBucket[],
  meter: StepMeter,
): Steps<readonly FinishedBucket[]> {
  if (pipeline.type === 'bucket_sort') return yield* sorted(pipeline, aggregation, buckets, meter);
  const values: (number | null)[] = [];
  for (const bucket of buckets) {
    values.push(bucketValue(aggregation.children, bucket, pipeline.path, pipeline.gapPolicy));
    if (meter.isDue(BUCKET_UNITS)) yield;
  }
  const made = madeValues(pipeline, buckets, values);
  const finished: FinishedBucket[] = [];
  for (const [i, bucket] of buckets.entries()) {
    const value = made[i] ?? null;
    finished.push(value === null ? bucket : withValue(bucket, pipeline.name, value));
    if (meter.isDue(BUCKET_UNITS)) yield;
  }
  return finished;
}

interface Made {
  readonly value: number;
  readonly normalized: number | null;
}

/** One a bucket; null: none. */
function madeValues(
  { type, lag, unitMs }: ParentPipeline,
  buckets: readonly FinishedBucket[],
  values: readonly (number | null)[],
): readonly (Made | null)[] {
  switch (type) {
    case 'cumulative_sum': {
      let sum = 0;
      return values.map((value) => {
        if (value !== null && Number.isFinite(value)) sum += value;
        return { value: sum, normalized: null };
      });
    }
    case 'derivative':
      return values.map((value, i) => derivative(unitMs, buckets[i - 1], buckets[i], values[i - 1] ?? null, value));
    case 'serial_diff':
      return values.map((value, i) => {
        const difference = (value ?? Number.NaN) - (values[i - lag] ?? Number.NaN);
        return Number.isNaN(difference) ? null : { value: difference, normalized: null };
      });
    case 'bucket_sort':
      return [];
    default:
      return unreachable(type);
  }
}

function withValue(bucket: FinishedBucket, name: string, { value, normalized }: Made): FinishedBucket {
  const made: PipelineValue = { kind: 'number', value, normalized };
  return { ...bucket, values: new Map([...(bucket.values ?? []), [name, made]]) };
}

function derivative(
  unitMs: number | null,
  before: FinishedBucket | undefined,
  bucket: FinishedBucket | undefined,
  last: number | null,
  value: number | null,
): Made | null {
  if (before === undefined || bucket === undefined || value === null || last === null) return null;
  const rise = value - last;
  const units = unitMs === null ? null : (keyNumber(bucket.key) - keyNumber(before.key)) / unitMs;
  return { value: rise, normalized: units === null ? null : rise / units };
}

interface SortedBucket {
  readonly bucket: FinishedBucket;
  readonly values: readonly (number | string)[];
}

function* sorted(
  { sort, from, size, gapPolicy }: ParentPipeline,
  aggregation: Aggregation,
  buckets: readonly FinishedBucket[],
  meter: StepMeter,
): Steps<readonly FinishedBucket[]> {
  const to = size === null ? buckets.length : from + size;
  if (sort.length === 0) return buckets.slice(from, to);
  const present: SortedBucket[] = [];
  for (const bucket of buckets) {
    const values = sort.map(({ path }) => sortValue(aggregation, bucket, path, gapPolicy));
    if (values.some((value) => typeof value === 'string' || !Number.isNaN(value))) present.push({ bucket, values });
    if (meter.isDue(BUCKET_UNITS)) yield;
  }
  const compare = (a: SortedBucket, b: SortedBucket): number => {
    for (const [i, { isAscending }] of sort.entries()) {
      const c = compareValues(a.values[i] ?? Number.NaN, b.values[i] ?? Number.NaN, isAscending ? 1 : -1);
      if (c !== 0) return c;
    }
    return 0;
  };
  const ordered = yield* sortInSteps(present, compare, meter);
  return ordered.slice(from, to).map(({ bucket }) => bucket);
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
