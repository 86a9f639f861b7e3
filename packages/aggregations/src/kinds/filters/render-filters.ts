/**
 * Filters in the shape that users know, which each type has its own variant of.
 */
import type { Steps } from '@shoal/core';
import type { BucketRenderer, ShownBucket } from '../../render/bucket-renderer.ts';
import type { Bucket } from '../../tree/partial-node.ts';
import type { FiltersPartial } from './filters-partial.ts';
import { type FiltersAggregation, isSingle } from './filters-request.ts';
import { renderSingle } from './single-bucket.ts';

export function* renderFilters(
  aggregation: FiltersAggregation,
  partial: FiltersPartial,
  to: BucketRenderer,
  isFirst: boolean,
): Steps<void> {
  if (isSingle(aggregation)) {
    yield* renderSingle(aggregation, partial, to, isFirst);
    return;
  }
  const { type, isKeyed, hasListedKeys: isListed } = aggregation;
  // In a bucket of no documents the matrix is that of another one, emptied.
  const shownPartial =
    type === 'adjacency_matrix'
      ? { ...partial, buckets: partial.buckets.filter(({ docCount }) => docCount > 0) }
      : partial;
  const rendered = shownBuckets(aggregation, shownPartial, isListed);
  const shown = (at: number): ShownBucket => rendered[at] as ShownBucket;
  yield* to.member(aggregation, isKeyed, rendered.length, shown, isFirst);
}

/** Key of the filter that a bucket is for. */
export function filterName({ filters, otherKey }: FiltersAggregation, { key }: Bucket<number>): string {
  return filters[key]?.key ?? otherKey ?? '';
}

function shownBuckets(aggregation: FiltersAggregation, { buckets }: FiltersPartial, isListed: boolean): ShownBucket[] {
  return buckets.map((bucket) => {
    const filter = aggregation.filters[bucket.key];
    const name = filterName(aggregation, bucket);
    const head = {
      key: isListed ? name : undefined,
      from: filter?.from ?? undefined,
      to: filter?.to ?? undefined,
      doc_count: bucket.docCount,
    };
    return { name, head, bucket };
  });
}
