/**
 * What a shard answers in the query and fetch phases: columns, never objects per hit.
 *
 * They stand here, and not in engine or protocol, because both sides of 9300 must agree on them: the engine fills them,
 * the protocol carries them as raw sections, the coordinator merges them.
 */
import type { SearchRequest } from '@shoal/query';
import type { SortColumn } from '../columns/sort-column.ts';

export interface TotalHits {
  readonly value: number;
  readonly relation: 'eq' | 'gte';
}

/** Sorted by (sort keys, ord): the shard's local top N. */
export interface ShardQueryResult {
  /** Names the reader that `ords` belong to until it is fetched from or freed; null when no hit was kept. */
  readonly contextId: number | null;
  /** null when totals are not tracked. */
  readonly total: TotalHits | null;
  /** Best score of all matches; null when nothing matched or scores are not tracked. */
  readonly maxScore: number | null;
  /** One per sort key, in order; a single `score` column without `sort`. */
  readonly columns: readonly SortColumn[];
  /** Scores beside sort keys when `track_scores` asks for them; null otherwise. */
  readonly scores: Float32Array | null;
  readonly ords: Uint32Array;
  /** Value that each entry's group shares, as text, in a collapsed search; null in others. */
  readonly groups: SortColumn | null;
  /** JSON of how the query ran; null when nobody asked. */
  readonly profile: Uint8Array | null;
  /** What the shard knows of the aggregations, in the form of `@shoal/aggregations`; null without any. */
  readonly aggregations: Uint8Array | null;
  readonly timedOut: boolean;
  readonly terminatedEarly: boolean;
  /** Nothing was looked for: what the shard knows of its values rules out every match. */
  readonly isSkipped: boolean;
}

/** An answer of a scroll, with the request that it continues: whoever asks for the next page need not know it. */
export interface ScrolledResult {
  readonly result: ShardQueryResult;
  readonly request: SearchRequest;
}

/** One document of the page, in the order that was asked for. */
export interface FetchedHit {
  readonly id: string;
  readonly routing: string | null;
  /** JSON of the names of the fields that were ignored when it was indexed, a list; null without any. */
  readonly ignored: Uint8Array | null;
  readonly version: number;
  readonly seqNo: number;
  readonly primaryTerm: number;
  /** Filtered `_source` JSON; null when not wanted. */
  readonly source: Uint8Array | null;
  /** JSON of the values of stored fields that the source leaves out; null without any, and where no stored field is wanted. */
  readonly storedApart: Uint8Array | null;
  /** JSON of the fields that a search shows beside the source, lists of values by name; null without any. */
  readonly fields: Uint8Array | null;
  /** JSON of those of their values that the field does not index, lists by name; null without any. */
  readonly ignoredValues: Uint8Array | null;
  /** JSON of the marked fragments, lists by field; null without any. */
  readonly highlight: Uint8Array | null;
  /** JSON of the names of the queries that it matches, a list; null when no query has a name. */
  readonly matchedQueries: Uint8Array | null;
  /** JSON of the hits inside it, by their names; null when nobody asked. */
  readonly innerHits: Uint8Array | null;
  /** How its score came about; null when nobody asked. */
  readonly explanation: HitExplanation | null;
}

export interface HitExplanation {
  /** Only when one document was asked about may it be false. */
  readonly isMatch: boolean;
  /** JSON of the tree. */
  readonly tree: Uint8Array;
}
