/**
 * Which aggregations may be inside which.
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
