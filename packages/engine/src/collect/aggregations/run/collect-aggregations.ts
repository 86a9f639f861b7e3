/**
 * Runs the aggregations of a request over one shard: every match of the query, and all documents for the global ones.
 */
import {
  type AggregationNode,
  checkPlaces,
  type PartialResult,
  withRateUnits,
  writePartialsInSteps,
} from '@shoal/aggregations';
import { assert, StepMeter, type Steps } from '@shoal/core';
import { allDocsWeight } from '../../../match/bits/constant-weight.ts';
import type { Weight } from '../../../match/weight/weight.ts';
import { walkMatches } from '../../walk/kernel-matches.ts';
import type { MatchWalk, WalkNeeds } from '../../walk/match-walk.ts';
import type { BucketCollector } from '../collector/bucket-collector.ts';
import { buildCollectors, ignoresQuery } from '../collectors.ts';
import { type AggregationRun, inSlices } from './aggregation-run.ts';
import { collectShared } from './collect-shared.ts';
import { type ExpectedMatches, expectMatches } from './expected-matches.ts';
import { Fan } from './fan.ts';

/** Every match, and no scores. */
const EACH_UNSCORED: WalkNeeds = { countMax: Number.POSITIVE_INFINITY, known: -1, isAlike: true };

/** What is known of each aggregation, as bytes for the answer. @throws ShoalError for an aggregation that may not be where it is */
export async function collectAggregations(asked: AggregationRun): Promise<Uint8Array> {
  const { aggregations, sharing } = asked;
  checkPlaces(aggregations, []);
  const { areMany, weight } = expected(asked);
  const run = weight === asked.weight ? asked : { ...asked, weight };
  const before = run.ctx.prepared?.count ?? 0;
  const collectors = buildCollectors(run.ctx, aggregations, true, run);
  const hasPrepared = (run.ctx.prepared?.count ?? 0) > before;
  // Filters among them may take as long to find as a query.
  await run.ctx.prepared?.prepare(run.ctx.searcher.views, run.walk.pacer);
  const isDivided = sharing !== null && areMany;
  const shared = isDivided ? await collectShared(run, { collectors, hasPrepared }, sharing) : null;
  if (shared === null) await collectAlone(run, collectors);
  return inSlices(run, partialsOf(aggregations, shared ?? collectors));
}

/** Looked at first: to divide a search, its collectors look at the columns of all segments, also of those without matches. */
function expected({ ctx, weight, aggregations, sharing }: AggregationRun): ExpectedMatches {
  const isLong = sharing !== null && ctx.searcher.maxDoc >= sharing.matchesMin && !aggregations.some(ignoresQuery);
  return isLong ? expectMatches(ctx.searcher, weight, sharing.matchesMin) : { areMany: false, weight };
}

async function collectAlone(run: AggregationRun, collectors: readonly BucketCollector[]): Promise<void> {
  const { aggregations } = run;
  const ofQuery = collectors.filter((_, i) => !ignoresQuery(aggregations[i] as AggregationNode));
  const ofAll = collectors.filter((_, i) => ignoresQuery(aggregations[i] as AggregationNode));
  await collectOver(run, run.weight, run.walk, ofQuery);
  if (ofAll.length > 0) await collectOver(run, allDocsWeight(1), run.globalWalk, ofAll);
}

function* partialsOf(
  aggregations: readonly AggregationNode[],
  collectors: readonly BucketCollector[],
): Steps<Uint8Array> {
  const meter = new StepMeter();
  const partials: PartialResult[] = [];
  for (const collector of collectors) {
    const [partial, ...more] = yield* collector.results([0], meter);
    assert(partial !== undefined && more.length === 0, `${more.length + (partial ? 1 : 0)} results for one bucket`);
    partials.push(partial);
  }
  return yield* writePartialsInSteps(yield* withRateUnits(aggregations, partials, meter));
}

async function collectOver(
  run: AggregationRun,
  weight: Weight,
  walk: MatchWalk,
  collectors: readonly BucketCollector[],
): Promise<void> {
  const { ctx, held } = run;
  const fan = new Fan(collectors, held);
  for (const view of ctx.searcher.views) {
    const scorer = weight.scorer(view);
    if (scorer !== null || ctx.searcher.views.length === 1) {
      fan.enter(view);
      if (walk.canStretch(view, scorer)) await walk.runAll(view, fan);
      // A plan says nothing that bits do not say sooner.
      else if (scorer === null || scorer.bits) await walk.run(view, scorer, fan, EACH_UNSCORED);
      else await walkMatches(walk, view, weight, fan, { readsScores: false, needs: EACH_UNSCORED });
      await inSlices(run, fan.leave());
    }
    if (walk.isDone) break;
  }
}
