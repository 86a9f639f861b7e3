/**
 * Whether any document of a shard matches a query: where one is found, nothing more is looked at.
 */
import type { Query } from '@shoal/query';
import { NO_MORE_DOCS, type SegmentView } from '../../format/reader/segment-reader.ts';
import { asQueryShardError } from '../../match/context/compile-context.ts';
import { compileQuery } from '../../match/registry/compile-query.ts';
import { StatisticsCache } from '../../match/scorers/statistics-cache.ts';
import type { ShardSearchContext } from '../context/shard-search-context.ts';

export function matchesAny(context: ShardSearchContext, query: Query, nowMs: number): boolean {
  const { searcher, mapping, settings, analyzers, index: shard } = context;
  const statistics = new StatisticsCache(searcher, mapping, { given: null, seen: null });
  const ctx = { searcher, mapping, settings, analyzers, shard, statistics, clock: { nowMs } };
  const weight = asQueryShardError(shard, () => compileQuery(ctx, query, { boost: 1, isScored: false }));
  return searcher.views.some((view) => {
    const scorer = weight.scorer(view);
    if (scorer === null) return false;
    for (let doc = scorer.next(); doc !== NO_MORE_DOCS; doc = scorer.next()) if (isLive(view, doc)) return true;
    return false;
  });
}

function isLive({ liveDocs }: SegmentView, doc: number): boolean {
  return liveDocs === null || ((liveDocs[doc >> 3] as number) & (1 << (doc & 7))) !== 0;
}
