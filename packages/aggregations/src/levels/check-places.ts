/**
 * Which aggregations may be inside which. A shard checks it when it has made its query: what is wrong is told as the failure of that shard.
 */
import { kindOf } from '../kinds/aggregation-kinds.ts';
import type { AggregationNode } from '../tree/aggregation-node.ts';

/** @throws ShoalError for an aggregation that may not be inside those around it */
export function checkPlaces(aggregations: readonly AggregationNode[], parents: readonly AggregationNode[]): void {
  for (const aggregation of aggregations) {
    const kind = kindOf(aggregation);
    kind.checkParents?.(aggregation, parents);
    checkPlaces(aggregation.children, [...parents, aggregation]);
  }
}
