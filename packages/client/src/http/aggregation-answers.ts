/**
 * Answers of aggregations, as their requests say what they are: names, buckets in buckets, keys of the type of the field.
 */
import type { Hits } from './hits.ts';
import type { BaseKind, IndexSchema } from './index-schema.ts';

interface Single {
  /** null where no document had a value. */
  readonly value: number | null;
  readonly value_as_string?: string;
}

interface Count {
  readonly value: number;
}

interface Stats {
  readonly count: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly avg: number | null;
  readonly sum: number;
  readonly [more: `${string}_as_string`]: string;
}

interface ExtendedStats extends Stats {
  readonly sum_of_squares: number | null;
  readonly variance: number | null;
  readonly std_deviation: number | null;
  readonly std_deviation_bounds: Readonly<Record<string, number | null>>;
}

type Percentiles<Body> = Body extends { readonly keyed: false }
  ? { readonly values: readonly { readonly key: number; readonly value: number | null }[] }
  : { readonly values: Readonly<Record<string, number | null>> };

interface Documents {
  readonly doc_count: number;
}

interface Keyed<Key> extends Documents {
  readonly key: Key;
  readonly key_as_string?: string;
}

interface RangeBucket extends Documents {
  readonly key: string;
  readonly from?: number | string;
  readonly to?: number | string;
  readonly from_as_string?: string;
  readonly to_as_string?: string;
}

type Listed<Body, Bucket> = Body extends { readonly keyed: true }
  ? { readonly buckets: Readonly<Record<string, Bucket>> }
  : { readonly buckets: readonly Bucket[] };

type NumberKeys =
  | 'long'
  | 'integer'
  | 'short'
  | 'byte'
  | 'double'
  | 'float'
  | 'half_float'
  | 'scaled_float'
  | 'unsigned_long'
  | 'token_count'
  | 'date'
  | 'date_nanos'
  | 'boolean';

/** Type of the key of a bucket of terms. */
type TermKey<Fields, Body> = Body extends { readonly field: infer Name extends keyof Fields }
  ? BaseKind<Fields[Name]> extends NumberKeys
    ? number
    : BaseKind<Fields[Name]> extends 'any'
      ? string | number
      : string
  : string | number;

interface TermList<Bucket> {
  readonly doc_count_error_upper_bound: number;
  readonly sum_other_doc_count: number;
  readonly buckets: readonly Bucket[];
}

type NamedFilters<Body, Bucket> = Body extends { readonly filters: infer Filters }
  ? Filters extends readonly unknown[]
    ? { readonly buckets: readonly Bucket[] }
    : {
        readonly buckets: { readonly [Name in keyof Filters]: Bucket } & Readonly<
          Record<'_other_', Bucket | undefined>
        >;
      }
  : never;

/** Answer of each aggregation, from its body and the answers of its sub-aggregations. */
interface AnswerByName<Schema extends IndexSchema, Fields, Body, Sub> {
  adjacency_matrix: { readonly buckets: readonly (Keyed<string> & Sub)[] };
  auto_date_histogram: { readonly interval: string; readonly buckets: readonly (Keyed<number> & Sub)[] };
  avg: Single;
  avg_bucket: Single;
  boxplot: Readonly<Record<'min' | 'max' | 'q1' | 'q2' | 'q3' | 'lower' | 'upper', number | null>>;
  bucket_script: Single;
  cardinality: Count;
  children: Documents & Sub;
  composite: {
    readonly after_key?: Readonly<Record<string, string | number | boolean | null>>;
    readonly buckets: readonly (Keyed<Readonly<Record<string, string | number | boolean | null>>> & Sub)[];
  };
  cumulative_cardinality: Single;
  cumulative_sum: Single;
  date_histogram: Listed<Body, Keyed<number> & Sub>;
  date_range: Listed<Body, RangeBucket & Sub>;
  derivative: Single & { readonly normalized_value?: number };
  diversified_sampler: Documents & Sub;
  extended_stats: ExtendedStats;
  extended_stats_bucket: ExtendedStats;
  filter: Documents & Sub;
  filters: NamedFilters<Body, Documents & Sub>;
  geo_bounds: {
    readonly bounds?: Readonly<Record<'top_left' | 'bottom_right', { readonly lat: number; readonly lon: number }>>;
  };
  geo_centroid: { readonly location?: { readonly lat: number; readonly lon: number }; readonly count: number };
  geo_distance: Listed<Body, RangeBucket & Sub>;
  geohash_grid: { readonly buckets: readonly (Keyed<string> & Sub)[] };
  geotile_grid: { readonly buckets: readonly (Keyed<string> & Sub)[] };
  global: Documents & Sub;
  histogram: Listed<Body, Keyed<number> & Sub>;
  ip_range: Listed<Body, RangeBucket & Sub>;
  matrix_stats: { readonly doc_count: number; readonly fields?: readonly Readonly<Record<string, unknown>>[] };
  max: Single;
  max_bucket: Single & { readonly keys: readonly string[] };
  median_absolute_deviation: Single;
  min: Single;
  min_bucket: Single & { readonly keys: readonly string[] };
  missing: Documents & Sub;
  moving_avg: Single;
  moving_fn: Single;
  multi_terms: TermList<Keyed<readonly (string | number)[]> & Sub>;
  nested: Documents & Sub;
  normalize: Single;
  parent: Documents & Sub;
  percentile_ranks: Percentiles<Body>;
  percentiles: Percentiles<Body>;
  percentiles_bucket: Percentiles<Body>;
  range: Listed<Body, RangeBucket & Sub>;
  rare_terms: { readonly buckets: readonly (Keyed<TermKey<Fields, Body>> & Sub)[] };
  rate: Single;
  reverse_nested: Documents & Sub;
  sampler: Documents & Sub;
  scripted_metric: { readonly value: unknown };
  serial_diff: Single;
  significant_terms: Significant<TermKey<Fields, Body>, Sub>;
  significant_text: Significant<string, Sub>;
  stats: Stats;
  stats_bucket: Stats;
  string_stats: {
    readonly count: number;
    readonly min_length: number | null;
    readonly max_length: number | null;
    readonly avg_length: number | null;
    readonly entropy: number;
    readonly distribution?: Readonly<Record<string, number>>;
  };
  sum: Single;
  sum_bucket: Single;
  t_test: Single;
  terms: TermList<Keyed<TermKey<Fields, Body>> & Sub>;
  top_hits: { readonly hits: Hits<Schema, Schema['document']> };
  top_metrics: {
    readonly top: readonly {
      readonly sort: readonly unknown[];
      readonly metrics: Readonly<Record<string, number | string | null>>;
    }[];
  };
  value_count: Count;
  variable_width_histogram: {
    readonly buckets: readonly (Keyed<number> & { readonly min: number; readonly max: number } & Sub)[];
  };
  weighted_avg: Single;
}

interface Significant<Key, Sub> {
  readonly doc_count: number;
  readonly bg_count: number;
  readonly buckets: readonly (Keyed<Key> & { readonly score: number; readonly bg_count: number } & Sub)[];
}

type SubAnswers<Schema extends IndexSchema, Fields, Asked> = Asked extends { readonly aggs: infer Sub }
  ? AnswersOf<Schema, Fields, Sub>
  : Asked extends { readonly aggregations: infer Sub }
    ? AnswersOf<Schema, Fields, Sub>
    : unknown;

/** Fields that the sub-aggregations of an aggregation look at. */
type FieldsBelow<Schema extends IndexSchema, Fields, Asked> = Asked extends {
  readonly nested: { readonly path: infer Path extends keyof Schema['nested'] };
}
  ? Schema['nested'][Path]
  : Asked extends { readonly reverse_nested: unknown } | { readonly children: unknown } | { readonly parent: unknown }
    ? Schema['fields']
    : Fields;

type AnswerOf<Schema extends IndexSchema, Fields, Asked> = {
  [Name in keyof Asked & keyof AnswerByName<Schema, Fields, never, never>]: AnswerByName<
    Schema,
    Fields,
    Asked[Name],
    SubAnswers<Schema, FieldsBelow<Schema, Fields, Asked>, Asked>
  >[Name];
}[keyof Asked & keyof AnswerByName<Schema, Fields, never, never>];

/** Answers by the names that the request gave its aggregations. */
export type AnswersOf<Schema extends IndexSchema, Fields, Asked> = {
  readonly [Name in keyof Asked]: AnswerOf<Schema, Fields, Asked[Name]>;
};
