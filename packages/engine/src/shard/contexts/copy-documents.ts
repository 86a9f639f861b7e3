/**
 * One page of the documents that a new index takes over: in the order of their ordinals, nested ones within their roots.
 */
import { murmur3, shardIdForHash } from '@shoal/core';
import { type CopyDocumentsRequest, NO_CONDITIONS, packOperations, type WriteOperation } from '@shoal/shard-api';
import { isLive } from '../../format/flat-segment.ts';
import type { Searcher, SegmentView } from '../../format/reader/segment-reader.ts';

/** Bytes of sources after which a page is full: more would keep searches of the thread waiting. */
const PAGE_BYTES = 1024 * 1024;
/** Documents that a page looks at, copied or not. */
const PAGE_DOCS = 5_000;

export interface CopiedPage {
  readonly operations: Uint8Array;
  readonly count: number;
  /** Ordinal behind the last document that was looked at; null when there is none behind. */
  readonly nextDoc: number | null;
}

export function copyDocuments(
  { views, maxDoc }: Searcher,
  { fromDoc, to }: Pick<CopyDocumentsRequest, 'fromDoc' | 'to'>,
): CopiedPage {
  const operations: WriteOperation[] = [];
  const endDoc = Math.min(maxDoc, fromDoc + PAGE_DOCS);
  let bytes = 0;
  let ord = fromDoc;
  for (const view of views) {
    const viewEnd = Math.min(endDoc, view.docBase + view.segment.docCount);
    for (; ord < viewEnd && bytes < PAGE_BYTES; ord++) {
      const operation = copyOf(view, ord - view.docBase, to);
      if (operation === null) continue;
      operations.push(operation);
      bytes += operation.source.length;
    }
  }
  const packed = packOperations(operations);
  return { operations: packed.bytes, count: operations.length, nextDoc: ord < maxDoc ? ord : null };
}

function copyOf(
  { segment, liveDocs }: SegmentView,
  doc: number,
  to: CopyDocumentsRequest['to'],
): Extract<WriteOperation, { kind: 'index' }> | null {
  if (liveDocs !== null && !isLive(liveDocs, doc)) return null;
  const id = segment.id(doc);
  const routing = segment.routing(doc);
  if (shardIdForHash(to, murmur3(routing ?? id)) !== to.shard) return null;
  return {
    kind: 'index',
    opType: 'index',
    id,
    routing,
    isAutoId: false,
    // The segment's bytes are a view that its next call overwrites.
    source: new Uint8Array(segment.source(doc)),
    // A page that is asked for again writes what it wrote before.
    conditions: { ...NO_CONDITIONS, version: segment.meta(doc).version, versionType: 'external_gte' },
  };
}
