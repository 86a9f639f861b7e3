/**
 * What a search that runs has found so far: counts, totals and aggregations of the shards that answered; hits only come at the end.
 */
import type { AggregationLevel } from '@shoal/aggregations';
import type { SearchRequest } from '@shoal/query';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import type { ShardOutcome } from '../phases/query-shards.ts';
import type { SearchTarget } from '../targets/search-targets.ts';
import { GatheredResults, type ReduceLimits } from './gathered-results.ts';
import type { QueryReducer } from './query-reducer.ts';
import type { SearchOutcome } from './search-outcome.ts';

/** Somebody who looks at a search while it runs. */
export interface SearchObserver {
  /** The shards are known, and are being asked; `snapshot` tells what they found so far. */
  began(snapshot: () => Promise<SearchOutcome>): void;
}

export interface RunningSearch {
  readonly targets: readonly SearchTarget[];
  readonly request: SearchRequest;
  /** null without any. */
  readonly aggregations: AggregationLevel | null;
  readonly reducer: QueryReducer;
  /** Monotonic clock. */
  readonly startedMs: number;
  readonly limits: ReduceLimits;
}

export async function partialOutcome(context: CoordinatorContext, search: RunningSearch): Promise<SearchOutcome> {
  const { targets, request, aggregations, startedMs, limits } = search;
  const { outcomes, reduced } = await search.reducer.snapshot();
  const answered = targets.filter(({ position }) => outcomes[position] !== undefined);
  const gathered = new GatheredResults(
    answered,
    answered.flatMap(({ position }): readonly ShardOutcome[] => {
      const outcome = outcomes[position];
      return outcome === undefined ? [] : [outcome];
    }),
    reduced,
  );
  const counts = gathered.counts();
  const total = gathered.total(request);
  const isAnyCounted = counts.successful > 0;
  return {
    request,
    tookMs: Math.round(context.runtime.clock.monotonicMs() - startedMs),
    timedOut: gathered.results.some((result) => result?.timedOut === true),
    terminatedEarly: null,
    // The last one is still to come.
    reducePhases: reduced.phases - 1,
    shards: { ...counts, total: targets.length },
    total: total === null || isAnyCounted ? total : { value: 0, relation: 'gte' },
    maxScore: null,
    hits: [],
    aggregations: isAnyCounted ? await context.turns.run(gathered.aggregations(aggregations, limits), null) : null,
    suggestions: null,
    profile: null,
    scrollId: null,
    pointInTimeId: request.pointInTime?.id ?? null,
  };
}
