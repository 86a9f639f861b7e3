/**
 * Options that histograms of numbers and of dates share.
 */
import { ValueReader } from '@shoal/core';
import type { QueryValue } from '@shoal/query';
import { type BucketOrder, BY_KEY, parseOrder, readOrder } from '../../request/bucket-order.ts';
import { notNegative, readWhole } from '../../request/number-options.ts';
import type { OptionReader } from '../../request/option-reader.ts';

export interface HistogramOptions {
  readonly minDocCount: number;
  readonly order: readonly BucketOrder[];
  readonly isKeyed: boolean;
  /** Range over which buckets are shown at least; null when not given. */
  readonly extendedBounds: Bounds | null;
  /** Range outside of which values are left out; null when not given. */
  readonly hardBounds: Bounds | null;
}

/** Both ends included; null: open. */
export interface Bounds {
  readonly min: QueryValue;
  readonly max: QueryValue;
}

export function parseHistogramOptions(options: OptionReader, name: string): HistogramOptions {
  return {
    minDocCount: notNegative(options, 'min_doc_count', 0, name),
    order: parseOrder(options.take('order'), BY_KEY),
    isKeyed: options.boolean('keyed', false),
    extendedBounds: parseBounds(options, 'extended_bounds'),
    hardBounds: parseBounds(options, 'hard_bounds'),
  };
}

function parseBounds(options: OptionReader, name: 'extended_bounds' | 'hard_bounds'): Bounds | null {
  const inner = options.object(name);
  if (inner === null) return null;
  const bounds = { min: inner.scalar('min'), max: inner.scalar('max') };
  inner.finish();
  return bounds;
}

export function readHistogramOptions(r: ValueReader): HistogramOptions {
  return {
    minDocCount: readWhole(r, 'minDocCount', 0),
    order: readOrder(r),
    isKeyed: r.boolean('isKeyed'),
    extendedBounds: r.optional('extendedBounds', readBounds),
    hardBounds: r.optional('hardBounds', readBounds),
  };
}

function readBounds(value: unknown, field: string): Bounds {
  const r = ValueReader.of(value, field);
  return { min: r.item('min', ValueReader.asScalar), max: r.item('max', ValueReader.asScalar) };
}
