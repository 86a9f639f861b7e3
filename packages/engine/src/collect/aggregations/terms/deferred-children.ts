/**
 * What a profile of `terms` says of the aggregations inside: which of them look at the documents of shown buckets alone.
 */
import type { TermsAggregation } from '@shoal/aggregations';

/** Buckets are ordered by an aggregation inside. */
export function isByMetric({ order }: TermsAggregation): boolean {
  return order.some(({ by }) => by === 'metric');
}

/** Aggregations inside wait for the buckets to be chosen: as the request says, or where there are more terms than are shown. */
export function isDeferred({ collectMode, children, shardSize }: TermsAggregation, termCount: number): boolean {
  if (collectMode !== null) return collectMode === 'breadth_first';
  return children.length > 0 && termCount > shardSize;
}

/** `deferred_aggregators` of a profile; empty where none waits. */
export function deferredNames(
  aggregation: TermsAggregation,
  termCount: number,
): { readonly deferred_aggregators?: readonly string[] } {
  if (!isDeferred(aggregation, termCount) || aggregation.children.length === 0) return {};
  const paths = aggregation.order.map(({ path }) => path.split(/[.>[]/)[0]);
  return { deferred_aggregators: aggregation.children.map(({ name }) => name).filter((name) => !paths.includes(name)) };
}
