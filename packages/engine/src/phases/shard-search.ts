/**
 * What the shard needs from query execution, so that life cycle and search stay apart.
 */

import type { AnalyzerRegistry } from '@shoal/analysis';
import type { Clock } from '@shoal/runtime';
import type { FlatIndexSettings, Mapping } from '@shoal/schema';
import type { FetchedHit, FetchShardRequest, QueryShardRequest, ShardId, ShardQueryResult } from '@shoal/shard-api';
import type { Searcher } from '../format/reader/segment-reader.ts';
import type { ShardFilters } from '../memory/filter-cache.ts';
import type { AfterEntry } from '../shard/contexts/scroll-cursor.ts';
import type { StopSignal } from '../shard/contract/shard.ts';
import type { RankedOutcome, RankQueryOptions } from './query/rank-query.ts';

export interface ShardSearchContext {
  readonly searcher: Searcher;
  readonly mapping: Mapping;
  readonly settings: FlatIndexSettings;
  readonly analyzers: AnalyzerRegistry;
  readonly index: ShardId;
  /** Entries up to this one were shown on pages before; null at the first. */
  readonly after: AfterEntry | null;
  /** Left out where no filters are kept. */
  readonly filters?: ShardFilters;
}

export type ShardQueryOutcome = Omit<ShardQueryResult, 'contextId'>;

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
  /** Of the query's terms, as `TermStatisticsTable` writes them. */
  collectStatistics(context: ShardSearchContext, request: QueryShardRequest): Uint8Array;
  fetchHits(
    context: ShardSearchContext,
    request: FetchShardRequest,
    stop: StopSignal,
    clock: Clock,
  ): Promise<readonly FetchedHit[]>;
}
