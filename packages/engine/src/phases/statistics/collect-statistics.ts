/**
 * What a shard knows of the terms of a query: the first phase of a search whose scores are those of all shards together.
 */
import { withRuntimeFields } from '@shoal/schema';
import { type QueryShardRequest, TermStatisticsTable } from '@shoal/shard-api';
import { asQueryShardError } from '../../match/context/compile-context.ts';
import { compileQuery } from '../../match/registry/compile-query.ts';
import { StatisticsCache } from '../../match/scorers/statistics-cache.ts';
import type { ShardSearchContext } from '../context/shard-search-context.ts';

/** Statistics of the terms of a query, as `TermStatisticsTable` writes them. @throws ShoalError when the query does not fit the shard */
export function collectStatistics(context: ShardSearchContext, request: QueryShardRequest): Uint8Array {
  const { searcher, settings, analyzers, index: shard } = context;
  const { query, runtimeMappings, allowsExpensive } = request.search.request;
  const mapping = withRuntimeFields(context.mapping, runtimeMappings);
  const table = new TermStatisticsTable();
  const statistics = new StatisticsCache(searcher, mapping, { given: null, seen: table });
  const clock = { nowMs: request.nowMs };
  const refusesExpensive = !allowsExpensive;
  const ctx = { searcher, mapping, settings, analyzers, shard, statistics, clock, refusesExpensive };
  // Weights ask for their statistics when they are made: what they asked for is what the others need to know.
  asQueryShardError(shard, () => compileQuery(ctx, query, { boost: 1, isScored: true }));
  return table.write();
}
