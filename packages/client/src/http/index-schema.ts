/**
 * What the compiler knows of an index: the contract between the types that `shoal types` writes and the client.
 *
 * A schema is a type alone; nothing of it is there at run time. Kinds are the names of field types in mappings, with what a field
 * lacks or has beyond its type after it: `keyword-column` has no values by document, `text-index` is not searched,
 * `text+fielddata` is sorted by its words.
 */

/** Members of the interface that `shoal types` writes. */
export interface IndexSchema {
  /** Documents of the index. */
  readonly document: object;
  /** Kind of each field by every name that a request may use; fields of nested objects stand in `nested`. */
  readonly fields: object;
  /** Fields of each nested object, by its path. */
  readonly nested: object;
  /** Paths of fields and objects in documents. */
  readonly paths: string;
}

/** The schema of an index that nobody described: every name is a field of every kind, documents are objects. */
export interface AnyIndex {
  // biome-ignore lint/suspicious/noExplicitAny: nothing is known of these documents.
  readonly document: Record<string, any>;
  readonly fields: Record<string, 'any'>;
  readonly nested: Record<string, Record<string, 'any'>>;
  readonly paths: string;
}

type WholeNumbers = 'long' | 'integer' | 'short' | 'byte' | 'unsigned_long' | 'token_count';
type Numbers = WholeNumbers | 'double' | 'float' | 'half_float' | 'scaled_float';
type Dates = 'date' | 'date_nanos';
type Words = 'text' | 'match_only_text' | 'search_as_you_type';
type Wholes = 'keyword' | 'constant_keyword' | 'wildcard' | 'version';
type NumberRanges = 'integer_range' | 'long_range' | 'float_range' | 'double_range';
type Ranges = NumberRanges | 'date_range' | 'ip_range';
type Features = 'rank_feature' | 'rank_features';

/** With values by document: what sorts and aggregates. `-index` fields have them too. */
type Column<Kind extends string> = 'any' | Kind | `${Kind}-index`;
/** Indexed, or searched by their values. */
type Searched<Kind extends string> = 'any' | Kind | `${Kind}-column` | `${Kind}+fielddata`;

export type WordKind = Searched<Words>;
/** Fields of which one value can be asked for. */
export type TermKind = Searched<
  Numbers | Dates | Words | Wholes | Ranges | 'boolean' | 'ip' | 'flattened' | 'join' | '_id'
>;
/** Fields that a `match` may name. */
export type MatchKind = TermKind;
export type RangeKind = Searched<Numbers | Dates | Words | Wholes | Ranges | 'ip' | 'flattened' | 'boolean'>;
/** Fields of text, whole or in words. */
export type PatternKind = Searched<Words | Wholes | 'flattened' | 'join' | '_id'>;
export type GeoPointKind = Searched<'geo_point'>;
export type GeoKind = Searched<'geo_point' | 'geo_shape'>;
export type PlaneKind = Searched<'point' | 'shape'>;
export type FeatureKind = Searched<Features>;
/** Fields of which the nearest vectors can be asked for. */
export type VectorKind = Searched<'dense_vector'>;
export type DistanceKind = Searched<Dates | 'geo_point'>;
export type PercolatorKind = Searched<'percolator'>;
export type CompletionKind = Searched<'completion'>;
export type AnyKind = string;

export type NumberColumn = Column<Numbers>;
export type DateColumn = Column<Dates>;
/** What can be averaged and summed up. */
export type MetricColumn = Column<Numbers | Dates | 'boolean'>;
export type HistogramColumn = Column<Numbers | 'boolean' | 'histogram' | NumberRanges>;
export type DateHistogramColumn = Column<Dates | 'date_range'>;
export type PercentileColumn = Column<Numbers | Dates | 'boolean' | 'histogram'>;
/** What falls into buckets by its value. */
export type TermColumn =
  | Column<Numbers | Dates | Wholes | 'boolean' | 'ip' | 'flattened' | 'join'>
  | 'text+fielddata'
  | 'search_as_you_type+fielddata';
export type TextColumn = Column<Wholes | 'flattened' | 'join'> | 'text+fielddata';
export type IpColumn = Column<'ip'>;
export type PointColumn = Column<'geo_point'>;
export type GeoColumn = Column<'geo_point' | 'geo_shape'>;
export type SortColumn = TermColumn | Column<'geo_point'>;
export type ValueColumn = SortColumn | GeoColumn | Column<Ranges | 'histogram' | 'binary'>;

/** Names of the fields of `Fields` that are of a kind. */
export type NamesOf<Fields, Kind> = {
  [Name in keyof Fields]: Fields[Name] extends Kind ? Name : never;
}[keyof Fields] &
  string;

/** Kind without what a field lacks or has beyond it. */
export type BaseKind<Kind> = Kind extends `${infer Base}-${string}`
  ? Base
  : Kind extends `${infer Base}+${string}`
    ? Base
    : Kind;

/** One value of a field, as a request writes it. */
export type ValueOf<Kind> =
  BaseKind<Kind> extends Numbers | NumberRanges
    ? number | `${number}`
    : BaseKind<Kind> extends Dates | 'date_range'
      ? string | number
      : BaseKind<Kind> extends 'boolean'
        ? boolean | 'true' | 'false'
        : BaseKind<Kind> extends 'flattened' | 'any'
          ? string | number | boolean
          : string;
