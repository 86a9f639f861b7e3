/**
 * Partial result of ranges: a bucket for each range of the request, its key the ends as numbers and the position.
 */
import { type BucketedPartialKind, readKeyedBuckets } from '../../contract/partial-kind.ts';
import type { Bucket, BucketedPartial } from '../../tree/partial-node.ts';
import type { ValueFormat } from '../../values/value-format.ts';
import { readFormat, writeFormat } from '../../wire/value-codec.ts';

/** Ends of a range as numbers; infinite where open. */
export interface RangeEnds {
  readonly from: number;
  readonly to: number;
}

export interface RangeKey extends RangeEnds {
  /** Position of the range in the request. */
  readonly position: number;
}

export interface RangePartial extends BucketedPartial {
  readonly kind: 'range';
  readonly format: ValueFormat;
  /** In the order of the request; once reduced in that of their ends. */
  readonly buckets: readonly Bucket<RangeKey>[];
}

export const RANGE_PARTIAL: BucketedPartialKind<RangePartial> = {
  family: 'bucketed',
  kind: 'range',
  *write(to, partial) {
    const { sink } = to;
    writeFormat(sink, partial.format);
    yield* to.buckets(partial.buckets, ({ key }) => {
      sink.f64(key.from);
      sink.f64(key.to);
    });
  },
  *read(source) {
    const { from } = source;
    const format = readFormat(from);
    let position = 0;
    const ends = (): RangeKey => ({ from: from.f64(), to: from.f64(), position: position++ });
    return { kind: 'range', format, buckets: yield* readKeyedBuckets(source, ends) };
  },
  emptied: (partial, emptiedChild) => ({
    ...partial,
    buckets: partial.buckets.map(({ key, children }) => ({ key, docCount: 0, children: children.map(emptiedChild) })),
  }),
};
