/**
 * A query of which no hits are wanted: what is asked is how many match, or whether it can be run at all.
 */
import type { CancelFlag } from '@shoal/core';
import type { SearchRequest } from '@shoal/query';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import type { RepeatedSearch } from '../../context/repeated-searches.ts';
import { AliasFilters } from '../targets/alias-filters.ts';
import { asClusterAllows } from '../targets/expensive-queries.ts';
import { PerNodeLimit } from '../targets/per-node-limit.ts';
import { DEFAULT_CONCURRENT_SHARD_REQUESTS } from '../targets/search-input.ts';
import type { SearchTarget } from '../targets/search-targets.ts';
import type { QueryPlan } from './query-plan.ts';
import { queryShards, type ShardOutcome } from './query-shards.ts';

export interface QueryWithoutHits {
  readonly targets: readonly SearchTarget[];
  readonly request: SearchRequest;
  readonly nowMs: number;
  readonly signal: CancelFlag | null;
  /** The same request before, which may be packed already; left out or null: not known. */
  readonly repeated?: RepeatedSearch | null;
}

/** One outcome a target, in their order. */
export function queryWithoutHits(
  context: CoordinatorContext,
  query: QueryWithoutHits,
): Promise<readonly ShardOutcome[]> {
  return queryShards(context, { ...planWithoutHits(context, query), fetchPage: null });
}

/** What is asked of shards whose hits nobody wants. */
export function planWithoutHits(
  context: CoordinatorContext,
  { targets, request: asked, nowMs, signal, repeated = null }: QueryWithoutHits,
): QueryPlan {
  const request = asClusterAllows(context, asked);
  const pack = (): Uint8Array => context.searches.packSearch({ request, aggregations: null });
  return {
    targets,
    query: {
      search: repeated?.search.request === request ? repeated.packed(pack) : pack(),
      topN: 0,
      nowMs,
      keepAliveMs: 0,
      isScroll: false,
      statistics: null,
      canSkip: false,
      usesCache: null,
    },
    aliasFilters: new AliasFilters(targets, context.searches),
    timeoutMs: null,
    limit: new PerNodeLimit(DEFAULT_CONCURRENT_SHARD_REQUESTS),
    signal,
    refuse: () => null,
  };
}
