/**
 * What the shard needs from query execution, so that life cycle and search stay apart.
 */

import type { Clock } from '@shoal/runtime';
import type {
  FetchedHit,
  QueryShardRequest,
  ShardSuggestions,
  ShardTerms,
  TermsEnumRequest,
  TermVectorsRequest,
} from '@shoal/shard-api';
import type { StopSignal } from '../pacing/stop-signal.ts';
import type { ShardQueryOutcome, ShardSearchContext } from './context/shard-search-context.ts';
import type { HitPage } from './fetch/fetch-hits.ts';
import type { RankedOutcome, RankQueryOptions } from './query/rank-query.ts';

export interface ShardSearch {
  executeShardQuery(
    context: ShardSearchContext,
    request: QueryShardRequest,
    stop: StopSignal,
    clock: Clock,
  ): Promise<ShardQueryOutcome>;
  executeRankQuery(
    context: ShardSearchContext,
    request: QueryShardRequest,
    options: RankQueryOptions,
  ): Promise<RankedOutcome>;
  /** Statistics of the query's terms, as `TermStatisticsTable` writes them. */
  collectStatistics(context: ShardSearchContext, request: QueryShardRequest): Uint8Array;
  /** Suggestions of a search, in their order. */
  suggest(
    context: ShardSearchContext,
    request: QueryShardRequest,
    stop: StopSignal,
    clock: Clock,
  ): Promise<ShardSuggestions>;
  /** First terms of a field. */
  enumerateTerms(
    context: ShardSearchContext,
    request: QueryShardRequest,
    asked: TermsEnumRequest,
    paced: { readonly stop: StopSignal; readonly clock: Clock },
  ): Promise<ShardTerms>;
  /** JSON of the term vectors of a document with this source. */
  termVectors(
    context: ShardSearchContext,
    source: Uint8Array,
    request: TermVectorsRequest,
    clock: Clock,
  ): Promise<Uint8Array>;
  fetchHits(context: ShardSearchContext, page: HitPage, stop: StopSignal, clock: Clock): Promise<readonly FetchedHit[]>;
}
