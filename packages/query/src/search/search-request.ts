/**
 * A search request as every node understands it: body and URI parameters in one, defaults filled in.
 *
 * The coordinator parses it once and reads it for paging and merging; the same tree travels to each shard, which reads what to
 * match and how to sort. Plain data: it can be packed, compared and logged.
 */
import type { JsonObjectNode } from '@shoal/core';
import type { HitOptions } from '../hits/hit-options.ts';
import type { QueryValue } from '../node/query-node.ts';
import type { Query } from '../registry/query.ts';
import type { Suggestion } from '../suggest/suggester.ts';
import type { CollapseRequest } from './collapse-request.ts';
import type { KnnSearch } from './knn-search.ts';
import type { Rescore } from './rescore-request.ts';

/** Parts of the form in which hits are shown that a request says beside its body. */
export interface HitForm {
  /** Totals are shown as plain numbers, those of inner hits too, as before version 7. */
  readonly showsPlainTotals: boolean;
  /** Hits have the `_type` that all documents of version 7 have. */
  readonly showsTypes: boolean;
  /** Named queries that a hit matches are shown with the score of each. */
  readonly showsQueryScores: boolean;
}

export interface SearchRequest extends HitOptions, HitForm {
  readonly query: Query;
  /** Applied to hits, not to totals of aggregations; null when not given. */
  readonly postFilter: Query | null;
  /** Hits counted exactly before the answer may say "at least": 0 none, Infinity all. */
  readonly trackTotalHits: number;
  /** Names under which shards count the search beside all others. */
  readonly statsGroups: readonly string[];
  readonly minScore: number | null;
  /** Documents a shard collects before it ends early; 0: no limit. */
  readonly terminateAfter: number;
  /** null: no limit. A parsed request has `NO_TIMEOUT_MS` where it lifts the limit of the cluster. */
  readonly timeoutMs: number | null;
  /** Sort values behind which the page begins; null when not given. One a sort field (or one score). */
  readonly searchAfter: readonly QueryValue[] | null;
  /** Point in time to search in; null: now. */
  readonly pointInTime: PointInTimeChoice | null;
  /** Part of the documents to look at; null: all. */
  readonly slice: Slice | null;
  /** Factors on the scores of some indices: names, aliases and patterns, of which the first that fits counts. */
  readonly indicesBoost: readonly IndexBoost[];
  /** null when not given. */
  readonly collapse: CollapseRequest | null;
  /** One after the other. */
  readonly rescore: readonly Rescore[];
  /** Texts that may have been meant, found beside the hits. */
  readonly suggest: readonly Suggestion[];
  /** JSON text of `runtime_mappings`: fields that this search declares; null without any. */
  readonly runtimeMappings: string | null;
  /** Queries that look at much more than they match are allowed; said by the cluster, not by the request. */
  readonly allowsExpensive: boolean;
  /** Values of `_id` may be sorted and aggregated by; said by the cluster, not by the request. */
  readonly allowsIdValues: boolean;
  /** How the search was run is told with its answer. */
  readonly isProfiled: boolean;
  /** Queries are told as they were asked for, not as they run on the shard. */
  readonly tellsPlainQuery: boolean;
}

/** A search body as this package reads it: `aggs` are left to their own parser. */
export interface ParsedSearch {
  readonly request: SearchRequest;
  /** `aggs` as written; null when not given. */
  readonly aggregations: JsonObjectNode | null;
  /** Searches for nearest vectors, whose documents are hits beside those of the query; without a query they are all. */
  readonly knn: readonly KnnSearch[];
  /** Searches whose ranks make the hits, in place of the query; null: the query finds them. */
  readonly fusion: RankFusion | null;
}

/** Hits of several searches, ranked by the places or the scores that they have in each. */
export interface RankFusion {
  /** Name of what asks for it, told in errors. */
  readonly retriever: 'rrf' | 'linear' | 'rescorer' | 'pinned';
  /** In the order in which they decide between equal scores. */
  readonly parts: readonly FusedPart[];
  readonly rule: FusionRule;
  /** Hits of each search that are ranked; at least 1. */
  readonly windowSize: number;
}

/** What a hit of a part is worth. */
export type FusionRule =
  | {
      readonly kind: 'places';
      /** How little the first places are worth more than those behind them; at least 1. */
      readonly rankConstant: number;
    }
  | { readonly kind: 'scores' };

/** How the scores of one part are made comparable with those of others. */
export type ScoreNormalizer = 'none' | 'minmax' | 'l2_norm';

export interface FusedPart {
  readonly search: ParsedSearch;
  /** Factor on what its hits are worth; not negative. */
  readonly weight: number;
  /** Applied to its scores, where they count. */
  readonly normalizer: ScoreNormalizer;
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

/** The body and the URI parameters, as they came in. */
export interface RequestInput {
  readonly body: Uint8Array | null;
  readonly params: Readonly<Record<string, string>>;
}
