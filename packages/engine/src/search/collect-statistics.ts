/**
 * What a shard knows of the terms of a query: the first phase of a search whose scores are those of all shards together.
 */
import { parseSearchRequest, type QueryShardRequest, TermStatisticsTable } from '@shoal/query';
import type { ShardSearchContext } from '../shard/shard-search.ts';
import { asQueryShardError } from './compile-context.ts';
import { compileQuery } from './compile-query.ts';
import { StatisticsCache } from './term-weight.ts';

/** As `TermStatisticsTable` writes it. @throws ShoalError when the query does not fit the shard */
export function collectStatistics(context: ShardSearchContext, request: QueryShardRequest): Uint8Array {
  const { searcher, mapping, settings, analyzers, index: shard } = context;
  const table = new TermStatisticsTable();
  const statistics = new StatisticsCache(searcher, { given: null, seen: table });
  const ctx = { searcher, mapping, settings, analyzers, shard, statistics, nowMs: request.nowMs };
  const { query } = parseSearchRequest(request);
  // Weights ask for their statistics when they are made: what they asked for is what the others need to know.
  asQueryShardError(shard, () => compileQuery(ctx, query, { boost: 1, isScored: true }));
  return table.write();
}
