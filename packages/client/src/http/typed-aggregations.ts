/**
 * Aggregations that know the fields of an index: averages of numbers, buckets of what has values by document.
 */
import type {
  AnyKind,
  DateColumn,
  DateHistogramColumn,
  GeoColumn,
  HistogramColumn,
  IndexSchema,
  IpColumn,
  MetricColumn,
  NamesOf,
  NumberColumn,
  PercentileColumn,
  PointColumn,
  TermColumn,
  TextColumn,
  ValueColumn,
  WordKind,
} from './index-schema.ts';
import type { QueryScript } from './query-options.ts';
import type { Sort, SourceFilter } from './search-parts.ts';
import type { Query } from './typed-query.ts';

type Json = Readonly<Record<string, unknown>>;
type Direction = 'asc' | 'desc';

/** Values of a field, or of a script in its place. */
interface Values<Fields, Kind> {
  readonly field?: NamesOf<Fields, Kind>;
  readonly script?: QueryScript | string;
  readonly missing?: string | number | boolean;
  readonly format?: string;
}

interface TermBuckets {
  readonly size?: number;
  readonly shard_size?: number;
  readonly min_doc_count?: number;
  readonly shard_min_doc_count?: number;
  readonly order?: Json | readonly Json[];
  readonly show_term_doc_count_error?: boolean;
  readonly collect_mode?: 'depth_first' | 'breadth_first';
}

interface Chosen {
  readonly include?: string | readonly (string | number | boolean)[] | Json;
  readonly exclude?: string | readonly (string | number | boolean)[];
  readonly execution_hint?: string;
}

interface Significance extends TermBuckets, Chosen {
  readonly background_filter?: Json;
  readonly jlh?: Json;
  readonly mutual_information?: Json;
  readonly chi_square?: Json;
  readonly gnd?: Json;
  readonly percentage?: Json;
  readonly script_heuristic?: Json;
}

interface Intervals {
  readonly min_doc_count?: number;
  readonly order?: Json | readonly Json[];
  readonly keyed?: boolean;
  readonly extended_bounds?: Json;
  readonly hard_bounds?: Json;
}

interface DateIntervals extends Intervals {
  readonly calendar_interval?: string;
  readonly fixed_interval?: string;
  readonly interval?: string;
  readonly time_zone?: string;
  readonly offset?: string | number;
}

interface Range<Bound> {
  readonly key?: string;
  readonly from?: Bound;
  readonly to?: Bound;
  readonly mask?: string;
}

interface Ranges<Fields, Kind, Bound> extends Values<Fields, Kind> {
  readonly ranges: readonly Range<Bound>[];
  readonly keyed?: boolean;
}

interface Percentiles<Fields> extends Values<Fields, PercentileColumn> {
  readonly keyed?: boolean;
  readonly tdigest?: Json;
  readonly hdr?: Json;
}

interface CompositeSource<Fields> {
  readonly terms?: Values<Fields, TermColumn> & SourceOrder;
  readonly histogram?: Values<Fields, NumberColumn> & SourceOrder & { readonly interval: number };
  readonly date_histogram?: Values<Fields, DateColumn> & SourceOrder & DateIntervals;
  readonly geotile_grid?: Values<Fields, PointColumn> & SourceOrder & { readonly precision?: number };
}

interface SourceOrder {
  readonly order?: Direction;
  readonly missing_bucket?: boolean;
  readonly missing_order?: 'first' | 'last' | 'default';
}

interface Sample {
  readonly shard_size?: number;
}

/** A pipeline aggregation: it reads other aggregations by their paths. */
interface OfBuckets {
  readonly buckets_path?: string | readonly string[] | Json;
  readonly gap_policy?: 'skip' | 'insert_zeros' | 'keep_values';
  readonly format?: string;
}

type Metric<Fields> = Values<Fields, MetricColumn>;

/** Bodies of aggregations by name, but for those whose sub-aggregations look at other documents. */
export interface AggregationBodies<Schema extends IndexSchema, Fields> {
  readonly adjacency_matrix?: {
    readonly filters: Readonly<Record<string, Query<Schema, Fields>>>;
    readonly separator?: string;
  };
  readonly auto_date_histogram?: Values<Fields, DateColumn> & {
    readonly buckets?: number;
    readonly minimum_interval?: string;
    readonly time_zone?: string;
  };
  readonly avg?: Metric<Fields>;
  readonly boxplot?: Values<Fields, PercentileColumn> & {
    readonly compression?: number;
    readonly execution_hint?: string;
  };
  readonly cardinality?: Values<Fields, TermColumn> & {
    readonly precision_threshold?: number;
    readonly execution_hint?: string;
  };
  readonly composite?: {
    readonly sources: readonly Readonly<Record<string, CompositeSource<Fields>>>[];
    readonly size?: number;
    readonly after?: Json;
  };
  readonly date_histogram?: Values<Fields, DateHistogramColumn> & DateIntervals;
  readonly date_range?: Ranges<Fields, DateColumn, string | number> & { readonly time_zone?: string };
  readonly diversified_sampler?: Values<Fields, TermColumn> &
    Sample & { readonly max_docs_per_value?: number; readonly execution_hint?: string };
  readonly extended_stats?: Metric<Fields> & { readonly sigma?: number };
  readonly filter?: Query<Schema, Fields>;
  readonly filters?: {
    readonly filters: Readonly<Record<string, Query<Schema, Fields>>> | readonly Query<Schema, Fields>[];
    readonly other_bucket?: boolean;
    readonly other_bucket_key?: string;
    readonly keyed?: boolean;
  };
  readonly geo_bounds?: Values<Fields, GeoColumn> & { readonly wrap_longitude?: boolean };
  readonly geo_centroid?: Values<Fields, GeoColumn>;
  readonly geo_distance?: Ranges<Fields, PointColumn, number> & {
    readonly origin: unknown;
    readonly unit?: string;
    readonly distance_type?: 'arc' | 'plane';
  };
  readonly geohash_grid?: Grid<Fields>;
  readonly geotile_grid?: Grid<Fields>;
  readonly global?: Readonly<Record<string, never>>;
  readonly histogram?: Values<Fields, HistogramColumn> &
    Intervals & { readonly interval: number; readonly offset?: number };
  readonly ip_range?: Ranges<Fields, IpColumn, string>;
  readonly matrix_stats?: {
    readonly fields: readonly NamesOf<Fields, MetricColumn>[];
    readonly mode?: string;
    readonly missing?: Json;
  };
  readonly max?: Metric<Fields>;
  readonly median_absolute_deviation?: Metric<Fields> & {
    readonly compression?: number;
    readonly execution_hint?: string;
  };
  readonly min?: Metric<Fields>;
  readonly missing?: Values<Fields, ValueColumn>;
  readonly multi_terms?: TermBuckets & { readonly terms: readonly Values<Fields, TermColumn>[] };
  readonly percentile_ranks?: Percentiles<Fields> & { readonly values: readonly number[] };
  readonly percentiles?: Percentiles<Fields> & { readonly percents?: readonly number[] };
  readonly range?: Ranges<Fields, NumberColumn, number>;
  readonly rare_terms?: Values<Fields, TermColumn> &
    Chosen & { readonly max_doc_count?: number; readonly precision?: number };
  readonly rate?: Values<Fields, NumberColumn> & { readonly unit?: string; readonly mode?: 'sum' | 'value_count' };
  readonly sampler?: Sample;
  readonly scripted_metric?: Json;
  readonly significant_terms?: Values<Fields, TermColumn> & Significance;
  readonly significant_text?: Significance & {
    readonly field: NamesOf<Fields, WordKind | TextColumn>;
    readonly filter_duplicate_text?: boolean;
    readonly source_fields?: readonly string[];
  };
  readonly stats?: Metric<Fields>;
  readonly string_stats?: Values<Fields, TextColumn> & { readonly show_distribution?: boolean };
  readonly sum?: Metric<Fields>;
  readonly t_test?: { readonly a: Test<Schema, Fields>; readonly b: Test<Schema, Fields>; readonly type?: string };
  readonly terms?: Values<Fields, TermColumn> & TermBuckets & Chosen & { readonly value_type?: string };
  readonly top_hits?: {
    readonly from?: number;
    readonly size?: number;
    readonly sort?: Sort<Schema>;
    readonly _source?: SourceFilter<Schema>;
    readonly fields?: readonly (NamesOf<Schema['fields'], AnyKind> | Json)[];
    readonly docvalue_fields?: readonly unknown[];
    readonly script_fields?: Json;
    readonly highlight?: Json;
    readonly explain?: boolean;
    readonly version?: boolean;
    readonly seq_no_primary_term?: boolean;
    readonly track_scores?: boolean;
    readonly stored_fields?: readonly string[];
  };
  readonly top_metrics?: {
    readonly metrics: OneOrMore<{ readonly field: NamesOf<Fields, TermColumn> }>;
    readonly sort?: Sort<Schema>;
    readonly size?: number;
  };
  readonly value_count?: Values<Fields, ValueColumn>;
  readonly variable_width_histogram?: Values<Fields, NumberColumn> & {
    readonly buckets?: number;
    readonly shard_size?: number;
    readonly initial_buffer?: number;
  };
  readonly weighted_avg?: {
    readonly value: Values<Fields, MetricColumn>;
    readonly weight: Values<Fields, MetricColumn>;
    readonly format?: string;
  };
  readonly avg_bucket?: OfBuckets;
  readonly bucket_script?: OfBuckets & { readonly script: QueryScript | string };
  readonly bucket_selector?: OfBuckets & { readonly script: QueryScript | string };
  readonly bucket_sort?: OfBuckets & {
    readonly sort?: OneOrMore<string | Json>;
    readonly from?: number;
    readonly size?: number;
  };
  readonly cumulative_cardinality?: OfBuckets;
  readonly cumulative_sum?: OfBuckets;
  readonly derivative?: OfBuckets & { readonly unit?: string };
  readonly extended_stats_bucket?: OfBuckets & { readonly sigma?: number };
  readonly max_bucket?: OfBuckets;
  readonly min_bucket?: OfBuckets;
  readonly moving_avg?: OfBuckets & Json;
  readonly moving_fn?: OfBuckets & {
    readonly script: QueryScript | string;
    readonly window: number;
    readonly shift?: number;
  };
  readonly moving_percentiles?: OfBuckets & { readonly window: number; readonly shift?: number };
  readonly normalize?: OfBuckets & { readonly method: string };
  readonly percentiles_bucket?: OfBuckets & { readonly percents?: readonly number[]; readonly keyed?: boolean };
  readonly serial_diff?: OfBuckets & { readonly lag?: number };
  readonly stats_bucket?: OfBuckets;
  readonly sum_bucket?: OfBuckets;
}

type OneOrMore<T> = T | readonly T[];

interface Grid<Fields> extends Values<Fields, PointColumn> {
  readonly precision?: number | string;
  readonly size?: number;
  readonly shard_size?: number;
  readonly bounds?: Json;
}

interface Test<Schema extends IndexSchema, Fields> extends Values<Fields, NumberColumn> {
  readonly filter?: Query<Schema, Fields>;
}

interface Sub<Schema extends IndexSchema, Fields> {
  readonly aggs?: Aggregations<Schema, Fields>;
  readonly aggregations?: Aggregations<Schema, Fields>;
  readonly meta?: Json;
}

/** Aggregations whose sub-aggregations look at other documents than they do themselves. */
interface OtherDocuments {
  readonly nested?: never;
  readonly reverse_nested?: never;
  readonly children?: never;
  readonly parent?: never;
}

type Nested<Schema extends IndexSchema> = {
  [Path in keyof Schema['nested']]: Sub<Schema, Schema['nested'][Path]> & { readonly nested: { readonly path: Path } };
}[keyof Schema['nested']];

type Whole<Schema extends IndexSchema> = Sub<Schema, Schema['fields']> &
  (
    | { readonly reverse_nested: { readonly path?: keyof Schema['nested'] } }
    | { readonly children: { readonly type: string } }
    | { readonly parent: { readonly type: string } }
  );

export type Aggregation<Schema extends IndexSchema, Fields = Schema['fields']> =
  | (AggregationBodies<Schema, Fields> & Sub<Schema, Fields> & OtherDocuments)
  | Nested<Schema>
  | Whole<Schema>;

/** Aggregations by the names that their answers have. */
export interface Aggregations<Schema extends IndexSchema, Fields = Schema['fields']> {
  readonly [name: string]: Aggregation<Schema, Fields>;
}

type SubNames = 'aggs' | 'aggregations';
type Whatever = AggregationBodies<never, never>;

/**
 * The aggregations themselves, where every option is one that its aggregation has: what was inferred from a request is compared
 * with the members it may have, which the compiler does by itself only for types that are not inferred.
 */
export type Known<Asked> = {
  readonly [Name in keyof Asked]: {
    readonly [Part in keyof Asked[Name]]: Part extends SubNames
      ? Known<Asked[Name][Part]>
      : Part extends keyof Whatever
        ? { readonly [Option in keyof Asked[Name][Part]]: Option extends OptionOf<Part> ? unknown : never }
        : Part extends 'nested' | 'reverse_nested' | 'children' | 'parent' | 'meta'
          ? unknown
          : never;
  };
};

type OptionOf<Part extends keyof Whatever> = KeyOfUnion<NonNullable<Whatever[Part]>>;
type KeyOfUnion<T> = T extends unknown ? keyof T : never;
