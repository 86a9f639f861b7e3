/**
 * Partial result of `variable_width_histogram`: clusters of neighbouring values.
 */
import type { BucketedPartialKind } from '../../contract/partial-kind.ts';
import type { Bucket, BucketedPartial } from '../../tree/partial-node.ts';
import type { ValueFormat } from '../../values/value-format.ts';
import { readFormat, writeFormat } from '../../wire/value-codec.ts';

/** The key is the mean of the values. */
export interface ClusterBucket extends Bucket<number> {
  readonly min: number;
  readonly max: number;
}

export interface VariableWidthPartial extends BucketedPartial {
  readonly kind: 'variableWidthHistogram';
  readonly format: ValueFormat;
  /** By key, ascending. */
  readonly buckets: readonly ClusterBucket[];
}

export const VARIABLE_WIDTH_PARTIAL: BucketedPartialKind<VariableWidthPartial> = {
  family: 'bucketed',
  kind: 'variableWidthHistogram',
  *write(to, partial) {
    const { sink } = to;
    writeFormat(sink, partial.format);
    yield* to.buckets(partial.buckets, ({ key, min, max }) => {
      sink.f64(key);
      sink.f64(min);
      sink.f64(max);
    });
  },
  *read(source) {
    const { from } = source;
    const format = readFormat(from);
    const buckets = yield* source.buckets(
      () => ({ key: from.f64(), min: from.f64(), max: from.f64() }),
      (head, docCount, children): ClusterBucket => ({ ...head, docCount, children }),
    );
    return { kind: 'variableWidthHistogram', format, buckets };
  },
  emptied: (partial) => ({ ...partial, buckets: [] }),
};
