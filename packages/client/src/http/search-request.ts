/**
 * A search of one index whose fields are known.
 */
import type { CompletionKind, IndexSchema, MatchKind, NamesOf, SortColumn, ValueColumn } from './index-schema.ts';
import type { QueryScript } from './query-options.ts';
import type { Highlight, ShownField, Sort } from './search-parts.ts';
import type { Known } from './typed-aggregations.ts';
import type { NearestVectors, Query } from './typed-query.ts';

type Json = Readonly<Record<string, unknown>>;

interface Suggestion<Schema extends IndexSchema> {
  readonly text?: string;
  readonly prefix?: string;
  readonly regex?: string;
  readonly completion?: Json & { readonly field: NamesOf<Schema['fields'], CompletionKind> };
  readonly term?: Json & { readonly field: NamesOf<Schema['fields'], MatchKind> };
  readonly phrase?: Json & { readonly field: NamesOf<Schema['fields'], MatchKind> };
}

interface Rescore<Schema extends IndexSchema> {
  readonly window_size?: number;
  readonly query: {
    readonly rescore_query: Query<Schema>;
    readonly query_weight?: number;
    readonly rescore_query_weight?: number;
    readonly score_mode?: 'total' | 'multiply' | 'avg' | 'max' | 'min';
  };
}

/** Members of a search body but for its aggregations and `_source`, from which the types of the answer follow. */
export interface SearchMembers<Schema extends IndexSchema> {
  readonly query?: Query<Schema>;
  readonly knn?: NearestVectors<Schema> | readonly NearestVectors<Schema>[];
  readonly post_filter?: Query<Schema>;
  readonly from?: number;
  readonly size?: number;
  readonly sort?: Sort<Schema>;
  readonly search_after?: readonly unknown[];
  readonly fields?: readonly ShownField<Schema>[];
  readonly docvalue_fields?: readonly ShownField<Schema, ValueColumn>[];
  readonly stored_fields?: string | readonly string[];
  readonly script_fields?: Readonly<
    Record<string, { readonly script: QueryScript | string; readonly ignore_failure?: boolean }>
  >;
  readonly highlight?: Highlight<Schema>;
  readonly suggest?: { readonly text?: string } & { readonly [name: string]: Suggestion<Schema> | string };
  readonly rescore?: Rescore<Schema> | readonly Rescore<Schema>[];
  readonly collapse?: {
    readonly field: NamesOf<Schema['fields'], SortColumn>;
    readonly inner_hits?: Json | readonly Json[];
    readonly max_concurrent_group_searches?: number;
  };
  readonly track_total_hits?: boolean | number;
  readonly track_scores?: boolean;
  readonly min_score?: number;
  readonly explain?: boolean;
  readonly version?: boolean;
  readonly seq_no_primary_term?: boolean;
  readonly profile?: boolean;
  readonly timeout?: string;
  readonly terminate_after?: number;
  readonly indices_boost?: readonly Readonly<Record<string, number>>[];
  readonly runtime_mappings?: Json;
  readonly pit?: { readonly id: string; readonly keep_alive?: string };
  readonly slice?: { readonly id: number; readonly max: number; readonly field?: string };
  readonly stats?: readonly string[];
}

/** A search from whose aggregations the types of its answer follow. */
export type SearchRequest<Schema extends IndexSchema, Asked, Source> = SearchMembers<Schema> & {
  readonly aggs?: Asked & Known<Asked>;
  readonly _source?: Source;
};
