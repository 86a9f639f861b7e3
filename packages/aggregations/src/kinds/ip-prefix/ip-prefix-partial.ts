/**
 * Partial result of networks: all of a shard that have documents.
 */
import { type BucketedPartialKind, readKeyedBuckets } from '../../contract/partial-kind.ts';
import type { Bucket, BucketedPartial } from '../../tree/partial-node.ts';
import type { BucketKey } from '../../values/bucket-key.ts';
import { readPresentKey, writeKey } from '../../wire/value-codec.ts';

export interface IpPrefixPartial extends BucketedPartial {
  readonly kind: 'ipPrefix';
  /** Keys are the first addresses of the networks, in 16 characters of a byte each. */
  readonly buckets: readonly Bucket<BucketKey>[];
}

export const IP_PREFIX_PARTIAL: BucketedPartialKind<IpPrefixPartial> = {
  family: 'bucketed',
  kind: 'ipPrefix',
  *write(to, { buckets }) {
    yield* to.buckets(buckets, ({ key }) => writeKey(to.sink, key));
  },
  *read(source) {
    return { kind: 'ipPrefix', buckets: yield* readKeyedBuckets(source, () => readPresentKey(source.from)) };
  },
  emptied: (partial) => ({ ...partial, buckets: [] }),
};
