/**
 * Aggregations over the results of others: no document is read for them, the coordinator computes them at the end.
 */

/** What a bucket without a value, or without documents, stands for. */
export type GapPolicy = 'skip' | 'insert_zeros' | 'keep_values';

interface PipelineParts {
  readonly name: string;
  readonly meta: Readonly<Record<string, unknown>> | null;
  /** Where the values are: names of aggregations, a metric or a key of a bucket, in the order of descent. */
  readonly path: readonly string[];
  readonly gapPolicy: GapPolicy;
  /** Java's DecimalFormat; null: numbers alone. */
  readonly format: string | null;
}

export type SiblingType =
  | 'avg_bucket'
  | 'max_bucket'
  | 'min_bucket'
  | 'sum_bucket'
  | 'stats_bucket'
  | 'extended_stats_bucket'
  | 'percentiles_bucket';

/** Stands beside the aggregation whose buckets it looks at. */
export interface SiblingPipeline extends PipelineParts {
  readonly kind: 'sibling';
  readonly type: SiblingType;
  readonly sigma: number;
  readonly percents: readonly number[];
  readonly isKeyed: boolean;
}

export type ParentType = 'cumulative_sum' | 'derivative' | 'serial_diff' | 'bucket_sort';

export interface PipelineSort {
  readonly path: readonly string[];
  readonly isAscending: boolean;
}

/** Stands within the aggregation whose buckets it looks at, and adds a value to each of them. */
export interface ParentPipeline extends PipelineParts {
  readonly kind: 'parent';
  readonly type: ParentType;
  /** Of a derivative: milliseconds that it is also given by; null: none. */
  readonly unitMs: number | null;
  /** Of a serial difference: buckets between the two. */
  readonly lag: number;
  readonly sort: readonly PipelineSort[];
  readonly from: number;
  /** null: all. */
  readonly size: number | null;
}

export type PipelineAggregation = SiblingPipeline | ParentPipeline;
