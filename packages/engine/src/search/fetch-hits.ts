/**
 * The fetch phase on one shard: the documents of the page, by their ordinals in the searcher that found them.
 */
import { assert } from '@shoal/core';
import {
  type FetchedHit,
  type FetchShardRequest,
  filterSourceBytes,
  parseSearchRequest,
  type SourceFilter,
} from '@shoal/query';
import type { Searcher, SegmentView } from '../segment/segment-reader.ts';

export interface FetchContext {
  readonly searcher: Searcher;
}

/** One hit an ordinal, in the order asked for. */
export function fetchHits(context: FetchContext, request: FetchShardRequest): FetchedHit[] {
  const { source } = parseSearchRequest(request);
  return Array.from(request.ords, (ord) => {
    const view = viewOf(context.searcher, ord);
    return readHit(view, ord - view.docBase, source);
  });
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
  return view;
}

function readHit({ segment }: SegmentView, doc: number, filter: SourceFilter): FetchedHit {
  const meta = segment.meta(doc);
  return {
    id: segment.id(doc),
    routing: segment.routing(doc),
    version: meta.version,
    seqNo: meta.seqNo,
    primaryTerm: meta.primaryTerm,
    // The segment's bytes are a view that its next call overwrites.
    source: filter.enabled ? Uint8Array.from(filterSourceBytes(segment.source(doc), filter)) : null,
  };
}
