/**
 * Aggregations of a request on one shard, over what the query matches: hits are cut by the post filter, aggregations are not.
 */
import type { QueryShardRequest } from '@shoal/shard-api';
import type { AggregationRun } from '../../collect/aggregations/run/aggregation-run.ts';
import { collectAggregations } from '../../collect/aggregations/run/collect-aggregations.ts';
import type { AskedGuests, SearchSharing } from '../../collect/aggregations/run/search-guests.ts';
import { MatchWalk } from '../../collect/walk/match-walk.ts';
import type { ShardRun } from '../../collect/walk/shard-run.ts';
import { asQueryShardError, type CompileContext } from '../../match/context/compile-context.ts';
import type { BreakerAccount } from '../../memory/request-breaker.ts';
import type { QueryContext } from '../context/query-context.ts';
import { requestWeight } from './request-weight.ts';
import type { ShardProfile } from './shard-profile.ts';
import { shownDocuments } from './shown-documents.ts';

interface AggregatedRun {
  readonly run: Pick<ShardRun, 'search' | 'walk' | 'pacer'>;
  /** null when nobody asked. */
  readonly profile: ShardProfile | null;
}

/** Partial results; null without aggregations. */
export async function aggregateMatches(
  context: QueryContext,
  ctx: CompileContext,
  request: QueryShardRequest,
  { run, profile }: AggregatedRun,
): Promise<Uint8Array | null> {
  if (request.search.aggregations === null) return null;
  const sharing = sharingOf(context, ctx, request);
  return withAggregationRun(context, ctx, request, { run, profile, sharing }, collectAggregations);
}

/** How the search is divided among threads; null: one thread does all. */
function sharingOf(
  { division, lend, searcher }: QueryContext,
  ctx: CompileContext,
  request: QueryShardRequest,
): SearchSharing | null {
  const { minScore, terminateAfter, timeoutMs, isProfiled } = request.search.request;
  // What ends early ends in the order of the documents, scores and runtime fields are the search's own.
  const isWhole = minScore === null && terminateAfter === 0 && timeoutMs === null && ctx.searcher === searcher;
  if (division === undefined || !isWhole || isProfiled) return null;
  const { ask } = division;
  const canAsk = ask !== null && lend !== undefined && request.packed !== null;
  if (!canAsk) return { ...division, guests: null };
  return {
    ...division,
    guests: {
      ask: (shared, onStates) => {
        const lent = lend();
        return lent === null ? NO_GUESTS : ask({ searcher: lent, request, shared }, onStates);
      },
    },
  };
}

const NO_GUESTS: AskedGuests = { areDone: true, wait: () => Promise.resolve() };

export async function withAggregationRun<T>(
  { breaker }: QueryContext,
  ctx: CompileContext,
  request: QueryShardRequest,
  { run, profile, sharing }: AggregatedRun & { readonly sharing: SearchSharing | null },
  work: (run: AggregationRun) => Promise<T>,
): Promise<T> {
  const { search, walk, pacer } = run;
  const isScored = search.minScore !== null;
  const weight = asQueryShardError(ctx.shard, () =>
    requestWeight(ctx, { ...search, postFilter: null }, request, isScored),
  );
  await ctx.prepared?.prepare(ctx.searcher.views, pacer);
  walk.isTimedOut = pacer.isOver;
  const held: BreakerAccount | null = breaker?.open('<agg>') ?? null;
  try {
    return await work({
      ctx,
      aggregations: request.search.aggregations?.aggregations ?? [],
      query: search.query,
      weight,
      walk,
      globalWalk: new MatchWalk(pacer, { minScore: null, terminateAfter: 0, isScored: false }),
      held,
      documents: shownDocuments(ctx, search, request.indexBoost),
      profile: profile?.aggregations ?? null,
      sharing,
    });
  } finally {
    held?.close();
  }
}
