/**
 * The fetch phase on one shard: the documents of the page, by their ordinals in the searcher that found them, with what
 * the request shows of each.
 */
import { assert, ShoalError } from '@shoal/core';
import type { SearchRequest } from '@shoal/query';
import type { Clock } from '@shoal/runtime';
import { withRuntimeFields } from '@shoal/schema';
import type { FetchedHit } from '@shoal/shard-api';
import type { Searcher, SegmentView } from '../../format/reader/segment-reader.ts';
import type { CompileContext } from '../../match/context/compile-context.ts';
import { OverlaySegment } from '../../match/runtime/runtime-overlay.ts';
import { StatisticsCache } from '../../match/scorers/statistics-cache.ts';
import type { RequestBreaker } from '../../memory/request-breaker.ts';
import type { StopSignal } from '../../pacing/stop-signal.ts';
import { WorkPacer, type YieldNow } from '../../pacing/work-pacer.ts';
import type { RescoredOrds, ShardSearchContext } from '../context/shard-search-context.ts';
import { HitReader } from './hit-reader.ts';

/** Memory of a hit besides its texts, roughly. */
const HIT_BYTES = 200;
/** Bytes of documents that are read between two counts: all threads share the count, and changing it costs as much as a small document. */
const UNCOUNTED_BYTES_MAX = 16 * 1024;

export interface FetchContext extends Omit<ShardSearchContext, 'after'> {
  /** Left out where nobody else can be waiting. */
  readonly yieldNow?: YieldNow;
  /** Counts what searches hold; left out or null: nothing is counted. */
  readonly breaker?: RequestBreaker | null;
}

/** Documents that are fetched together. */
export interface HitPage {
  /** Ordinals in the searcher of the context. */
  readonly ords: Uint32Array;
  /** What is shown of each. */
  readonly request: SearchRequest;
  /** Left out where it is not known, or nothing was rescored. */
  readonly rescored?: RescoredOrds | null;
}

/** One hit an ordinal, in the order asked for. Rejects when it was stopped. */
export async function fetchHits(
  context: FetchContext,
  { ords, request, rescored }: HitPage,
  stop: StopSignal,
  clock: Clock,
): Promise<FetchedHit[]> {
  const ctx = overlaidAt(compileContext(context, request, clock.wallMs()), ords);
  const page = pageReader(ctx, request, rescored ?? null);
  const yieldNow = context.yieldNow ?? null;
  const pacer = new WorkPacer({ stop, nowMs: () => clock.monotonicMs(), timeoutMs: null, yieldNow });
  const hits = new Array<FetchedHit>(ords.length);
  const held = context.breaker?.open('<fetched documents>');
  let bytes = 0;
  let counted = 0;
  try {
    for (const at of storedOrder(ords)) {
      const ord = ords[at] as number;
      const view = viewOf(ctx.searcher, ord);
      const hit = page.read(view, ord - view.docBase);
      hits[at] = hit;
      bytes += HIT_BYTES + (hit.source?.length ?? 0) + (hit.fields?.length ?? 0) + (hit.highlight?.length ?? 0);
      bytes += hit.innerHits?.length ?? 0;
      if (bytes - counted > UNCOUNTED_BYTES_MAX) {
        held?.set(bytes);
        counted = bytes;
      }
      const pause = pacer.checkpoint();
      if (pause !== null) await pause;
      if (pacer.isOver)
        throw new ShoalError('task_cancelled_exception', 400, 'task cancelled [while it read documents]');
    }
    return hits;
  } finally {
    // Whoever gets them counts them as part of a message.
    held?.close();
  }
}

/** Positions in `ords`, by ordinal: neighbours are in the same stored block, which is then unpacked once. */
function storedOrder(ords: Uint32Array): Uint32Array {
  const order = new Uint32Array(ords.length);
  let isAscending = true;
  for (let at = 0; at < ords.length; at++) {
    order[at] = at;
    isAscending &&= at === 0 || (ords[at - 1] as number) <= (ords[at] as number);
  }
  return isAscending ? order : order.sort((a, b) => (ords[a] as number) - (ords[b] as number));
}

/** Segments are few and ordered: the last one that starts at or before the ordinal. */
function viewOf(searcher: Searcher, ord: number): SegmentView {
  assert(ord < searcher.maxDoc, `ordinal ${ord} outside 0..${searcher.maxDoc - 1}`);
  const { views } = searcher;
  let low = 0;
  let high = views.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((views[middle]?.docBase ?? 0) <= ord) low = middle;
    else high = middle - 1;
  }
  const view = views[low];
  assert(view, `no segment holds ordinal ${ord}`);
  assert(ord - view.docBase < view.segment.docCount, `ordinal ${ord} behind the segment from ${view.docBase}`);
  return view;
}

/** @throws ShoalError for what cannot be shown on this shard */
function pageReader(ctx: CompileContext, search: SearchRequest, rescored: RescoredOrds | null): HitReader {
  const { query, postFilter, collapse, rescore } = search;
  const collapseField = collapse?.field ?? null;
  return new HitReader(ctx, search, { query, postFilter, collapseField, rescore, rescored, form: search });
}

/** Segments that have the runtime fields of the documents of a page, made when they are first asked for. */
function overlaidAt(ctx: CompileContext, ords: Uint32Array): CompileContext {
  if (ctx.mapping.runtime.size === 0) return ctx;
  const sorted = ords.toSorted();
  assert((sorted.at(-1) ?? -1) < ctx.searcher.maxDoc, `ordinal ${sorted.at(-1)} of ${ctx.searcher.maxDoc}`);
  const views = ctx.searcher.views.map((view) => {
    const end = view.docBase + view.segment.docCount;
    const docs = sorted.filter((ord) => ord >= view.docBase && ord < end).map((ord) => ord - view.docBase);
    return { ...view, segment: new OverlaySegment(ctx, view, docs) };
  });
  return { ...ctx, searcher: { ...ctx.searcher, views } };
}

function compileContext(
  { searcher, mapping: declared, settings, analyzers, index }: FetchContext,
  { runtimeMappings, allowsExpensive, allowsIdValues }: SearchRequest,
  nowMs: number,
): CompileContext {
  const mapping = withRuntimeFields(declared, runtimeMappings);
  return {
    searcher,
    mapping,
    settings,
    analyzers,
    shard: index,
    statistics: new StatisticsCache(searcher, mapping),
    clock: { nowMs },
    refusesExpensive: !allowsExpensive,
    refusesIdValues: !allowsIdValues,
  };
}
