/**
 * Queries that know the fields of an index: a name that the mapping lacks, or whose field cannot be asked so, does not compile.
 *
 * One interface, whose members are the queries by name: a wrong word is then reported where it stands.
 */
import type { GeoPointValue, ShapeValue } from './document-values.ts';
import type {
  AnyKind,
  DistanceKind,
  FeatureKind,
  GeoKind,
  GeoPointKind,
  IndexSchema,
  MatchKind,
  NamesOf,
  PatternKind,
  PercolatorKind,
  PlaneKind,
  RangeKind,
  TermKind,
  ValueOf,
  VectorKind,
  WordKind,
} from './index-schema.ts';
import type {
  ByField,
  Fuzziness,
  MatchOptions,
  MinimumMatch,
  Operator,
  PatternOptions,
  PhraseOptions,
  QueryScript,
  RangeOptions,
  TextByField,
  ValueByField,
  Weighed,
  WeighedName,
  WordOptions,
  ZeroTerms,
} from './query-options.ts';

interface TextOverFields<Fields> extends WordOptions {
  readonly query: string;
  readonly fields?: readonly WeighedName<Fields, MatchKind>[];
  readonly minimum_should_match?: MinimumMatch;
  readonly lenient?: boolean;
  readonly auto_generate_synonyms_phrase_query?: boolean;
}

interface MultiMatch<Fields> extends Omit<MatchOptions, 'operator'>, PhraseOptions {
  readonly query: string | number | boolean;
  readonly fields?: readonly WeighedName<Fields, MatchKind>[];
  readonly type?: 'best_fields' | 'most_fields' | 'cross_fields' | 'phrase' | 'phrase_prefix' | 'bool_prefix';
  readonly operator?: Operator;
  readonly tie_breaker?: number;
}

interface QueryString<Fields> extends TextOverFields<Fields> {
  readonly default_field?: WeighedName<Fields, MatchKind>;
  readonly default_operator?: Operator;
  readonly allow_leading_wildcard?: boolean;
  readonly analyze_wildcard?: boolean;
  readonly enable_position_increments?: boolean;
  readonly escape?: boolean;
  readonly fuzziness?: Fuzziness;
  readonly fuzzy_max_expansions?: number;
  readonly fuzzy_prefix_length?: number;
  readonly fuzzy_transpositions?: boolean;
  readonly fuzzy_rewrite?: string;
  readonly max_determinized_states?: number;
  readonly phrase_slop?: number;
  readonly quote_analyzer?: string;
  readonly quote_field_suffix?: string;
  readonly rewrite?: string;
  readonly tie_breaker?: number;
  readonly time_zone?: string;
  readonly type?: MultiMatch<Fields>['type'];
}

interface SimpleQueryString<Fields> extends TextOverFields<Fields> {
  readonly default_operator?: Operator;
  readonly flags?: string;
  readonly analyze_wildcard?: boolean;
  readonly fuzzy_max_expansions?: number;
  readonly fuzzy_prefix_length?: number;
  readonly fuzzy_transpositions?: boolean;
  readonly quote_field_suffix?: string;
}

type OneOrMore<T> = T | readonly T[];

interface BoolQuery<Schema extends IndexSchema, Fields> extends Weighed {
  readonly must?: OneOrMore<Query<Schema, Fields>>;
  readonly filter?: OneOrMore<Query<Schema, Fields>>;
  readonly should?: OneOrMore<Query<Schema, Fields>>;
  readonly must_not?: OneOrMore<Query<Schema, Fields>>;
  readonly minimum_should_match?: MinimumMatch;
}

type NestedQuery<Schema extends IndexSchema> = {
  [Path in keyof Schema['nested']]: Weighed & {
    readonly path: Path;
    readonly query: Query<Schema, Schema['nested'][Path]>;
    readonly score_mode?: 'avg' | 'max' | 'min' | 'sum' | 'none';
    readonly ignore_unmapped?: boolean;
    readonly inner_hits?: Readonly<Record<string, unknown>>;
  };
}[keyof Schema['nested']];

interface ScoreFunction<Schema extends IndexSchema, Fields> {
  readonly filter?: Query<Schema, Fields>;
  readonly weight?: number;
  readonly field_value_factor?: {
    readonly field: NamesOf<Fields, AnyKind>;
    readonly factor?: number;
    readonly modifier?: string;
    readonly missing?: number;
  };
  readonly random_score?: { readonly seed?: number | string; readonly field?: NamesOf<Fields, AnyKind> };
  readonly script_score?: { readonly script: QueryScript };
  readonly gauss?: Decay<Fields>;
  readonly exp?: Decay<Fields>;
  readonly linear?: Decay<Fields>;
}

type Decay<Fields> = ByField<
  Fields,
  AnyKind,
  {
    readonly origin?: unknown;
    readonly scale: unknown;
    readonly offset?: unknown;
    readonly decay?: number;
  }
> & { readonly multi_value_mode?: 'min' | 'max' | 'avg' | 'sum' };

interface FunctionScore<Schema extends IndexSchema, Fields> extends Weighed, ScoreFunction<Schema, Fields> {
  readonly query?: Query<Schema, Fields>;
  readonly functions?: readonly ScoreFunction<Schema, Fields>[];
  readonly score_mode?: 'multiply' | 'sum' | 'avg' | 'first' | 'max' | 'min';
  readonly boost_mode?: 'multiply' | 'replace' | 'sum' | 'avg' | 'max' | 'min';
  readonly max_boost?: number;
  readonly min_score?: number;
}

interface MoreLikeThis<Fields> extends WordOptions {
  readonly fields?: readonly NamesOf<Fields, MatchKind>[];
  readonly like: OneOrMore<string | Readonly<Record<string, unknown>>>;
  readonly unlike?: OneOrMore<string | Readonly<Record<string, unknown>>>;
  readonly max_query_terms?: number;
  readonly min_term_freq?: number;
  readonly min_doc_freq?: number;
  readonly max_doc_freq?: number;
  readonly min_word_length?: number;
  readonly max_word_length?: number;
  readonly stop_words?: readonly string[];
  readonly minimum_should_match?: MinimumMatch;
  readonly boost_terms?: number;
  readonly include?: boolean;
  readonly fail_on_unsupported_field?: boolean;
}

type GeoDistance<Fields> = ByField<Fields, GeoPointKind, GeoPointValue> &
  Weighed & {
    readonly distance: number | string;
    readonly distance_type?: 'arc' | 'plane';
    readonly validation_method?: 'STRICT' | 'COERCE' | 'IGNORE_MALFORMED';
    readonly ignore_unmapped?: boolean;
  };

type GeoBox<Fields> = ByField<Fields, GeoKind, Readonly<Record<string, unknown>>> &
  Weighed & { readonly validation_method?: string; readonly ignore_unmapped?: boolean; readonly type?: string };

type ShapeQuery<Fields, Kind> = ByField<
  Fields,
  Kind,
  {
    readonly shape?: ShapeValue;
    readonly indexed_shape?: Readonly<Record<string, unknown>>;
    readonly relation?: string;
  }
> &
  Weighed & { readonly ignore_unmapped?: boolean };

type TermsQuery<Fields> = {
  readonly [Name in keyof Fields as Fields[Name] extends TermKind ? Name : never]?:
    | readonly ValueOf<Fields[Name]>[]
    | { readonly index: string; readonly id: string; readonly path: string; readonly routing?: string };
} & Weighed;

interface DisMax<Schema extends IndexSchema, Fields> extends Weighed {
  readonly queries: readonly Query<Schema, Fields>[];
  readonly tie_breaker?: number;
}

interface Boosting<Schema extends IndexSchema, Fields> extends Weighed {
  readonly positive: Query<Schema, Fields>;
  readonly negative: Query<Schema, Fields>;
  readonly negative_boost: number;
}

interface OtherDocuments<Schema extends IndexSchema> extends Weighed {
  readonly query: Query<Schema, Schema['fields']>;
  readonly ignore_unmapped?: boolean;
  readonly inner_hits?: Readonly<Record<string, unknown>>;
}

/** The documents whose vectors are nearest to one. */
export interface NearestVectors<Schema extends IndexSchema, Fields = Schema['fields']> extends Weighed {
  readonly field: NamesOf<Fields, VectorKind>;
  readonly query_vector: readonly number[];
  readonly k?: number;
  readonly num_candidates?: number;
  readonly filter?: OneOrMore<Query<Schema, Fields>>;
  readonly similarity?: number;
}

/** Query over `Fields`: those of the index, or in a `nested` query those of its path. */
export interface Query<Schema extends IndexSchema, Fields = Schema['fields']> {
  readonly match_all?: Weighed;
  readonly match_none?: Weighed;
  readonly match?: TextByField<Fields, MatchKind, MatchOptions>;
  readonly match_phrase?: TextByField<Fields, MatchKind, PhraseOptions>;
  readonly match_phrase_prefix?: TextByField<Fields, WordKind, PhraseOptions & { readonly max_expansions?: number }>;
  readonly match_bool_prefix?: TextByField<Fields, PatternKind, MatchOptions>;
  readonly multi_match?: MultiMatch<Fields>;
  readonly combined_fields?: Weighed & {
    readonly query: string;
    readonly fields: readonly WeighedName<Fields, WordKind>[];
    readonly operator?: Operator;
    readonly minimum_should_match?: MinimumMatch;
    readonly auto_generate_synonyms_phrase_query?: boolean;
    readonly zero_terms_query?: ZeroTerms;
  };
  readonly query_string?: QueryString<Fields>;
  readonly simple_query_string?: SimpleQueryString<Fields>;
  readonly intervals?: ByField<Fields, WordKind, Readonly<Record<string, unknown>>>;
  readonly term?: ValueByField<Fields, TermKind, Weighed & { readonly case_insensitive?: boolean }>;
  readonly terms?: TermsQuery<Fields>;
  readonly terms_set?: ByField<
    Fields,
    TermKind,
    Weighed & {
      readonly terms: readonly (string | number | boolean)[];
      readonly minimum_should_match_field?: NamesOf<Fields, AnyKind>;
      readonly minimum_should_match_script?: QueryScript;
    }
  >;
  readonly range?: {
    readonly [Name in keyof Fields as Fields[Name] extends RangeKind ? Name : never]?: RangeOptions<
      ValueOf<Fields[Name]>
    >;
  };
  readonly prefix?: ValueByField<Fields, PatternKind, PatternOptions>;
  readonly wildcard?: ByField<
    Fields,
    PatternKind,
    string | (PatternOptions & ({ readonly value: string } | { readonly wildcard: string }))
  >;
  readonly regexp?: ByField<
    Fields,
    PatternKind,
    | string
    | (PatternOptions & { readonly value: string; readonly flags?: string; readonly max_determinized_states?: number })
  >;
  readonly fuzzy?: ValueByField<
    Fields,
    PatternKind,
    Weighed & {
      readonly fuzziness?: Fuzziness;
      readonly max_expansions?: number;
      readonly prefix_length?: number;
      readonly transpositions?: boolean;
      readonly rewrite?: string;
    }
  >;
  readonly exists?: Weighed & { readonly field: NamesOf<Fields, AnyKind> | Schema['paths'] | `${string}*${string}` };
  readonly ids?: Weighed & { readonly values: OneOrMore<string> };
  readonly bool?: BoolQuery<Schema, Fields>;
  readonly boosting?: Boosting<Schema, Fields>;
  readonly constant_score?: Weighed & { readonly filter: Query<Schema, Fields> };
  readonly dis_max?: DisMax<Schema, Fields>;
  readonly function_score?: FunctionScore<Schema, Fields>;
  readonly script_score?: Weighed & {
    readonly query: Query<Schema, Fields>;
    readonly script: QueryScript;
    readonly min_score?: number;
  };
  readonly script?: Weighed & { readonly script: QueryScript };
  readonly pinned?: Weighed & {
    readonly ids?: readonly string[];
    readonly docs?: readonly { readonly _id: string; readonly _index?: string }[];
    readonly organic: Query<Schema, Fields>;
  };
  readonly rule?: Weighed & {
    readonly organic: Query<Schema, Fields>;
    readonly match_criteria: Readonly<Record<string, unknown>>;
    readonly ruleset_ids: readonly string[];
  };
  readonly nested?: NestedQuery<Schema>;
  readonly has_child?: OtherDocuments<Schema> & {
    readonly type: string;
    readonly score_mode?: 'avg' | 'max' | 'min' | 'sum' | 'none';
    readonly min_children?: number;
    readonly max_children?: number;
  };
  readonly has_parent?: OtherDocuments<Schema> & { readonly parent_type: string; readonly score?: boolean };
  readonly parent_id?: Weighed & { readonly type: string; readonly id: string; readonly ignore_unmapped?: boolean };
  readonly percolate?: Weighed & {
    readonly field: NamesOf<Fields, PercolatorKind>;
    readonly document?: Readonly<Record<string, unknown>>;
    readonly documents?: readonly Readonly<Record<string, unknown>>[];
    readonly index?: string;
    readonly id?: string;
    readonly routing?: string;
    readonly preference?: string;
    readonly version?: number;
    readonly name?: string;
  };
  readonly rank_feature?: Weighed & {
    readonly field: NamesOf<Fields, FeatureKind> | `${NamesOf<Fields, FeatureKind>}.${string}`;
    readonly saturation?: { readonly pivot?: number };
    readonly log?: { readonly scaling_factor: number };
    readonly sigmoid?: { readonly pivot: number; readonly exponent: number };
    readonly linear?: Readonly<Record<string, never>>;
  };
  readonly distance_feature?: Weighed & {
    readonly field: NamesOf<Fields, DistanceKind>;
    readonly origin: GeoPointValue;
    readonly pivot: string;
  };
  readonly knn?: NearestVectors<Schema, Fields>;
  readonly more_like_this?: MoreLikeThis<Fields>;
  readonly geo_distance?: GeoDistance<Fields>;
  readonly geo_bounding_box?: GeoBox<Fields>;
  readonly geo_polygon?: ByField<Fields, GeoPointKind, { readonly points: readonly GeoPointValue[] }> & Weighed;
  readonly geo_shape?: ShapeQuery<Fields, GeoKind>;
  readonly shape?: ShapeQuery<Fields, PlaneKind>;
  readonly span_term?: ValueByField<Fields, PatternKind, Weighed>;
  readonly span_near?: Readonly<Record<string, unknown>>;
  readonly span_or?: Readonly<Record<string, unknown>>;
  readonly span_not?: Readonly<Record<string, unknown>>;
  readonly span_first?: Readonly<Record<string, unknown>>;
  readonly span_multi?: Readonly<Record<string, unknown>>;
  readonly span_containing?: Readonly<Record<string, unknown>>;
  readonly span_within?: Readonly<Record<string, unknown>>;
  readonly span_field_masking?: Readonly<Record<string, unknown>>;
  readonly wrapper?: { readonly query: string };
}
