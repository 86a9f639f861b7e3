/**
 * Parts of a search that name fields: sort keys, what is shown of documents, marks in their texts.
 */
import type { AnyKind, IndexSchema, NamesOf, PointColumn, SortColumn, WordKind } from './index-schema.ts';
import type { QueryScript } from './query-options.ts';
import type { Query } from './typed-query.ts';

type Json = Readonly<Record<string, unknown>>;
type OneOrMore<T> = T | readonly T[];
type Direction = 'asc' | 'desc';

interface SortOptions {
  readonly order?: Direction;
  readonly mode?: 'min' | 'max' | 'sum' | 'avg' | 'median';
  readonly missing?: string | number | boolean;
  readonly unmapped_type?: string;
  readonly numeric_type?: 'long' | 'double' | 'date' | 'date_nanos';
  readonly format?: string;
}

type OfDocuments<Fields> = {
  readonly [Name in keyof Fields as Fields[Name] extends SortColumn ? Name : never]?: Direction | SortOptions;
};

type OfNested<Schema extends IndexSchema> = {
  [Path in keyof Schema['nested']]: {
    readonly [Name in keyof Schema['nested'][Path] as Schema['nested'][Path][Name] extends SortColumn
      ? Name
      : never]?: SortOptions & {
      readonly nested: {
        readonly path: Path;
        readonly filter?: Query<Schema, Schema['nested'][Path]>;
        readonly max_children?: number;
        readonly nested?: Json;
      };
    };
  };
}[keyof Schema['nested']];

type SpecialKey = '_score' | '_doc' | '_shard_doc';

interface Special<Schema extends IndexSchema> {
  readonly _score?: Direction | { readonly order?: Direction };
  readonly _doc?: Direction | { readonly order?: Direction };
  readonly _shard_doc?: Direction | { readonly order?: Direction };
  readonly _geo_distance?: GeoSort<Schema['fields']>;
  readonly _script?: {
    readonly type: 'number' | 'string';
    readonly script: QueryScript | string;
    readonly order?: Direction;
    readonly mode?: SortOptions['mode'];
    readonly nested?: Json;
  };
}

type GeoSort<Fields> = {
  readonly [Name in keyof Fields as Fields[Name] extends PointColumn ? Name : never]?: unknown;
} & {
  readonly order?: Direction;
  readonly unit?: string;
  readonly mode?: 'min' | 'max' | 'avg' | 'median';
  readonly distance_type?: 'arc' | 'plane';
  readonly ignore_unmapped?: boolean;
  readonly nested?: Json;
};

type SortKey<Schema extends IndexSchema> =
  | SpecialKey
  | NamesOf<Schema['fields'], SortColumn>
  | (OfDocuments<Schema['fields']> & Special<Schema>)
  | OfNested<Schema>;

export type Sort<Schema extends IndexSchema> = OneOrMore<SortKey<Schema>>;

/** A path in documents, or a pattern of paths. */
type PathPattern<Schema extends IndexSchema> = Schema['paths'] | `${string}*${string}`;

export type SourceFilter<Schema extends IndexSchema> =
  | boolean
  | OneOrMore<PathPattern<Schema>>
  | {
      readonly includes?: OneOrMore<PathPattern<Schema>>;
      readonly excludes?: OneOrMore<PathPattern<Schema>>;
    };

/** Names of all fields of a kind, those of nested objects too. */
type EveryName<Schema extends IndexSchema, Kind> =
  | NamesOf<Schema['fields'], Kind>
  | { [Path in keyof Schema['nested']]: NamesOf<Schema['nested'][Path], Kind> }[keyof Schema['nested']];

/** A field to show; of a kind that has values by document where those are shown. */
export type ShownField<Schema extends IndexSchema, Kind = AnyKind> =
  | EveryName<Schema, Kind>
  | `${string}*${string}`
  | {
      readonly field: EveryName<Schema, Kind> | `${string}*${string}`;
      readonly format?: string;
      readonly include_unmapped?: boolean;
    };

interface HighlightOptions {
  readonly type?: 'unified' | 'plain' | 'fvh';
  readonly pre_tags?: readonly string[];
  readonly post_tags?: readonly string[];
  readonly fragment_size?: number;
  readonly number_of_fragments?: number;
  readonly no_match_size?: number;
  readonly require_field_match?: boolean;
  readonly order?: 'score' | 'none';
  readonly encoder?: 'default' | 'html';
  readonly fragmenter?: 'simple' | 'span';
  readonly boundary_scanner?: 'chars' | 'sentence' | 'word';
  readonly boundary_scanner_locale?: string;
  readonly boundary_chars?: string;
  readonly boundary_max_scan?: number;
  readonly phrase_limit?: number;
  readonly max_analyzed_offset?: number;
  readonly tags_schema?: 'styled';
}

/** What only a single field has. */
interface FieldHighlightOptions extends HighlightOptions {
  readonly fragment_offset?: number;
  readonly matched_fields?: readonly string[];
}

type MarkedKind = WordKind | SortColumn;

export interface Highlight<Schema extends IndexSchema> extends HighlightOptions {
  readonly highlight_query?: Query<Schema>;
  readonly fields: {
    readonly [Name in keyof Schema['fields'] as Schema['fields'][Name] extends MarkedKind
      ? Name
      : never]?: FieldHighlightOptions & {
      readonly highlight_query?: Query<Schema>;
    };
  } & { readonly [Pattern in `${string}*${string}`]?: FieldHighlightOptions };
}
