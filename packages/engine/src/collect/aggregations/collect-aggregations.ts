/**
 * Runs the aggregations of a request over one shard: every match of the query, and all documents for the global ones.
 */
import { type AggregationNode, type PartialResult, withRateUnits, writePartialsInSteps } from '@shoal/aggregations';
import { assert, circuitBreaking, StepMeter, type Steps } from '@shoal/core';
import type { QueryNode } from '@shoal/query';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import { allDocsWeight } from '../../match/bits/constant-weight.ts';
import type { CompileContext } from '../../match/context/compile-context.ts';
import { BATCH_SIZE } from '../../match/weight/scorer.ts';
import type { Weight } from '../../match/weight/weight.ts';
import type { BreakerAccount } from '../../memory/request-breaker.ts';
import { walkMatches } from '../walk/kernel-matches.ts';
import type { HitCollector, MatchWalk, StretchCollector, WalkNeeds } from '../walk/match-walk.ts';
import type { AggregationProfile } from './collector/aggregation-profile.ts';
import type { BucketCollector } from './collector/bucket-collector.ts';
import { DocBatch } from './collector/doc-batch.ts';
import type { ShownDocuments } from './collector/shown-documents.ts';
import { buildCollectors, ignoresQuery } from './collectors.ts';

/** Memory that the aggregations of one request may take on one shard. */
const MEMORY_MAX = 256 * 1024 * 1024;
/** Batches between two looks at the memory. */
const BATCHES_PER_CHECK = 8;
/** Every match, and no scores. */
const EACH_UNSCORED: WalkNeeds = { countMax: Number.POSITIVE_INFINITY, known: -1, isAlike: true };

export interface AggregationRun {
  readonly ctx: CompileContext;
  /** The outermost ones, in the order of the request. */
  readonly aggregations: readonly AggregationNode[];
  /** What the search asks for, without the post filter. */
  readonly query: QueryNode;
  /** The query without the post filter: that one is for the hits alone. */
  readonly weight: Weight;
  /** Counts the matches; ends early as the request asks. */
  readonly walk: MatchWalk;
  /** For the aggregations that do not care what the query matches. */
  readonly globalWalk: MatchWalk;
  /** Told what the buckets take; null: nobody counts. */
  readonly held: BreakerAccount | null;
  /** Documents as the search shows them; null where none can be shown. */
  readonly documents: ShownDocuments | null;
  /** null when nobody asked. */
  readonly profile: AggregationProfile | null;
}

/** What is known of each aggregation, as bytes for the answer. */
export async function collectAggregations(run: AggregationRun): Promise<Uint8Array> {
  const { aggregations } = run;
  const collectors = buildCollectors(run.ctx, aggregations, true, run);
  // Filters among them may take as long to find as a query.
  await run.ctx.prepared?.prepare(run.ctx.searcher.views, run.walk.pacer);
  const ofQuery = collectors.filter((_, i) => !ignoresQuery(aggregations[i] as AggregationNode));
  const ofAll = collectors.filter((_, i) => ignoresQuery(aggregations[i] as AggregationNode));
  await collectOver(run, run.weight, run.walk, ofQuery);
  if (ofAll.length > 0) await collectOver(run, allDocsWeight(1), run.globalWalk, ofAll);
  return inSlices(run, partialsOf(aggregations, collectors));
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

/** What was collected is made an answer in slices, as it was collected: buckets may be many. */
async function inSlices<T>({ walk }: AggregationRun, steps: Steps<T>): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    const pause = walk.rest();
    if (pause !== null) await pause;
  }
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

/** Every batch to every collector; all documents fall in the one bucket of the request. */
class Fan implements HitCollector, StretchCollector {
  private readonly collectors: readonly BucketCollector[];
  private readonly buckets = new Uint32Array(BATCH_SIZE);
  private readonly batch = new DocBatch();
  private readonly held: BreakerAccount | null;
  private readonly meter = new StepMeter();
  private batches = 0;

  constructor(collectors: readonly BucketCollector[], held: BreakerAccount | null) {
    this.collectors = collectors;
    this.held = held;
  }

  enter(view: SegmentView): void {
    for (const collector of this.collectors) collector.enter(view);
  }

  collect(docs: Uint32Array, _scores: Float32Array, count: number): void {
    this.batch.setList(docs, count);
    this.hand();
  }

  collectStretch(from: number, to: number): void {
    this.batch.setStretch(from, to);
    this.hand();
  }

  get owed(): Steps<void> | null {
    for (const { owed } of this.collectors) if (owed) return owed;
    return null;
  }

  private hand(): void {
    for (const collector of this.collectors) collector.collect(this.batch, this.buckets);
    if (++this.batches % BATCHES_PER_CHECK === 0) this.checkMemory();
  }

  private checkMemory(): void {
    let bytes = 0;
    for (const collector of this.collectors) bytes += collector.memoryBytes;
    this.held?.set(bytes);
    if (bytes <= MEMORY_MAX) return;
    throw circuitBreaking(
      `[request] Data too large, data for [<agg>] would be [${bytes}], which is larger than the limit of [${MEMORY_MAX}]`,
      { wanted: bytes, limit: MEMORY_MAX },
    );
  }

  *leave(): Steps<void> {
    for (const collector of this.collectors) {
      const steps = collector.leave(this.meter);
      if (steps !== null) yield* steps;
    }
    this.checkMemory();
  }
}
