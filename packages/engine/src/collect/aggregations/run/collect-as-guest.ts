/**
 * A guest's part of the aggregations of a search.
 */
import type { DocPart } from '../../walk/part-walk.ts';
import { buildCollectors } from '../collectors.ts';
import type { AggregationRun } from './aggregation-run.ts';
import type { PartClaims } from './part-claims.ts';
import { PartCollector } from './part-collector.ts';
import type { PartStates } from './search-guests.ts';

/** Nothing when there is no room here, or all parts are claimed. */
export async function collectAsGuest(
  run: AggregationRun,
  parts: readonly DocPart[],
  claims: PartClaims,
): Promise<readonly PartStates[]> {
  if (!claims.hasLeft) return [];
  const { ctx, walk } = run;
  const collectors = buildCollectors(ctx, run.aggregations, true, run);
  await ctx.prepared?.prepare(ctx.searcher.views, walk.pacer);
  const own = await PartCollector.begin(run, parts, collectors, () => {});
  if (own === null) return [];
  await own.collect(() => claims.claim());
  return walk.isDone ? [] : own.take();
}
