/**
 * Aggregations of a request as a tree of plain data. Each kind extends the node; the union of all kinds is derived from their
 * registry, which is above the kinds, so that children are typed as nodes here.
 */
import type { PipelineNode } from './pipeline-node.ts';

/** What every aggregation has; each kind adds its own options. */
export interface AggregationNode {
  readonly kind: string;
  /** Its name in requests: one of those that the kind parses. */
  readonly type: string;
  readonly name: string;
  /** JSON text of an object that the answer shows as it came; null when not given. */
  readonly meta: string | null;
  readonly children: readonly AggregationNode[];
  /** Pipelines beside the children: they read results, not documents. */
  readonly pipelines: readonly PipelineNode[];
}

/** Parts of an aggregation that do not depend on its kind. */
export type NamedParts = Omit<AggregationNode, 'kind'>;

/** Everything under one `aggs` of a request. */
export interface AggregationLevel {
  readonly aggregations: readonly AggregationNode[];
  readonly pipelines: readonly PipelineNode[];
}

export const NO_LEVEL: AggregationLevel = { aggregations: [], pipelines: [] };
