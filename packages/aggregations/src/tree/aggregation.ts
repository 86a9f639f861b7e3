/**
 * Aggregations as a request names them, parsed: which field, which buckets, which children. No execution here.
 *
 * Shard and coordinator parse the same bytes: the shard collects by this tree, the coordinator reduces and renders by it.
 */
import type { Query, QueryValue } from '@shoal/query';
import type { TimeZone } from '@shoal/schema';
import type { PipelineAggregation } from './pipeline-aggregation.ts';

/** What every aggregation has. */
interface Named {
  readonly name: string;
  /** Shown in the answer as it came in; null when not given. */
  readonly meta: Readonly<Record<string, unknown>> | null;
  readonly children: readonly Aggregation[];
  /** Beside the children: those that look at results, not at documents. */
  readonly pipelines: readonly PipelineAggregation[];
}

/** What stands at one place of a request. */
export interface AggregationLevel {
  readonly aggregations: readonly Aggregation[];
  readonly pipelines: readonly PipelineAggregation[];
}

/** Where the values of an aggregation come from. */
export interface ValuesSource {
  readonly field: string;
  /** Value of documents that have none; null: they are left out. */
  readonly missing: QueryValue;
  /** Of dates; null: the field's own. */
  readonly format: string | null;
  /** Kind to assume where an index does not have the field, as the request names it; null: no values there. */
  readonly valueType: string | null;
}

export type StatsType = 'min' | 'max' | 'sum' | 'avg' | 'value_count' | 'stats' | 'extended_stats';

export interface StatsAggregation extends Named {
  readonly kind: 'stats';
  readonly type: StatsType;
  readonly source: ValuesSource;
  /** Standard deviations of the bounds of `extended_stats`. */
  readonly sigma: number;
}

export interface CardinalityAggregation extends Named {
  readonly kind: 'cardinality';
  readonly source: ValuesSource;
  /** Distinct values up to which the count is nearly exact; 0..40000. */
  readonly precisionThreshold: number;
}

export interface PercentilesAggregation extends Named {
  readonly kind: 'percentiles';
  /** Percents in, values out; or values in, percents out; or the median distance from the median. */
  readonly type: 'percentiles' | 'percentile_ranks' | 'median_absolute_deviation';
  readonly source: ValuesSource;
  readonly points: readonly number[];
  readonly isKeyed: boolean;
  readonly method: PercentilesMethod;
}

export interface WeightedAverageAggregation extends Named {
  readonly kind: 'weightedAverage';
  /** Its `format` is that of the answer. */
  readonly source: ValuesSource;
  readonly weight: ValuesSource;
}

export type PercentilesMethod =
  | { readonly kind: 'tdigest'; readonly compression: number }
  /** `digits`: significant decimal digits kept, 0..5. */
  | { readonly kind: 'hdr'; readonly digits: number };

/** One criterion of the order of buckets; `path` names a metric among the children. */
export interface BucketOrder {
  readonly by: 'count' | 'key' | 'metric';
  /** `child`, `child.value`, `single>child.avg`; empty unless `by` is `metric`. */
  readonly path: string;
  readonly isAscending: boolean;
}

/** Which terms become buckets. */
export type TermsChoice =
  | { readonly kind: 'pattern'; readonly include: string | null; readonly exclude: string | null }
  | {
      readonly kind: 'values';
      readonly include: readonly QueryValue[] | null;
      readonly exclude: readonly QueryValue[] | null;
    }
  | { readonly kind: 'partition'; readonly partition: number; readonly partitionCount: number };

export interface TermsAggregation extends Named {
  readonly kind: 'terms';
  readonly source: ValuesSource;
  readonly size: number;
  /** Buckets a shard returns at most. */
  readonly shardSize: number;
  readonly minDocCount: number;
  readonly shardMinDocCount: number;
  /** Never empty; ends with the key, so that it is total. */
  readonly order: readonly BucketOrder[];
  readonly choice: TermsChoice | null;
  readonly showsErrors: boolean;
  /** Of `rare_terms`: terms of more documents are left out of the answer; null for `terms`. */
  readonly maxDocCount: number | null;
}

export interface Bounds {
  readonly min: QueryValue;
  readonly max: QueryValue;
}

export interface HistogramAggregation extends Named {
  readonly kind: 'histogram';
  readonly source: ValuesSource;
  readonly interval: number;
  readonly offset: number;
  readonly minDocCount: number;
  readonly order: readonly BucketOrder[];
  readonly isKeyed: boolean;
  /** Buckets are shown at least this far; null when not given. */
  readonly extendedBounds: Bounds | null;
  /** Values outside are left out; null when not given. */
  readonly hardBounds: Bounds | null;
}

export type CalendarUnit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

export interface DateInterval {
  /** A calendar unit, or a fixed number of milliseconds. */
  readonly step: CalendarUnit | number;
  readonly timeZone: TimeZone;
  readonly offsetMs: number;
}

export interface DateHistogramAggregation extends Named {
  readonly kind: 'dateHistogram';
  readonly source: ValuesSource;
  readonly interval: DateInterval;
  readonly minDocCount: number;
  readonly order: readonly BucketOrder[];
  readonly isKeyed: boolean;
  readonly extendedBounds: Bounds | null;
  readonly hardBounds: Bounds | null;
}

export interface BucketRange {
  /** null: made of the ends. */
  readonly key: string | null;
  /** Inclusive; a date text where the field is a date. null: open. */
  readonly from: QueryValue;
  /** Exclusive. */
  readonly to: QueryValue;
}

export interface RangeAggregation extends Named {
  readonly kind: 'range';
  readonly type: 'range' | 'date_range';
  readonly source: ValuesSource;
  readonly ranges: readonly BucketRange[];
  readonly isKeyed: boolean;
  /** Of date texts without one of their own; null: UTC. */
  readonly timeZone: string | null;
}

export interface BucketFilter {
  readonly key: string;
  readonly query: Query;
  /** Of a range of addresses, as they are shown; null where open, and for all else. */
  readonly from?: string | null;
  readonly to?: string | null;
}

export interface FiltersAggregation extends Named {
  readonly kind: 'filters';
  /** `filter`, `missing` and `global` show one bucket as the aggregation itself. */
  readonly type: 'filters' | 'filter' | 'missing' | 'global' | 'adjacency_matrix' | 'ip_range';
  readonly filters: readonly BucketFilter[];
  /** Shown under their keys; else in a list. */
  readonly isKeyed: boolean;
  /** Bucket of the documents that no filter matches; null without one. */
  readonly otherKey: string | null;
}

export type CompositeSource = {
  readonly name: string;
  readonly source: ValuesSource;
  readonly isAscending: boolean;
  /** Documents without a value make a bucket with the key null. */
  readonly hasMissingBucket: boolean;
  readonly missingOrder: 'first' | 'last' | 'default';
} & (
  | { readonly kind: 'terms' }
  | { readonly kind: 'histogram'; readonly interval: number }
  | { readonly kind: 'dateHistogram'; readonly interval: DateInterval }
);

export interface CompositeAggregation extends Named {
  readonly kind: 'composite';
  readonly sources: readonly CompositeSource[];
  readonly size: number;
  /** Key behind which the buckets start, one value a source; null: at the first. */
  readonly after: readonly QueryValue[] | null;
}

export type BucketAggregation =
  | TermsAggregation
  | HistogramAggregation
  | DateHistogramAggregation
  | RangeAggregation
  | FiltersAggregation
  | CompositeAggregation;

export type MetricAggregation =
  | StatsAggregation
  | CardinalityAggregation
  | PercentilesAggregation
  | WeightedAverageAggregation;

export type Aggregation = BucketAggregation | MetricAggregation;
