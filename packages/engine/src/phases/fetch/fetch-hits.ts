/**
 * The fetch phase on one shard: the documents of the page, by their ordinals in the searcher that found them, with what
 * the request shows of each.
 */
import { assert, ShoalError, writeJson } from '@shoal/core';
import type { SearchRequest, SourceFilter } from '@shoal/query';
import type { Clock } from '@shoal/runtime';
import { IGNORED_FIELD } from '@shoal/schema';
import { type FetchedHit, filterSourceBytes } from '@shoal/shard-api';
import type { Searcher, SegmentReader, SegmentView } from '../../format/reader/segment-reader.ts';
import { asQueryShardError, type CompileContext } from '../../match/context/compile-context.ts';
import { StatisticsCache } from '../../match/scorers/statistics-cache.ts';
import type { RequestBreaker } from '../../memory/request-breaker.ts';
import type { StopSignal } from '../../pacing/stop-signal.ts';
import { WorkPacer } from '../../pacing/work-pacer.ts';
import type { RescoredOrds, ShardSearchContext } from '../context/shard-search-context.ts';
import { HitExplainer } from './explain-hits.ts';
import { DocValueReader } from './fields/doc-value-fields.ts';
import { FetchedDocument } from './fields/fetched-document.ts';
import { SourceFieldReader } from './fields/source-fields.ts';
import { Highlighter } from './highlight/highlight-hits.ts';
import { MatchedQueries } from './matched-queries.ts';

/** Memory of a hit besides its texts, roughly. */
const HIT_BYTES = 200;

export interface FetchContext extends Omit<ShardSearchContext, 'after'> {
  /** Left out where nobody else can be waiting. */
  readonly yieldNow?: () => Promise<void>;
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
  const page = new PageFetch(context, request, rescored ?? null, clock.wallMs());
  const yieldNow = context.yieldNow ?? null;
  const pacer = new WorkPacer({ stop, nowMs: () => clock.monotonicMs(), timeoutMs: null, yieldNow });
  const hits = new Array<FetchedHit>(ords.length);
  const held = context.breaker?.open('<fetched documents>');
  let bytes = 0;
  try {
    for (const at of storedOrder(ords)) {
      const ord = ords[at] as number;
      const view = viewOf(context.searcher, ord);
      const hit = page.hit(view, ord - view.docBase);
      hits[at] = hit;
      bytes += HIT_BYTES + (hit.source?.length ?? 0) + (hit.fields?.length ?? 0) + (hit.highlight?.length ?? 0);
      held?.set(bytes);
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
  return Uint32Array.from(ords, (_, at) => at).sort((a, b) => (ords[a] as number) - (ords[b] as number));
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

/** What is shown of every document of a page; made once, so that nothing is looked up twice. */
class PageFetch {
  private readonly search: SearchRequest;
  private readonly highlighter: Highlighter | null;
  private readonly docValues: DocValueReader | null;
  private readonly sourceFields: SourceFieldReader | null;
  private readonly matched: MatchedQueries;
  private readonly explainer: HitExplainer | null;

  constructor(context: FetchContext, search: SearchRequest, rescored: RescoredOrds | null, nowMs: number) {
    const { highlight, docValueFields, fields, collapse, query } = search;
    const ctx = compileContext(context, nowMs);
    const hasDocValues = docValueFields.length > 0 || collapse !== null;
    this.search = search;
    this.highlighter = highlight === null ? null : new Highlighter(ctx, highlight, query);
    this.docValues = hasDocValues ? new DocValueReader(ctx, docValueFields, collapse?.field ?? null) : null;
    this.sourceFields = fields.length === 0 ? null : new SourceFieldReader(ctx, fields);
    this.matched = new MatchedQueries(ctx, search);
    this.explainer = search.isExplained
      ? asQueryShardError(ctx.shard, () => new HitExplainer(ctx, search, rescored))
      : null;
  }

  hit(view: SegmentView, doc: number): FetchedHit {
    const { segment } = view;
    const meta = segment.meta(doc);
    const document = new FetchedDocument(segment, doc);
    const { source } = this.search;
    const { fields, ignoredValues } = this.fields(document);
    return {
      id: segment.id(doc),
      routing: segment.routing(doc),
      version: meta.version,
      seqNo: meta.seqNo,
      primaryTerm: meta.primaryTerm,
      // The segment's bytes are a view that its next call overwrites.
      source: source.enabled ? shownSource(segment.source(doc), source) : null,
      ignored: ignoredNames(segment, doc),
      fields,
      ignoredValues,
      highlight: this.highlighter?.highlight(document) ?? null,
      matchedQueries: this.matched.namesAt(view, doc),
      explanation: this.explainer?.explain(view, doc) ?? null,
    };
  }

  private fields(document: FetchedDocument): Pick<FetchedHit, 'fields' | 'ignoredValues'> {
    if (this.docValues === null && this.sourceFields === null) return NO_FIELDS;
    const shown = new Map<string, readonly unknown[]>();
    const ignored = new Map<string, readonly unknown[]>();
    this.docValues?.readInto(document, shown);
    this.sourceFields?.readInto(document, shown, ignored);
    return { fields: listsJson(shown), ignoredValues: listsJson(ignored) };
  }
}

/** The wanted part of a source; null where the mapping keeps none. */
function shownSource(stored: Uint8Array, wanted: SourceFilter): Uint8Array | null {
  return stored.length === 0 ? null : new Uint8Array(filterSourceBytes(stored, wanted));
}

const NO_FIELDS = { fields: null, ignoredValues: null };

function listsJson(lists: ReadonlyMap<string, readonly unknown[]>): Uint8Array | null {
  return lists.size === 0 ? null : writeJson(Object.fromEntries(lists));
}

/** Names of the fields of which a value was left out when the document was indexed; few documents have any. */
function ignoredNames(segment: SegmentReader, doc: number): Uint8Array | null {
  const column = segment.ordinalColumn(IGNORED_FIELD.path);
  if (column === null) return null;
  const names: string[] = [];
  for (let at = column.start(doc); at < column.start(doc + 1); at++) {
    names.push(Buffer.from(column.value(column.ordinal(at))).toString('utf8'));
  }
  return names.length === 0 ? null : writeJson(names);
}

function compileContext(
  { searcher, mapping, settings, analyzers, index }: FetchContext,
  nowMs: number,
): CompileContext {
  return {
    searcher,
    mapping,
    settings,
    analyzers,
    shard: index,
    statistics: new StatisticsCache(searcher, mapping),
    clock: { nowMs },
  };
}
