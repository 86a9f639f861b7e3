/**
 * Results over a share of the documents as those over all of them would about be: counts and sums grow, extremes, averages and
 * quantiles stay.
 */
import { assert } from '@shoal/core';
import { asBucketed, type Bucket, type BucketedPartial, type PartialNode } from '../../tree/partial-node.ts';
import type { StatsPartial } from '../stats/stats-partial.ts';
import type { TermsList } from '../terms/terms-list.ts';

/** Kinds of aggregations that may be over a share of the documents. */
export const SCALED_KINDS: ReadonlySet<string> = new Set([
  'autoDate',
  'cardinality',
  'dateHistogram',
  'filters',
  'geoBounds',
  'geoGrid',
  'histogram',
  'multiTerms',
  'percentiles',
  'range',
  'stats',
  'terms',
  'weightedAverage',
]);

/** Kinds of results that say the same of a share as of all. */
const UNCHANGED: ReadonlySet<string> = new Set(['cardinality', 'geoBounds', 'percentiles', 'weightedAverage']);

/** @param factor documents that one stands for */
export function scaledPartial(partial: PartialNode, factor: number): PartialNode {
  if (UNCHANGED.has(partial.kind)) return partial;
  if (isStats(partial)) {
    const { count, sum, sumOfSquares } = partial;
    const scaled: StatsPartial = {
      ...partial,
      count: Math.round(count * factor),
      sum: sum * factor,
      sumOfSquares: sumOfSquares * factor,
    };
    return scaled;
  }
  const bucketed = asBucketed(partial);
  const buckets = bucketed.buckets.map((bucket) => scaledBucket(bucket, factor));
  const scaled: BucketedPartial = { ...bucketed, ...scaledRest(partial, factor), buckets };
  return scaled;
}

function scaledBucket(bucket: Bucket<unknown>, factor: number): Bucket<unknown> {
  return {
    ...bucket,
    docCount: Math.round(bucket.docCount * factor),
    children: bucket.children.map((child) => scaledPartial(child, factor)),
  };
}

/** Documents of buckets that are not shown. */
function scaledRest(partial: PartialNode, factor: number): Partial<TermsList<unknown>> {
  if (!('otherDocCount' in partial)) return {};
  const { otherDocCount } = partial;
  assert(typeof otherDocCount === 'number', `a count of documents that is a ${typeof otherDocCount}`);
  return { otherDocCount: Math.round(otherDocCount * factor) };
}

function isStats(partial: PartialNode): partial is StatsPartial {
  return partial.kind === 'stats';
}
