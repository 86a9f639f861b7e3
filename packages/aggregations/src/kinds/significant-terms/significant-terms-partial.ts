/**
 * Partial result of significant terms: how often each of them is in the bucket, and in the background.
 */
import type { BucketedPartialKind } from '../../contract/partial-kind.ts';
import type { Bucket, BucketedPartial } from '../../tree/partial-node.ts';
import type { BucketKey } from '../../values/bucket-key.ts';
import { type KeyShape, readKeyShape, readPresentKey, writeKey, writeKeyShape } from '../../wire/value-codec.ts';

export interface SignificantBucket extends Bucket<BucketKey> {
  /** Documents of the background with the term. */
  readonly backgroundCount: number;
  /** Known after the final reduce; 0 before. */
  readonly score: number;
}

export interface SignificantTermsPartial extends BucketedPartial, KeyShape {
  readonly kind: 'significantTerms';
  /** Some shard knows the field: without one there are no counts. */
  readonly isMapped: boolean;
  /** Documents of the bucket, and of the background. */
  readonly subsetSize: number;
  readonly supersetSize: number;
  readonly buckets: readonly SignificantBucket[];
}

export const SIGNIFICANT_TERMS_PARTIAL: BucketedPartialKind<SignificantTermsPartial> = {
  family: 'bucketed',
  kind: 'significantTerms',
  *write(to, partial) {
    const { sink } = to;
    writeKeyShape(sink, partial);
    sink.u8(partial.isMapped ? 1 : 0);
    sink.f64(partial.subsetSize);
    sink.f64(partial.supersetSize);
    yield* to.buckets(partial.buckets, (bucket) => {
      writeKey(sink, bucket.key);
      sink.f64(bucket.backgroundCount);
    });
  },
  *read(source) {
    const { from } = source;
    const shape = readKeyShape(from);
    const isMapped = from.u8() !== 0;
    const [subsetSize, supersetSize] = [from.f64(), from.f64()];
    const buckets = yield* source.buckets(
      () => ({ key: readPresentKey(from), backgroundCount: from.f64() }),
      (head, docCount, children): SignificantBucket => ({ ...head, docCount, score: 0, children }),
    );
    return { kind: 'significantTerms', ...shape, isMapped, subsetSize, supersetSize, buckets };
  },
  emptied: (partial) => ({ ...partial, subsetSize: 0, buckets: [] }),
};
