/**
 * Partial result of grids: all cells of a shard that have documents.
 */
import { type BucketedPartialKind, readKeyedBuckets } from '../../contract/partial-kind.ts';
import type { Bucket, BucketedPartial } from '../../tree/partial-node.ts';
import type { BucketKey } from '../../values/bucket-key.ts';
import { readPresentKey, writeKey } from '../../wire/value-codec.ts';

export interface GeoGridPartial extends BucketedPartial {
  readonly kind: 'geoGrid';
  /** Keys are the numbers of cells. */
  readonly buckets: readonly Bucket<BucketKey>[];
}

export const GEO_GRID_PARTIAL: BucketedPartialKind<GeoGridPartial> = {
  family: 'bucketed',
  kind: 'geoGrid',
  *write(to, { buckets }) {
    yield* to.buckets(buckets, ({ key }) => writeKey(to.sink, key));
  },
  *read(source) {
    return { kind: 'geoGrid', buckets: yield* readKeyedBuckets(source, () => readPresentKey(source.from)) };
  },
  emptied: (partial) => ({ ...partial, buckets: [] }),
};
