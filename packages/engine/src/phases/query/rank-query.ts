/**
 * The query phase of a deep page on one shard: its matches in order, or those of the page alone.
 */

import { assert } from '@shoal/core';
import { BY_SCORE, type SearchRequest, type SortField } from '@shoal/query';
import type { Clock } from '@shoal/runtime';
import type { QueryShardRequest, RankAnswer, RankAsk, RankEntries, RankRound } from '@shoal/shard-api';
import { ObservedMatches } from '../../collect/by-keys/observed-matches.ts';
import { sortKeys } from '../../collect/by-keys/sort-keys.ts';
import { collectFirst, pageDocs } from '../../collect/by-score/same-score-top.ts';
import { MatchKeys } from '../../collect/deep-page/match-keys.ts';
import { type Steps, sortedOrder } from '../../collect/deep-page/radix-order.ts';
import {
  answerRound,
  type EntrySources,
  type KeptMatches,
  pickEntries,
  RankedList,
  TopList,
  withValues,
} from '../../collect/deep-page/ranked-list.ts';
import { walkMatches } from '../../collect/walk/kernel-matches.ts';
import { prepareIn } from '../../collect/walk/shard-run.ts';
import type { StopSignal } from '../../pacing/stop-signal.ts';
import type { WorkPacer } from '../../pacing/work-pacer.ts';
import type { QueryContext } from '../context/query-context.ts';
import type { ShardQueryOutcome } from '../context/shard-search-context.ts';
import { executeShardQuery, type PreparedQuery, totalHits, withPreparedQuery } from './execute-query.ts';

export interface RankedOutcome {
  /** Without entries. */
  readonly result: ShardQueryOutcome;
  readonly answer: Omit<RankAnswer, 'listId'>;
  /** null when nothing is kept. */
  readonly kept: KeptMatches | null;
}

export interface RankQueryOptions {
  readonly ask: RankAsk;
  readonly stop: StopSignal;
  readonly clock: Clock;
  /** What the matches may take while they are sorted. */
  readonly bytesMax: number;
}

const NOTHING: RankRound = { lower: null, upper: null, from: 0, to: 0, pivots: 0, tail: null };

const NO_ENTRIES: RankEntries = { columns: [], scores: null, ords: new Uint32Array(0) };

/** @throws ShoalError as `executeShardQuery` does, and 429 when the matches take too much memory */
export function executeRankQuery(
  context: QueryContext,
  request: QueryShardRequest,
  options: RankQueryOptions,
): Promise<RankedOutcome> {
  return options.ask.kind === 'top' ? keepTop(context, request, options) : rankAll(context, request, options);
}

async function keepTop(
  context: QueryContext,
  request: QueryShardRequest,
  { ask, stop, clock }: RankQueryOptions,
): Promise<RankedOutcome> {
  const found = await executeShardQuery(context, request, stop, clock);
  const { columns, scores, ords, timedOut, maxScore } = found;
  const entries = new TopList({ columns, scores, ords });
  const sort = sortOf(request.search.request);
  const kept = { entries, sort, total: ords.length, maxScore, isPartial: timedOut };
  const round = ask.kind === 'top' ? ask.round : NOTHING;
  return {
    result: { ...found, ...NO_ENTRIES },
    answer: answerRound(entries, sort, round, request.shardIndex),
    kept,
  };
}

function rankAll(context: QueryContext, request: QueryShardRequest, options: RankQueryOptions): Promise<RankedOutcome> {
  const startMs = options.clock.monotonicMs();
  return withPreparedQuery(context, { ...request, topN: 1 }, options, (prepared) =>
    rankMatches(context, request, prepared, { ...options, startMs }),
  );
}

async function rankMatches(
  context: QueryContext,
  request: QueryShardRequest,
  prepared: PreparedQuery,
  { ask, clock, bytesMax, startMs }: RankQueryOptions & { readonly startMs: number },
): Promise<RankedOutcome> {
  const { run } = prepared;
  const { walk, pacer, search } = run;
  const sort = sortOf(search);
  const { constantScore } = run.weight;
  const isAlike = constantScore !== undefined && search.sort.length === 0 && search.minScore === null;
  if (ask.kind === 'page' && isAlike && search.terminateAfter === 0) {
    const found = await pageOfAlike(prepared, ask, constantScore);
    return {
      result: resultOf(prepared, found.maxScore, clock.monotonicMs() - startMs),
      answer: found.answer,
      kept: null,
    };
  }
  const { matches, sources, maxScore } = await collectMatches(prepared, context, request.shardIndex, bytesMax);
  const { count } = matches;
  const total = walk.total;
  if (ask.kind === 'page') {
    const order = await paced(matches.page(ask.from, ask.from + ask.size), pacer);
    const pageSize = Math.max(0, Math.min(ask.size, count - ask.from));
    assert(order.length === pageSize, `${order.length} entries of a page of ${pageSize} from ${ask.from} of ${count}`);
    const entries = withValues(sources, pickEntries(order, matches));
    const result = resultOf(prepared, maxScore, clock.monotonicMs() - startMs);
    return { result, answer: { ...noRound(count), first: Math.min(ask.from, count), entries }, kept: null };
  }
  const words = await paced(matches.orderWords(), pacer);
  const isInOrder = words.length === 0;
  const ordered = isInOrder ? matches.trimmed() : pickEntries(await paced(sortedOrder(words, count), pacer), matches);
  assert(ordered.ords.length === count, `${ordered.ords.length} of ${count} entries are in order`);
  const entries = new RankedList(sources, ordered);
  const kept = { entries, sort, total, maxScore, isPartial: walk.isTimedOut };
  const round = ask.kind === 'list' ? ask.round : NOTHING;
  const result = resultOf(prepared, maxScore, clock.monotonicMs() - startMs);
  return { result, answer: answerRound(entries, sort, round, request.shardIndex), kept };
}

/** What the search tells beside its entries. */
function resultOf(
  { run, aggregations, profile }: PreparedQuery,
  maxScore: number | null,
  elapsedMs: number,
): ShardQueryOutcome {
  const { walk, search } = run;
  const report = profile?.render({ name: 'RankedListCollector', reason: 'search_top_hits', elapsedMs }) ?? null;
  return {
    ...NO_ENTRIES,
    total: totalHits(search, walk.total),
    maxScore,
    groups: null,
    profile: report,
    aggregations,
    timedOut: walk.isTimedOut,
    terminatedEarly: walk.isTerminated,
    isSkipped: false,
  };
}

/** Where every match has the same score the page is told by counting. */
async function pageOfAlike(
  { run }: PreparedQuery,
  { from, size }: { readonly from: number; readonly size: number },
  score: number,
): Promise<{ readonly answer: Omit<RankAnswer, 'listId'>; readonly maxScore: number | null }> {
  const { walk, searcher } = run;
  walk.total = 0;
  const page = pageDocs(from, Math.min(size, searcher.liveCount));
  await collectFirst(run, page, Number.POSITIVE_INFINITY);
  const { total } = walk;
  const { docs } = page;
  assert(docs.length <= size, `${docs.length} entries of a page of ${size}`);
  const column = { kind: 'score', values: new Float32Array(docs.length).fill(score) } as const;
  const entries: RankEntries = { columns: [column], scores: null, ords: docs };
  return { answer: { ...noRound(total), first: Math.min(from, total), entries }, maxScore: total > 0 ? score : null };
}

/** Walks over all matches. */
async function collectMatches(
  { run, keys, isScored, ctx }: PreparedQuery,
  { searcher }: QueryContext,
  shardIndex: number,
  bytesMax: number,
): Promise<{ readonly matches: MatchKeys; readonly sources: EntrySources; readonly maxScore: number | null }> {
  const { walk, weight, search } = run;
  const sort = sortOf(search);
  const ownKeys = keys.length > 0 ? keys : sortKeys(ctx, sort, shardIndex);
  const isByScore = ownKeys.some(({ field }) => field.kind === 'score');
  const hasScores = isScored && (isByScore || search.tracksScores);
  const counts = searcher.views.map((view) => weight.count(view));
  const expected = counts.reduce((total, count) => total + Math.max(0, count), 0);
  const matches = new MatchKeys({ keys: ownKeys, hasScores, countMax: searcher.liveCount, expected, bytesMax });
  walk.total = 0;
  for (const view of searcher.views) {
    if (weight.count(view) === 0) continue;
    await prepareIn(run, view);
    const observed = ObservedMatches.of(matches.begin(view));
    await walkMatches(walk, view, weight, observed ?? matches, { readsScores: hasScores });
    observed?.handTo(matches);
    if (walk.isDone) break;
  }
  assert(matches.count === walk.total, `${matches.count} entries of ${walk.total} matches`);
  const sources = { sort, segments: matches.segments, showsScores: search.tracksScores && search.sort.length > 0 };
  const showsMax = hasScores && (search.sort.length === 0 || search.tracksScores);
  return { matches, sources, maxScore: showsMax ? matches.maxScore : null };
}

function sortOf({ sort }: SearchRequest): readonly SortField[] {
  return sort.length === 0 ? [BY_SCORE] : sort;
}

function noRound(count: number): Omit<RankAnswer, 'listId' | 'first' | 'entries'> {
  return { count, below: 0, above: count, pivots: { positions: new Uint32Array(0), columns: [] } };
}

/** Works on while nobody else waits for the thread. What is not sorted to the end is no answer: time-outs are not looked at. */
async function paced<T>(steps: Steps<T>, pacer: WorkPacer): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    const pause = pacer.rest();
    if (pause !== null) await pause;
  }
}
