/**
 * What a search found: its page, its aggregations, its counts of shards. Searches within groups are found in hits, whose outcomes
 * are such outcomes again, so that the types stand together.
 */
import type { AggregationLevel, FinishedLevel } from '@shoal/aggregations';
import type { SearchRequest } from '@shoal/query';
import type { FetchedHit, ShardQueryResult, TotalHits } from '@shoal/shard-api';
import type { ShardCounts } from '../phases/search-failures.ts';
import type { MergedSuggestion } from './merge-suggestions.ts';
import type { SearchProfile } from './search-profile.ts';

/** Aggregations of a request and what came of them. */
export interface SearchAggregations {
  readonly tree: AggregationLevel;
  readonly finished: FinishedLevel;
}

/** Suggestions of a request and what came of them. */
export interface SearchSuggestions {
  readonly merged: readonly MergedSuggestion[];
  /** Index of each target, by its position. */
  readonly indices: readonly string[];
}

export interface SearchHit {
  readonly index: string;
  readonly shardNumber: number;
  /** The node whose copy answered. */
  readonly nodeId: string;
  readonly hit: FetchedHit;
  /** Stored fields that were asked for; null without any. */
  readonly fields: Readonly<Record<string, readonly unknown[]>> | null;
  /** Where it stands in its shard's columns. */
  readonly result: ShardQueryResult;
  readonly position: number;
  /** Other hits of the group in a collapsed search, under the names asked for. */
  readonly innerHits: readonly InnerSearch[];
}

/** What was found in one group under one name. */
export interface InnerSearch {
  readonly name: string;
  readonly outcome: SearchOutcome;
}

export interface SearchOutcome {
  readonly request: SearchRequest;
  readonly tookMs: number;
  readonly timedOut: boolean;
  /** null unless the request asked to end early. */
  readonly terminatedEarly: boolean | null;
  /** How often results of shards were reduced; 1 where all were reduced together. */
  readonly reducePhases: number;
  readonly shards: ShardCounts;
  /** null when totals are not tracked. */
  readonly total: TotalHits | null;
  readonly maxScore: number | null;
  readonly hits: readonly SearchHit[];
  /** null without any. */
  readonly aggregations: SearchAggregations | null;
  /** null unless the request has `suggest`. */
  readonly suggestions: SearchSuggestions | null;
  /** null unless the request asked for it. */
  readonly profile: SearchProfile | null;
  /** Where the next page is asked for; null without a scroll. */
  readonly scrollId: string | null;
  /** Point in time that the request named; null without one. */
  readonly pointInTimeId: string | null;
}
