/**
 * What each kind of aggregation brings to a shard: its collector, made for the fields of this shard.
 */
import type { AggregationNode } from '@shoal/aggregations';
import type { QueryNode } from '@shoal/query';
import type { AggregationKernels } from '../../../kernels/aggregation-kernels.ts';
import type { CompileContext } from '../../../match/context/compile-context.ts';
import type { AggregationContext } from './aggregation-context.ts';
import type { BucketCollector, ChildBatch } from './bucket-collector.ts';
import type { ShownDocuments } from './shown-documents.ts';

export interface CollectorContext {
  readonly compile: AggregationContext;
  /** The aggregation is at the top of the request: its parent has one bucket. */
  readonly isTop: boolean;
  /** Documents as the search shows them; null where none can be shown. */
  readonly documents: ShownDocuments | null;
  /** Query of the search; null below other aggregations. */
  readonly query: QueryNode | null;
  /** null: the segments are not in the memory that kernels read. */
  readonly kernels: AggregationKernels | null;
}

/** The functions are methods, so that kinds can stand in one list: the look-up gives each only its own requests. */
export interface CollectorKind<A extends AggregationNode> {
  /** @throws ShoalError for what the shard's fields do not allow */
  collector(context: CollectorContext, request: A, children: ChildBatch): BucketCollector;
  /** Documents that are handed on are not those that the query found: each has the score 1. Left out where they are. */
  readonly handsOnOthers?: true;
  /** Context of the aggregations inside; left out where it is the same. */
  innerContext?(compile: CompileContext, request: A): CompileContext;
  /** The aggregation is over all documents, whatever the query matches. */
  ignoresQuery(request: A): boolean;
}
