/**
 * Partial result of histograms of numbers and of dates.
 */
import { type BucketedPartialKind, readKeyedBuckets } from '../../contract/partial-kind.ts';
import type { Bucket, BucketedPartial } from '../../tree/partial-node.ts';
import type { ValueFormat } from '../../values/value-format.ts';
import { readFormat, writeFormat } from '../../wire/value-codec.ts';

export interface HistogramPartial extends BucketedPartial {
  readonly kind: 'histogram';
  readonly format: ValueFormat;
  /** By key, ascending. */
  readonly buckets: readonly Bucket<number>[];
}

export const HISTOGRAM_PARTIAL: BucketedPartialKind<HistogramPartial> = {
  family: 'bucketed',
  kind: 'histogram',
  *write(to, partial) {
    writeFormat(to.sink, partial.format);
    yield* to.buckets(partial.buckets, ({ key }) => to.sink.f64(key));
  },
  *read(source) {
    const format = readFormat(source.from);
    return { kind: 'histogram', format, buckets: yield* readKeyedBuckets(source, () => source.from.f64()) };
  },
  emptied: (partial) => ({ ...partial, buckets: [] }),
};
