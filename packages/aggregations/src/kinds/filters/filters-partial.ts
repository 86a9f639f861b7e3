/**
 * Partial result of filters: a bucket for each filter of the request, its key the position of that filter.
 */
import { type BucketedPartialKind, readKeyedBuckets } from '../../contract/partial-kind.ts';
import type { Bucket, BucketedPartial } from '../../tree/partial-node.ts';

export interface FiltersPartial extends BucketedPartial {
  readonly kind: 'filters';
  /** In the order of the filters; the one of the rest, if wanted, last. */
  readonly buckets: readonly Bucket<number>[];
}

export const FILTERS_PARTIAL: BucketedPartialKind<FiltersPartial> = {
  family: 'bucketed',
  kind: 'filters',
  write: (to, partial) => to.buckets(partial.buckets, () => undefined),
  *read(source) {
    let position = 0;
    return { kind: 'filters', buckets: yield* readKeyedBuckets(source, () => position++) };
  },
  emptied: (partial, emptiedChild) => ({
    ...partial,
    buckets: partial.buckets.map(({ key, children }) => ({ key, docCount: 0, children: children.map(emptiedChild) })),
  }),
};
