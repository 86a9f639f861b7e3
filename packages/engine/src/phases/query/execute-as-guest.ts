/**
 * A thread's part in a long search that another thread answers: the same query over the same segments, of which it collects what it claims.
 */
import type { Clock } from '@shoal/runtime';
import type { QueryShardRequest } from '@shoal/shard-api';
import { collectAsGuest } from '../../collect/aggregations/run/collect-as-guest.ts';
import { PartClaims } from '../../collect/aggregations/run/part-claims.ts';
import type { PartStates, SharedParts } from '../../collect/aggregations/run/search-guests.ts';
import { MatchWalk } from '../../collect/walk/match-walk.ts';
import { WorkPacer } from '../../pacing/work-pacer.ts';
import type { QueryContext } from '../context/query-context.ts';
import { withAggregationRun } from './aggregate-matches.ts';
import { compileContext } from './execute-query.ts';
import { RequestMoment } from './request-moment.ts';

/** @throws ShoalError as the search itself does; whoever asked collects then what was claimed here */
export async function executeAsGuest(
  context: QueryContext,
  request: QueryShardRequest,
  shared: SharedParts,
  clock: Clock,
): Promise<readonly PartStates[]> {
  const claims = new PartClaims(shared.parts.length, shared.claims);
  const yieldNow = context.yieldNow ?? null;
  const pacer = new WorkPacer({ stop: claims, nowMs: () => clock.monotonicMs(), timeoutMs: null, yieldNow });
  const ctx = compileContext(context, request, new RequestMoment(request.nowMs));
  const walk = new MatchWalk(pacer, { minScore: null, terminateAfter: 0, isScored: false });
  const search = request.search.request;
  const run = { run: { search, walk, pacer }, profile: null, sharing: null };
  return withAggregationRun(context, ctx, request, run, (aggregated) =>
    collectAsGuest(aggregated, shared.parts, claims),
  );
}
