/**
 * Partial result of terms: the first buckets of a shard, and how much the others may change their counts.
 */
import type { BucketedPartialKind, PartialSource } from '../../contract/partial-kind.ts';
import type { Bucket, BucketedPartial, PartialNode } from '../../tree/partial-node.ts';
import type { BucketKey, KeyKind } from '../../values/bucket-key.ts';
import type { ValueFormat } from '../../values/value-format.ts';
import {
  readFormat,
  readKeyKind,
  readPresentKey,
  writeFormat,
  writeKey,
  writeKeyKind,
} from '../../wire/value-codec.ts';

export interface TermsBucket extends Bucket<BucketKey> {
  /** How much the count may be short; -1: not known. */
  readonly error: number;
}

export interface TermsPartial extends BucketedPartial {
  readonly kind: 'terms';
  readonly keyKind: KeyKind;
  readonly format: ValueFormat;
  /** Documents whose buckets are not among the returned. */
  readonly otherDocCount: number;
  /** Largest count that a bucket not returned may have; -1: not known. */
  readonly error: number;
  /** Shards that this was made of. */
  readonly shardCount: number;
  /** In the order of the aggregation. */
  readonly buckets: readonly TermsBucket[];
}

interface TermsHead {
  readonly key: BucketKey;
  readonly error: number;
}

export const TERMS_PARTIAL: BucketedPartialKind<TermsPartial> = {
  family: 'bucketed',
  kind: 'terms',
  *write(to, partial) {
    const { sink } = to;
    writeKeyKind(sink, partial.keyKind);
    writeFormat(sink, partial.format);
    sink.f64(partial.otherDocCount);
    sink.f64(partial.error);
    sink.f64(partial.shardCount);
    yield* to.buckets(partial.buckets, (bucket) => {
      writeKey(sink, bucket.key);
      sink.f64(bucket.error);
    });
  },
  *read(source: PartialSource) {
    const { from } = source;
    const keyKind = readKeyKind(from);
    const format = readFormat(from);
    const [otherDocCount, error, shardCount] = [from.f64(), from.f64(), from.f64()];
    const head = (): TermsHead => ({ key: readPresentKey(from), error: from.f64() });
    const made = ({ key, error: own }: TermsHead, docCount: number, children: readonly PartialNode[]): TermsBucket => {
      return { key, docCount, error: own, children };
    };
    const buckets = yield* source.buckets(head, made);
    return { kind: 'terms', keyKind, format, otherDocCount, error, shardCount, buckets };
  },
  emptied: (partial) => ({ ...partial, otherDocCount: 0, error: 0, buckets: [] }),
};
