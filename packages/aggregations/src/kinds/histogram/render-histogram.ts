/**
 * Histograms in the shape that users know.
 */
import { DoubleNumber, type Steps } from '@shoal/core';
import type { BucketRenderer, ShownBucket } from '../../render/bucket-renderer.ts';
import type { AggregationNode } from '../../tree/aggregation-node.ts';
import { valuePrinter } from '../../values/value-format.ts';
import type { HistogramOptions } from './histogram-options.ts';
import type { HistogramPartial } from './histogram-partial.ts';

/** @param isDate keys are instants, which are shown as whole numbers */
export function renderHistogram(
  aggregation: AggregationNode & HistogramOptions,
  partial: HistogramPartial,
  isDate: boolean,
  to: BucketRenderer,
  isFirst: boolean,
): Steps<void> {
  const printer = valuePrinter(partial.format);
  const shown = (at: number): ShownBucket => {
    const bucket = partial.buckets[at] as HistogramPartial['buckets'][number];
    const text = printer.text(bucket.key);
    const key = isDate ? bucket.key : new DoubleNumber(bucket.key);
    const head = { key_as_string: text ?? undefined, key, doc_count: bucket.docCount };
    return { name: text ?? (aggregation.isKeyed ? String(key) : ''), head, bucket };
  };
  return to.member(aggregation, aggregation.isKeyed, partial.buckets.length, shown, isFirst);
}

/** Name of the result in messages, as Elasticsearch's class is called. */
export function histogramClass({ format }: HistogramPartial): string {
  return format.kind === 'date' ? 'InternalDateHistogram' : 'InternalHistogram';
}
