/**
 * Inner hits of the hits of a page: for each hit, and each query that shows some, the first documents inside it that match, and
 * what is shown of them. They are found here, for hits that are shown, and not where hits are found.
 */
import { FloatNumber, illegalArgument, writeJson } from '@shoal/core';
import { BY_SCORE, type HitForm, type InnerHits, type QueryNode } from '@shoal/query';
import { HitsJson } from '@shoal/shard-api';
import type { DocumentReader } from '../../collect/aggregations/collector/shown-documents.ts';
import { mergeSegments, type SortedEntries } from '../../collect/by-keys/merge-segments.ts';
import type { SegmentKey, SortKey } from '../../collect/by-keys/segment-key.ts';
import { sortKeys } from '../../collect/by-keys/sort-keys.ts';
import { firstOfSegments, type SegmentEntries, SegmentTop } from '../../collect/by-keys/top-sorted.ts';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import type { CompileContext } from '../../match/context/compile-context.ts';
import type { InnerHitsSource } from '../../match/kinds/query-behaviour.ts';
import { innerHitsOf } from '../../match/registry/inner-hits-of.ts';

const WINDOW_MAX_DEFAULT = 100;

/** Makes the reader of the documents of one source. */
export type MakeReader = (source: InnerHitsSource) => DocumentReader;

interface Group {
  readonly source: InnerHitsSource;
  readonly keys: readonly SortKey[];
  readonly reader: DocumentReader;
  readonly bound: Map<SegmentView, readonly SegmentKey[]>;
}

interface InnerTop {
  readonly entries: SortedEntries | null;
  readonly total: number;
  /** Highest score of all; -1 where there are no documents. */
  readonly maxScore: number;
}

export interface InnerHitsOptions {
  readonly form: HitForm;
  readonly makeReader: MakeReader;
}

export class InnerHitsReader {
  private readonly groups: readonly Group[];
  private readonly form: HitForm;
  /** Room that the first documents of all groups are found in, one after the other. */
  private readonly among = firstOfSegments();

  private constructor(groups: readonly Group[], form: HitForm) {
    this.groups = groups;
    this.form = form;
  }

  /** null where no query shows any. @throws ShoalError for what is wrong with them on this shard */
  static of(ctx: CompileContext, queries: readonly QueryNode[], options: InnerHitsOptions): InnerHitsReader | null {
    const sources = innerHitsOf(ctx, queries);
    if (sources.length === 0) return null;
    const groups = sources.map((source): Group => {
      checkWindow(ctx, source.hits);
      const order = source.hits.sort.length === 0 ? [BY_SCORE] : source.hits.sort;
      const keys = sortKeys(source.ctx, order, 0);
      return { source, keys, reader: options.makeReader(source), bound: new Map() };
    });
    return new InnerHitsReader(groups, options.form);
  }

  /** JSON of those of one hit, by their names. */
  at(view: SegmentView, doc: number): Uint8Array {
    return writeJson(Object.fromEntries(this.groups.map((group) => [group.source.name, this.found(group, view, doc)])));
  }

  private found(group: Group, view: SegmentView, doc: number): unknown {
    const { hits: options } = group.source;
    const { entries, total, maxScore } = this.top(group, view, doc);
    const { showsPlainTotals, showsTypes } = this.form;
    const hits = new HitsJson(options, { isInner: true, isCollapsed: false, showsTypes });
    for (let at = options.from; at < (entries?.ords.length ?? 0); at++) {
      if (entries === null) break;
      const [inner, local] = this.viewOf(group, entries.ords[at] as number);
      hits.add({ ...group.reader.shown(inner, local), result: entries, position: at }, null);
    }
    const showsMax = entries !== null && (options.sort.length === 0 || options.tracksScores);
    // Behind the last one of those by score Elasticsearch counts none, and users page until there are none.
    const isBehind = options.sort.length === 0 && entries !== null && options.from >= entries.ords.length;
    const value = isBehind ? 0 : total;
    return {
      hits: {
        total: showsPlainTotals ? value : { value, relation: 'eq' },
        max_score: showsMax ? new FloatNumber(maxScore) : null,
        hits: hits.finish(),
      },
    };
  }

  /** The first from + size documents. */
  private top(group: Group, view: SegmentView, doc: number): InnerTop {
    const { hits: options, docs } = group.source;
    const wanted = options.size === 0 ? 0 : options.from + options.size;
    const found = new Map<SegmentView, { readonly docs: number[]; readonly scores: number[] }>();
    let [total, maxScore] = [0, -1];
    docs.visit(view, doc, (inner, at, score) => {
      total++;
      maxScore = Math.max(maxScore, score);
      const list = found.get(inner) ?? { docs: [], scores: [] };
      found.set(inner, list);
      list.docs.push(at);
      list.scores.push(score);
    });
    if (wanted === 0 || total === 0) return { entries: null, total, maxScore };
    const segments: SegmentEntries[] = [];
    for (const [inner, list] of [...found].sort(([a], [b]) => a.docBase - b.docBase)) {
      const after = { keys: null, doc: -1 };
      const { firstKeys } = this.among;
      const sources = boundKeys(group, inner);
      const docs = Uint32Array.from(list.docs);
      for (const { observe } of sources) observe?.(docs, docs.length);
      const top = new SegmentTop(sources, Math.min(wanted, list.docs.length), after, true, {
        limit: Number.POSITIVE_INFINITY,
        firstKeys,
      });
      top.collect(docs, Float32Array.from(list.scores), list.docs.length);
      segments.push(top.finish(inner.docBase));
    }
    const order = group.keys.map(({ field }) => field);
    const merged = mergeSegments(order, segments, wanted);
    const entries = options.tracksScores ? merged : { ...merged, scores: null };
    return { entries, total, maxScore };
  }

  private viewOf({ source }: Group, ord: number): readonly [SegmentView, number] {
    const view = source.ctx.searcher.views.findLast(({ docBase }) => docBase <= ord);
    if (view === undefined) throw new RangeError(`no segment holds ordinal ${ord}`);
    return [view, ord - view.docBase];
  }
}

function boundKeys({ keys, bound }: Group, view: SegmentView): readonly SegmentKey[] {
  const known = bound.get(view) ?? keys.map((key) => key.bind(view));
  // What observes its documents orders those of one hit.
  if (known.every(({ observe }) => observe === undefined)) bound.set(view, known);
  return known;
}

function checkWindow({ settings }: CompileContext, { name, from, size }: InnerHits): void {
  const max = Number(settings['index.max_inner_result_window'] ?? WINDOW_MAX_DEFAULT);
  if (from + size <= max) return;
  throw illegalArgument(
    `Inner result window is too large, the inner hit definition's [${name}]'s from + size must be less than or equal to: [${max}] but was [${from + size}]. This limit can be set by changing the [index.max_inner_result_window] index level setting.`,
  );
}
