/**
 * Values that pipelines compute, as answers and other pipelines see them.
 */
import { DoubleNumber } from '@shoal/core';
import type { PipelineValue } from '../tree/finished-level.ts';
import { printDecimal } from '../values/decimal-pattern.ts';

/** A number as it is shown; null where there is none. */
export function shownFinite(value: number): DoubleNumber | null {
  return Number.isFinite(value) ? new DoubleNumber(value) : null;
}

/** Text of a number by a pattern; undefined without a pattern or a number. */
export function formatted(value: number, format: string | null): string | undefined {
  return format === null || !Number.isFinite(value) ? undefined : printDecimal(value, format);
}

/** One number. */
export function numberValue(value: number, format: string | null): PipelineValue {
  return {
    typeName: 'simple_value',
    number: () => value,
    members: () => ({ value: shownFinite(value), value_as_string: formatted(value, format) }),
  };
}

/** The largest or smallest of all values, with the keys of the buckets that have it. */
export function extremeValue(value: number, keys: readonly string[], format: string | null): PipelineValue {
  return {
    typeName: 'bucket_metric_value',
    number: () => value,
    members: () => ({ value: shownFinite(value), value_as_string: formatted(value, format), keys }),
  };
}

export function sumOf(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

/** -Infinity of no values. */
export function largestOf(values: readonly number[]): number {
  let best = Number.NEGATIVE_INFINITY;
  for (const value of values) if (value > best) best = value;
  return best;
}
