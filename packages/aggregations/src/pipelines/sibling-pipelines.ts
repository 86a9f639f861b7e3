/**
 * Pipelines beside the aggregation whose buckets they look at: one value of many.
 */
import { DoubleNumber, type StepMeter, type Steps, unreachable } from '@shoal/core';
import { type PartialResult, PLAIN_FORMAT } from '../partials/partial-result.ts';
import type { Aggregation } from '../tree/aggregation.ts';
import type { SiblingPipeline } from '../tree/pipeline-aggregation.ts';
import { valuePrinter } from '../values/value-formats.ts';
import { bucketValue, type FinishedBucket, type PipelineValue } from './bucket-value.ts';

type Bucketed = Extract<PartialResult, { readonly buckets: unknown }>;

interface Taken {
  readonly value: number;
  readonly bucket: FinishedBucket;
  readonly position: number;
}

/** Microseconds that a bucket costs, about: its value is looked up, and used some times. */
const BUCKET_UNITS = 0.7;

export function* runSibling(
  pipeline: SiblingPipeline,
  aggregation: Aggregation,
  partial: Bucketed,
  meter: StepMeter,
): Steps<PipelineValue> {
  const path = pipeline.path.slice(1);
  const taken: Taken[] = [];
  for (const [position, bucket] of (partial.buckets as readonly FinishedBucket[]).entries()) {
    const value = bucketValue(aggregation.children, bucket, path, pipeline.gapPolicy);
    if (value !== null && !Number.isNaN(value)) taken.push({ value, bucket, position });
    if (meter.isDue(BUCKET_UNITS)) yield;
  }
  return combined(pipeline, aggregation, partial, taken);
}

function combined(
  pipeline: SiblingPipeline,
  aggregation: Aggregation,
  partial: Bucketed,
  taken: readonly Taken[],
): PipelineValue {
  const values = taken.map(({ value }) => value);
  const { type } = pipeline;
  switch (type) {
    case 'avg_bucket':
      return number(values.length === 0 ? Number.NaN : sumOf(values) / values.length);
    case 'sum_bucket':
      return number(sumOf(values));
    case 'max_bucket':
    case 'min_bucket': {
      const best = type === 'max_bucket' ? largest(values) : -largest(values.map((value) => -value));
      const keys = taken.filter(({ value }) => value === best).map((one) => keyText(aggregation, partial, one));
      return { kind: 'extreme', value: best, keys };
    }
    case 'stats_bucket':
    case 'extended_stats_bucket':
      return { kind: 'stats', stats: statsOf(values) };
    case 'percentiles_bucket': {
      const ordered = values.toSorted((a, b) => a - b);
      const at = (percent: number): number => Math.round((percent / 100) * (ordered.length - 1));
      return { kind: 'percentiles', values: pipeline.percents.map((percent) => ordered[at(percent)] ?? Number.NaN) };
    }
    default:
      return unreachable(type);
  }
}

function number(value: number): PipelineValue {
  return { kind: 'number', value, normalized: null };
}

function sumOf(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

function largest(values: readonly number[]): number {
  let best = Number.NEGATIVE_INFINITY;
  for (const value of values) if (value > best) best = value;
  return best;
}

function statsOf(values: readonly number[]): Extract<PartialResult, { kind: 'stats' }> {
  return {
    kind: 'stats',
    format: PLAIN_FORMAT,
    count: values.length,
    sum: sumOf(values),
    min: -largest(values.map((value) => -value)),
    max: largest(values),
    sumOfSquares: sumOf(values.map((value) => value * value)),
  };
}

/** The key of a bucket as it is shown as text. */
function keyText(aggregation: Aggregation, partial: Bucketed, { bucket, position }: Taken): string {
  if (aggregation.kind === 'filters') return aggregation.filters[position]?.key ?? aggregation.otherKey ?? '';
  if (aggregation.kind === 'range') return aggregation.ranges[position]?.key ?? '';
  const { key } = bucket;
  if (typeof key !== 'string' && typeof key !== 'number' && typeof key !== 'bigint') return '';
  const printer = valuePrinter('format' in partial ? partial.format : PLAIN_FORMAT);
  const text = printer.text(key);
  if (text !== null) return text;
  const isDouble = partial.kind === 'histogram' || (partial.kind === 'terms' && partial.keyKind === 'double');
  return isDouble ? String(new DoubleNumber(Number(key))) : String(printer.shown(key, 'text'));
}
