/**
 * Filters in the shape that users know, which each type has its own variant of.
 */
import type { Steps } from '@shoal/core';
import type { BucketRenderer, ShownBucket } from '../../render/bucket-renderer.ts';
import { compareKeys } from '../../values/bucket-key.ts';
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
  const { type, isKeyed } = aggregation;
  const isListed = type === 'adjacency_matrix' || (type === 'ip_range' && !isKeyed);
  let rendered = shownBuckets(aggregation, partial, isListed);
  if (type === 'adjacency_matrix') {
    // Combinations without documents are left out.
    rendered = rendered.filter(({ bucket }) => bucket.docCount > 0).sort((a, b) => compareKeys(a.name, b.name));
  }
  const shown = (at: number): ShownBucket => rendered[at] as ShownBucket;
  yield* to.member(aggregation, isKeyed && !isListed, rendered.length, shown, isFirst);
}

function shownBuckets(
  { filters, otherKey }: FiltersAggregation,
  { buckets }: FiltersPartial,
  isListed: boolean,
): ShownBucket[] {
  return buckets.map((bucket, i) => {
    const filter = filters[i];
    const name = filter?.key ?? otherKey ?? '';
    const head = {
      key: isListed ? name : undefined,
      from: filter?.from ?? undefined,
      to: filter?.to ?? undefined,
      doc_count: bucket.docCount,
    };
    return { name, head, bucket };
  });
}
