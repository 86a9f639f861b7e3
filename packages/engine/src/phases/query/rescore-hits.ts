/**
 * `rescore`: scores the best hits of the shard again with a second query; hits behind the window get the weight of the first
 * query alone.
 */
import { assert, illegalArgument } from '@shoal/core';
import type { Rescore, RescoreMode, SearchRequest } from '@shoal/query';
import type { SortedEntries } from '../../collect/by-keys/merge-segments.ts';
import type { Searcher } from '../../format/reader/segment-reader.ts';
import type { CompileContext } from '../../match/context/compile-context.ts';
import { compileQuery } from '../../match/registry/compile-query.ts';
import { DocTest } from '../../match/weight/doc-test.ts';
import type { Weight } from '../../match/weight/weight.ts';
import type { RescoredOrds } from '../context/shard-search-context.ts';

const WINDOW_MAX_DEFAULT = 10_000;

/** Hits that must be found so that every window is full. Only an order by score alone can be rescored: an empty `sort`. */
export function rescoreWindow(ctx: CompileContext, search: SearchRequest): number {
  const max = Number(ctx.settings['index.max_rescore_window'] ?? WINDOW_MAX_DEFAULT);
  let window = 0;
  for (const { windowSize } of search.rescore) {
    if (windowSize > max) {
      throw illegalArgument(
        `Rescore window [${windowSize}] is too large. It must be less than [${max}]. This prevents allocating massive heaps for storing the results to be rescored. This limit can be set by changing the [index.max_rescore_window] index level setting.`,
      );
    }
    window = Math.max(window, windowSize);
  }
  if (window > 0 && search.sort.length > 0)
    throw illegalArgument('Cannot use [sort] option in conjunction with [rescore].');
  return window;
}

/** Entries in their new order, at most `topN`. They must be sorted by score alone. */
export function rescoreEntries(
  ctx: CompileContext,
  rescores: readonly Rescore[],
  found: SortedEntries,
  topN: number,
): SortedEntries & { readonly maxScore: number | null; readonly rescored: RescoredOrds } {
  const [column] = found.columns;
  assert(column?.kind === 'score', `rescore of hits that are sorted by ${column?.kind ?? 'nothing'}`);
  let hits = Array.from(found.ords, (ord, i) => ({ ord, score: column.values[i] ?? 0 }));
  const rescored: Uint32Array[] = [];
  for (const rescore of rescores) {
    const weight = compileQuery(ctx, rescore.query, { boost: 1, isScored: true });
    const window = hits.slice(0, rescore.windowSize);
    const second = scoresOf(
      ctx.searcher,
      weight,
      window.map(({ ord }) => ord),
    );
    rescored.push(Uint32Array.from(window, ({ ord }) => ord).sort());
    hits = hits.map(({ ord, score }, i) => {
      if (i >= window.length) return { ord, score: Math.fround(score * rescore.queryWeight) };
      return { ord, score: combined(rescore, score, second.get(ord) ?? null) };
    });
    hits.sort((a, b) => b.score - a.score || a.ord - b.ord);
  }
  assert(hits.length === found.ords.length, `${hits.length} of ${found.ords.length} hits were rescored`);
  const kept = hits.slice(0, topN);
  return {
    columns: [{ kind: 'score', values: Float32Array.from(kept, ({ score }) => score) }],
    ords: Uint32Array.from(kept, ({ ord }) => ord),
    scores: found.scores === null ? null : Float32Array.from(kept, ({ score }) => score),
    maxScore: kept[0]?.score ?? null,
    rescored,
  };
}

/** Scores of the documents that match. */
function scoresOf(searcher: Searcher, weight: Weight, ords: readonly number[]): ReadonlyMap<number, number> {
  const sorted = [...ords].sort((a, b) => a - b);
  const scores = new Map<number, number>();
  let at = 0;
  for (const view of searcher.views) {
    const end = view.docBase + view.segment.docCount;
    const scorer = at < sorted.length && (sorted[at] as number) < end ? weight.scorer(view) : null;
    const test = scorer && new DocTest(scorer);
    for (; at < sorted.length && (sorted[at] as number) < end; at++) {
      const ord = sorted[at] as number;
      if (scorer !== null && test?.has(ord - view.docBase)) scores.set(ord, scorer.score());
    }
  }
  assert(at === sorted.length, `${sorted.length - at} of ${sorted.length} hits are in no segment`);
  assert(scores.size <= ords.length, `${scores.size} scores of ${ords.length} hits`);
  return scores;
}

/** @param second score by the second query; null where it does not match */
function combined(
  { queryWeight, rescoreQueryWeight, scoreMode }: Rescore,
  first: number,
  second: number | null,
): number {
  const weighed = first * queryWeight;
  return Math.fround(second === null ? weighed : together(scoreMode, weighed, second * rescoreQueryWeight));
}

function together(mode: RescoreMode, first: number, second: number): number {
  switch (mode) {
    case 'total':
      return first + second;
    case 'multiply':
      return first * second;
    case 'avg':
      return (first + second) / 2;
    case 'max':
      return Math.max(first, second);
    case 'min':
      return Math.min(first, second);
  }
}
