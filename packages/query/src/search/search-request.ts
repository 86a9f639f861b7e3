/**
 * A search request as every node understands it: body and URI parameters in one, defaults filled in.
 *
 * The coordinator reads it for paging and merging, each shard for what to match and how to sort: both parse the same
 * bytes, so that nothing but the bytes travels.
 */
import type { JsonObjectNode } from '@shoal/core';
import type { QueryValue } from '../node/query-node.ts';
import type { Query } from '../registry/query.ts';
import type { CollapseRequest } from './collapse-request.ts';
import type { HighlightRequest } from './highlight-request.ts';
import type { Rescore } from './rescore-request.ts';
import type { ShownField } from './shown-fields.ts';

export interface SearchRequest {
  readonly from: number;
  readonly size: number;
  readonly query: Query;
  /** Applied to hits, not to totals of aggregations; null when not given. */
  readonly postFilter: Query | null;
  /** Empty: by score, best first. */
  readonly sort: readonly SortField[];
  /** Hits counted exactly before the answer may say "at least": 0 none, Infinity all. */
  readonly trackTotalHits: number;
  /** Scores are wanted beside sort values. */
  readonly tracksScores: boolean;
  readonly minScore: number | null;
  readonly source: SourceFilter;
  /** Names and patterns of `stored_fields`, `_none_` alone for not even the id; null when not given. */
  readonly storedFields: readonly string[] | null;
  readonly version: boolean;
  readonly seqNoPrimaryTerm: boolean;
  /** Documents a shard collects before it ends early; 0: no limit. */
  readonly terminateAfter: number;
  /** null: no limit. */
  readonly timeoutMs: number | null;
  /** Sort values behind which the page begins; null when not given. One a sort field (or one score). */
  readonly searchAfter: readonly QueryValue[] | null;
  /** `aggs` as written: parsed by those who collect and reduce. null when not given. */
  readonly aggregations: JsonObjectNode | null;
  /** Point in time to search in; null: now. */
  readonly pointInTime: PointInTimeChoice | null;
  /** Part of the documents to look at; null: all. */
  readonly slice: Slice | null;
  /** Every hit says how its score came about. */
  readonly isExplained: boolean;
  /** Factors on the scores of some indices: names, aliases and patterns, of which the first that fits counts. */
  readonly indicesBoost: readonly IndexBoost[];
  /** null when not given. */
  readonly highlight: HighlightRequest | null;
  /** `fields`: values out of the source. */
  readonly fields: readonly ShownField[];
  /** `docvalue_fields`: values out of the columns. */
  readonly docValueFields: readonly ShownField[];
  /** null when not given. */
  readonly collapse: CollapseRequest | null;
  /** One after the other. */
  readonly rescore: readonly Rescore[];
  /** How the search was run is told with its answer. */
  readonly isProfiled: boolean;
  /** `script_fields`, which are not built: how many were asked for. */
  readonly scriptFieldCount: number;
}

export interface PointInTimeChoice {
  readonly id: string;
  /** How much longer it is kept; null: as long as before. */
  readonly keepAliveMs: number | null;
}

export interface IndexBoost {
  readonly pattern: string;
  readonly boost: number;
}

/** One of `max` parts of the documents, none of which share any. */
export interface Slice {
  readonly id: number;
  readonly max: number;
}

export interface CountRequest {
  readonly query: Query;
  readonly minScore: number | null;
  readonly terminateAfter: number;
}

export type SortOrder = 'asc' | 'desc';
export type SortMode = 'min' | 'max' | 'sum' | 'avg' | 'median';

export interface SortField {
  readonly kind: 'score' | 'doc' | 'shardDoc' | 'field';
  /** `_score`, `_doc` and `_shard_doc` for those kinds. */
  readonly field: string;
  readonly order: SortOrder;
  /** Which value of several; null: the smallest ascending, the largest descending. */
  readonly mode: SortMode | null;
  /** `_last`, `_first`, or a value that takes the place of none. */
  readonly missing: QueryValue;
  /** Kind to assume where an index does not have the field; null: an error there. */
  readonly unmappedType: string | null;
  readonly format: string | null;
}

export interface SourceFilter {
  /** false: no `_source` at all. */
  readonly enabled: boolean;
  /** Patterns of dotted paths; empty: everything. */
  readonly includes: readonly string[];
  readonly excludes: readonly string[];
}

/** The body and the URI parameters, as they came in. */
export interface RequestInput {
  readonly body: Uint8Array | null;
  readonly params: Readonly<Record<string, string>>;
}
