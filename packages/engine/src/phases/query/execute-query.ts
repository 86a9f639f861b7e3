/**
 * The query phase on one shard: the request's matches, counted, scored or sorted, and the first N of them as columns.
 */
import { assert } from '@shoal/core';
import { BY_SCORE, type SearchRequest } from '@shoal/query';
import type { Clock } from '@shoal/runtime';
import { withRuntimeFields } from '@shoal/schema';
import {
  columnLength,
  type QueryShardRequest,
  type SortColumn,
  TermStatisticsTable,
  type TotalHits,
} from '@shoal/shard-api';
import type { SortedEntries } from '../../collect/by-keys/merge-segments.ts';
import { ObservedMatches } from '../../collect/by-keys/observed-matches.ts';
import type { SortKey } from '../../collect/by-keys/segment-key.ts';
import { sortKeys } from '../../collect/by-keys/sort-keys.ts';
import { sortMatches } from '../../collect/by-keys/sort-matches.ts';
import { type KernelAnswer, searchWithKernels } from '../../collect/by-score/kernel-search.ts';
import { collectFirst, firstDocs } from '../../collect/by-score/same-score-top.ts';
import { TopScores } from '../../collect/by-score/top-scores.ts';
import { type CollapsedEntries, CollapsedTop } from '../../collect/collapse/collapsed-top.ts';
import { type BindGroups, groupKey } from '../../collect/collapse/group-key.ts';
import { mergeGroups } from '../../collect/collapse/merge-groups.ts';
import { lastShown } from '../../collect/walk/after-entry.ts';
import { MatchWalk } from '../../collect/walk/match-walk.ts';
import { knownCount, type ShardRun, scorerIn } from '../../collect/walk/shard-run.ts';
import { asQueryShardError, type CompileContext } from '../../match/context/compile-context.ts';
import { PreparedDocs } from '../../match/context/prepared-docs.ts';
import { collectorOf } from '../../match/profile/query-profile.ts';
import { StatisticsCache } from '../../match/scorers/statistics-cache.ts';
import type { BreakerAccount } from '../../memory/request-breaker.ts';
import type { StopSignal } from '../../pacing/stop-signal.ts';
import { WorkPacer } from '../../pacing/work-pacer.ts';
import type { QueryContext } from '../context/query-context.ts';
import type { ShardQueryOutcome } from '../context/shard-search-context.ts';
import { checkShownFields } from '../fetch/fields/check-shown-fields.ts';
import { innerHitsReader } from '../fetch/hit-reader.ts';
import { aggregateMatches } from './aggregate-matches.ts';
import { checkQueriesOfHits } from './check-queries-of-hits.ts';
import { checkSearchAfter } from './check-search-after.ts';
import { type FoundHits, outcomeOf } from './query-outcome.ts';
import { RequestMoment } from './request-moment.ts';
import { requestWeight } from './request-weight.ts';
import { rescoreEntries, rescoreWindow } from './rescore-hits.ts';
import { withRuntimeValues } from './runtime-context.ts';
import { ShardProfile } from './shard-profile.ts';
import { skippedShard } from './skipped-shard.ts';

/** Memory of a hit while hits are ordered: its ordinal, its score and its position. Each sort key adds `KEY_BYTES`. */
const ENTRY_BYTES = 12;
const KEY_BYTES = 8;

/** A request that was compiled for one shard, its aggregations already collected. */
export interface PreparedQuery {
  readonly run: ShardRun;
  /** Keys of its sort; empty when it is sorted by score alone, or no hits are wanted. */
  readonly keys: readonly SortKey[];
  readonly isScored: boolean;
  readonly aggregations: Uint8Array | null;
  readonly ctx: CompileContext;
  /** Groups that hits are collapsed to; null without. */
  readonly groups: BindGroups | null;
  /** Rescore window, in hits per shard; 0 without a rescore. */
  readonly rescoreWindow: number;
  /** null when nobody asked. */
  readonly profile: ShardProfile | null;
  readonly moment: RequestMoment;
}

/** @throws ShoalError what the shard reports as its failure, `query_shard_exception` for most */
export async function executeShardQuery(
  context: QueryContext,
  request: QueryShardRequest,
  stop: StopSignal,
  clock: Clock,
): Promise<ShardQueryOutcome> {
  const startMs = clock.monotonicMs();
  const skipped = request.canSkip
    ? skippedShard(compileContext(context, request, new RequestMoment(request.nowMs)), request)
    : null;
  if (skipped !== null) return skipped;
  return withPreparedQuery(context, request, { stop, clock }, async (prepared) => {
    const { run, aggregations, profile, moment } = prepared;
    const held = context.breaker?.open('<hits>');
    let found: FoundHits;
    try {
      held?.set(run.topN * (ENTRY_BYTES + prepared.keys.length * KEY_BYTES));
      found = await shownHits(prepared, request.topN);
    } finally {
      held?.close();
    }
    const elapsedMs = clock.monotonicMs() - startMs;
    const report = profile?.render({ ...collectorOf(run.search, run.topN), elapsedMs }) ?? null;
    return outcomeOf(found, { aggregations, profile: report, dependsOnNow: moment.wasRead });
  });
}

interface QueryRun {
  readonly stop: StopSignal;
  readonly clock: Clock;
}

/** Does `work` with a query that is ready for the search for hits. The values of runtime fields are held until it is done. */
export async function withPreparedQuery<Found>(
  context: QueryContext,
  request: QueryShardRequest,
  run: QueryRun,
  work: (prepared: PreparedQuery) => Promise<Found>,
): Promise<Found> {
  const held = context.breaker?.open('<runtime fields>') ?? null;
  try {
    return await work(await prepareQuery(context, request, { held, stop: run.stop, clock: run.clock }));
  } finally {
    held?.close();
  }
}

/** Everything up to the search for hits. */
async function prepareQuery(
  context: QueryContext,
  request: QueryShardRequest,
  { stop, clock, held }: QueryRun & { readonly held: BreakerAccount | null },
): Promise<PreparedQuery> {
  const startedMs = clock.monotonicMs();
  const { request: search } = request.search;
  const pacer = new WorkPacer({
    stop,
    nowMs: () => clock.monotonicMs(),
    timeoutMs: search.timeoutMs,
    yieldNow: context.yieldNow ?? null,
    startedMs,
  });
  // A request of many thousand values took long to be read, and takes as long again to be made a query.
  const pause = pacer.checkpoint();
  if (pause !== null) await pause;
  const moment = new RequestMoment(request.nowMs);
  const plain = await withRuntimeValues(compileContext(context, request, moment), request, { pacer, held });
  const { searcher } = plain;
  const profile = search.isProfiled ? new ShardProfile(clock, search.tellsPlainQuery ? 'plain' : 'rewritten') : null;
  const ctx = profile === null ? plain : { ...plain, profile: profile.query };
  const window = rescoreWindow(ctx, search);
  checkShownFields(ctx, search);
  checkQueriesOfHits(ctx, search);
  const { postFilter } = search;
  // A search without hits is refused like one with them.
  innerHitsReader(plain, postFilter === null ? [search.query] : [search.query, postFilter], search);
  const topN = Math.min(request.topN === 0 ? 0 : Math.max(request.topN, window), searcher.maxDoc);
  const groups = search.collapse === null ? null : groupKey(ctx, search.collapse);
  const order = groups !== null && search.sort.length === 0 ? [BY_SCORE] : search.sort;
  // A sort that cannot be is refused without hits too.
  const keys = sortKeys(ctx, order, request.shardIndex).slice(0, topN === 0 ? 0 : order.length);
  const needsScores = topN > 0 && (search.sort.length === 0 || keys.some(({ field }) => field.kind === 'score'));
  const isScored = needsScores || search.minScore !== null || (search.tracksScores && topN > 0);
  const weight = asQueryShardError(ctx.shard, () => requestWeight(ctx, search, request, isScored));
  checkSearchAfter(search);
  if (weight.plan !== undefined) await plain.prepared?.prepare(searcher.views, pacer);
  const walk = new MatchWalk(pacer, { minScore: search.minScore, terminateAfter: search.terminateAfter, isScored });
  walk.isTimedOut = pacer.isOver;
  const prepared = plain.prepared ?? null;
  const run: ShardRun = { searcher, search, weight, prepared, walk, topN, pacer, after: context.after };
  const aggregations = await aggregateMatches(context, plain, request, { run, profile });
  return { run, keys, isScored, aggregations, ctx: plain, groups, rescoreWindow: window, profile, moment };
}

/** What queries of a request are compiled in. */
export function compileContext(
  context: QueryContext,
  request: QueryShardRequest,
  moment: RequestMoment,
): CompileContext {
  const { statistics: bytes, search } = request;
  const { searcher, settings, analyzers, index, aliases, fielddata } = context;
  const mapping = withRuntimeFields(context.mapping, search.request.runtimeMappings);
  const given = bytes === null ? null : TermStatisticsTable.read(bytes);
  const statistics = new StatisticsCache(searcher, mapping, { given, seen: null });
  const filters = context.filters?.begin();
  const ctx: { -readonly [Name in keyof CompileContext]: CompileContext[Name] } = {
    searcher,
    mapping,
    settings,
    analyzers,
    shard: index,
    statistics,
    clock: moment,
    prepared: new PreparedDocs(),
    refusesExpensive: !search.request.allowsExpensive,
    refusesIdValues: !search.request.allowsIdValues,
    scope: { aliasFilter: request.aliasFilter, size: search.request.size },
  };
  if (aliases !== undefined) ctx.aliases = aliases;
  if (fielddata !== undefined) ctx.fielddata = fielddata;
  if (filters !== undefined) ctx.filters = filters;
  return ctx;
}

/** Finds hits, and collapses or rescores them as the request asks. */
async function shownHits(prepared: PreparedQuery, topN: number): Promise<FoundHits> {
  const { run, keys, isScored, aggregations, ctx, groups } = prepared;
  if (groups !== null && run.topN > 0) return collapseMatches(run, keys, groups);
  const found = await findHits(run, keys, isScored, aggregations !== null);
  if (prepared.rescoreWindow === 0 || run.topN === 0) return found;
  const { rescored, ...entries } = rescoreEntries(ctx, run.search.rescore, found, topN);
  return { ...found, ...entries, ...(run.search.isExplained ? { rescored } : {}) };
}

function findHits(
  run: ShardRun,
  keys: readonly SortKey[],
  isScored: boolean,
  isCounted: boolean,
): Promise<FoundHits> | FoundHits {
  // Aggregations have walked over every match: without hits to find, their count is the total.
  if (run.topN === 0) return isCounted && run.search.postFilter === null ? counted(run) : countMatches(run);
  run.walk.total = 0;
  return run.search.sort.length === 0 ? rankByScore(run) : rankByKeys(run, keys, isScored);
}

/** On the kernels, where the query is of a shape that they know; null: the scorers run it. */
async function tryKernels(run: ShardRun): Promise<KernelAnswer | null> {
  const { search, weight, walk, topN, searcher, pacer } = run;
  const { plan } = weight;
  if (plan === undefined || search.minScore !== null || search.terminateAfter !== 0) return null;
  const { below, ord: belowOrd } = lastShown(run.after);
  const { trackTotalHits } = search;
  const answer = await searchWithKernels({ searcher, plan, topN, trackTotalHits, below, belowOrd, pacer });
  if (answer === null) return null;
  walk.total = answer.total;
  walk.isTimedOut = pacer.isOver;
  return answer;
}

async function countMatches(run: ShardRun): Promise<FoundHits> {
  run.walk.total = 0;
  const { search, walk } = run;
  if (search.trackTotalHits > 0 && (await tryKernels(run)) === null) {
    for (const view of run.searcher.views) {
      const known = knownCount(run, view);
      if (known >= 0) walk.total += known;
      else await walk.run(view, await scorerIn(run, view), null, { countMax: search.trackTotalHits, known });
      if (walk.isDone || walk.total > search.trackTotalHits) break;
    }
  }
  return counted(run);
}

function counted(run: ShardRun): FoundHits {
  return outcome(run, { columns: [], ords: new Uint32Array(0), scores: null }, null);
}

async function rankByScore(run: ShardRun): Promise<FoundHits> {
  const answer = await tryKernels(run);
  if (answer !== null) {
    const { docs, scores, maxScore } = answer;
    return outcome(run, { columns: [{ kind: 'score', values: scores }], ords: docs, scores: null }, maxScore);
  }
  const { search, weight, walk, topN, searcher } = run;
  const { constantScore } = weight;
  if (constantScore !== undefined && search.minScore === null && search.terminateAfter === 0) {
    return rankAlike(run, constantScore);
  }
  const top = new TopScores(topN);
  ({ below: top.below, ord: top.belowOrd } = lastShown(run.after));
  for (const view of searcher.views) {
    top.docBase = view.docBase;
    await walk.run(view, await scorerIn(run, view), top);
    if (walk.isDone) break;
  }
  const { docs, scores } = top.drain();
  const entries: SortedEntries = { columns: [{ kind: 'score', values: scores }], ords: docs, scores: null };
  return outcome(run, entries, top.maxScore < 0 ? null : top.maxScore);
}

/** Where every match has the same score, the first documents are the best. */
async function rankAlike(run: ShardRun, score: number): Promise<FoundHits> {
  const { search, walk, topN } = run;
  const top = firstDocs(topN, score, lastShown(run.after));
  await collectFirst(run, top, search.trackTotalHits);
  const { docs } = top;
  const values = new Float32Array(docs.length).fill(score);
  const entries: SortedEntries = { columns: [{ kind: 'score', values }], ords: docs, scores: null };
  return outcome(run, entries, walk.total > 0 || docs.length > 0 ? score : null);
}

async function rankByKeys(run: ShardRun, keys: readonly SortKey[], isScored: boolean): Promise<FoundHits> {
  const { entries, maxScore } = await sortMatches(run, keys, isScored);
  return outcome(run, entries, maxScore);
}

/** The first of each group, in the order asked for. */
async function collapseMatches(run: ShardRun, keys: readonly SortKey[], bind: BindGroups): Promise<FoundHits> {
  const { search, walk, topN, searcher } = run;
  const isByScore = search.sort.length === 0;
  const segments: CollapsedEntries[] = [];
  let maxScore = -1;
  walk.total = 0;
  for (const view of searcher.views) {
    const scorer = await scorerIn(run, view);
    if (!scorer) continue;
    const sources = keys.map((key) => key.bind(view));
    const observed = ObservedMatches.of(sources);
    if (observed !== null) await walk.run(view, scorer, observed);
    const { searchAfter } = search;
    const after = searchAfter && Float64Array.from(sources, (key, k) => key.keyOfValue(searchAfter[k] ?? null));
    const top = new CollapsedTop(sources, bind(view), { capacity: topN, hasScores: search.tracksScores, after });
    if (observed !== null) observed.handTo(top);
    else await walk.run(view, scorer, top);
    maxScore = Math.max(maxScore, top.maxScore);
    segments.push(top.finish(view.docBase));
    if (walk.isDone) break;
  }
  const merged = mergeGroups(isByScore ? [BY_SCORE] : search.sort, segments, topN);
  const hasMaxScore = (isByScore || search.tracksScores) && maxScore >= 0;
  return outcome(run, merged, hasMaxScore ? maxScore : null, merged.groups);
}

function outcome(
  run: ShardRun,
  entries: SortedEntries,
  maxScore: number | null,
  groups: SortColumn | null = null,
): FoundHits {
  const { walk } = run;
  checkEntries(run, entries);
  assert(
    groups === null || columnLength(groups) === entries.ords.length,
    `groups of ${entries.ords.length} entries have another length`,
  );
  return {
    total: totalHits(run.search, walk.total),
    maxScore,
    columns: entries.columns,
    scores: entries.scores,
    ords: entries.ords,
    groups,
    timedOut: walk.isTimedOut,
    terminatedEarly: walk.isTerminated,
    isSkipped: false,
  };
}

/** Checks that entries belong to the run: columns of one length, no more entries than asked for, ordinals of the searcher. */
function checkEntries({ topN, searcher, walk }: ShardRun, { columns, ords, scores }: SortedEntries): void {
  const count = ords.length;
  assert(count <= topN, `${count} entries of at most ${topN}`);
  assert(scores === null || scores.length === count, `${scores?.length} scores of ${count} entries`);
  for (const column of columns)
    assert(columnLength(column) === count, `${columnLength(column)} keys of ${count} entries`);
  assert(walk.total <= searcher.maxDoc, `${walk.total} matches of ${searcher.maxDoc} documents`);
  const last = count === 0 ? -1 : (ords[count - 1] as number);
  assert(last < searcher.maxDoc, `ordinal ${last} of ${searcher.maxDoc}`);
}

/** What is shown of a count; null when totals are not tracked. */
export function totalHits({ trackTotalHits }: SearchRequest, total: number): TotalHits | null {
  if (trackTotalHits === 0) return null;
  return total > trackTotalHits ? { value: trackTotalHits, relation: 'gte' } : { value: total, relation: 'eq' };
}
