/**
 * One bucket that is shown as the aggregation itself.
 */
import type { Steps } from '@shoal/core';
import type { PathContext } from '../../contract/path-context.ts';
import type { BucketRenderer } from '../../render/bucket-renderer.ts';
import type { AggregationNode } from '../../tree/aggregation-node.ts';
import type { FiltersPartial } from './filters-partial.ts';

export function* renderSingle(
  aggregation: AggregationNode,
  { buckets: [only] }: FiltersPartial,
  to: BucketRenderer,
  isFirst: boolean,
): Steps<void> {
  to.out.add(isFirst ? '' : ',');
  if (only === undefined) to.out.add('"doc_count":0');
  else yield* to.single(aggregation, only);
}

/** Its count, or a number of an aggregation in it. */
export function numberInSingle(
  { children }: AggregationNode,
  { buckets: [only] }: FiltersPartial,
  path: readonly string[],
  context: PathContext,
): number {
  if (only === undefined) return Number.NaN;
  return path.length === 0 ? only.docCount : context.numberIn(children, only, path);
}
