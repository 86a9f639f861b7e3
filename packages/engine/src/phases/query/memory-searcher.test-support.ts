/** Searchers over documents given in a test: segments in memory, written and read as on disk. */

import { parseAggregations } from '@shoal/aggregations';
import { createAnalyzers } from '@shoal/analysis';
import { writeJsonText } from '@shoal/core';
import { parseSearch } from '@shoal/query';
import { parseMapping, typedIndexSettings } from '@shoal/schema';
import type { QueryShardRequest, ShardSearch } from '@shoal/shard-api';
import { DocumentParser } from '../../document/document-parser.ts';
import { bytesFile } from '../../format/container/bytes-file.test-support.ts';
import { allDocs, clearDoc, type FlatSegment, isLive } from '../../format/flat-segment.ts';
import type { Searcher, SegmentView } from '../../format/reader/segment-reader.ts';
import { PLAIN_MEMORY, type SegmentMemory } from '../../memory/segment-memory.ts';
import { SEGMENT_PAGING, type SegmentPaging } from '../../memory/segment-paging.ts';
import { SegmentBuffer } from '../../write/buffer/segment-buffer.ts';
import type { QueryContext } from '../context/query-context.ts';
import type { ShardQueryOutcome } from '../context/shard-search-context.ts';
import { executeShardQuery } from './execute-query.ts';

export interface TestDoc {
  readonly id: string;
  readonly source: string;
  readonly routing?: string;
}

const encoder = new TextEncoder();

/** Pages of a few numbers, and nothing that is read whole but what has no other form: for `memoryContext`. */
export const TINY_PAGES: SegmentPaging = { pageBytes: 64, wholeBytesMax: 0, mergeWindowBytes: 64 };

/** Memory of segments that are read by tiny pages, without kernels. */
export const PAGED_MEMORY: SegmentMemory = { ...PLAIN_MEMORY, paging: TINY_PAGES };

/**
 * One segment a list of documents. `isDeleted` takes documents out of the live set. `memory`: where segments stand; those of other
 * pages than usual in files.
 */
export function memoryContext(
  mappingJson: Readonly<Record<string, unknown>>,
  segments: readonly (readonly TestDoc[])[],
  isDeleted: (id: string) => boolean = () => false,
  memory: SegmentMemory = PLAIN_MEMORY,
  settings: Readonly<Record<string, string>> = {},
): QueryContext {
  const analyzers = createAnalyzers(settings);
  const mapping = parseMapping(mappingJson, typedIndexSettings(settings).fieldDefaults);
  const parser = new DocumentParser(mapping);
  const views: SegmentView[] = [];
  let docBase = 0;
  let liveCount = 0;
  let nestedCount = 0;
  for (const [n, docs] of segments.entries()) {
    const buffer = new SegmentBuffer(
      (name, kind) => (kind === 'normalizer' ? analyzers.normalizer(name) : analyzers.get(name))!,
    );
    const dead: number[] = [];
    for (const [doc, { id, source, routing = null }] of docs.entries()) {
      const bytes = encoder.encode(source);
      const meta = { version: 1, seqNo: docBase + doc, primaryTerm: 1 };
      const ord = buffer.add(id, routing, bytes, meta, parser.parse(id, bytes, routing).document);
      if (isDeleted(id)) for (let nested = buffer.blockStart(ord); nested <= ord; nested++) dead.push(nested);
    }
    const segment = buffer.seal(`_${n}`, memory);
    if (memory.paging !== SEGMENT_PAGING) segment.moveTo(`_${n}`, bytesFile(segment.bytes.slice()), () => {});
    const view = viewOf(segment, docBase, dead);
    views.push(view);
    docBase += view.segment.docCount;
    liveCount += view.liveCount;
    nestedCount += nestedIn(view);
  }
  const searcher: Searcher = { generation: 1, views, maxDoc: docBase, liveCount, nestedCount };
  const index = { index: 'test', indexUuid: 'uuid', number: 0 };
  return { searcher, mapping, settings, analyzers, index, after: null };
}

function nestedIn({ segment, nested, liveCount }: SegmentView): number {
  if (nested === undefined) return 0;
  const { liveDocs: live } = nested;
  return (
    Array.from({ length: segment.docCount }, (_, doc) => live === null || isLive(live, doc)).filter(Boolean).length -
    liveCount
  );
}

function viewOf(segment: FlatSegment, docBase: number, dead: readonly number[]): SegmentView {
  const { docCount } = segment;
  const live = allDocs(docCount);
  for (const doc of dead) clearDoc(live, doc);
  const roots = segment.rootDocs();
  const found = roots === null ? live : live.map((bits, at) => bits & (roots[at] as number));
  const liveCount = Array.from({ length: docCount }, (_, doc) => isLive(found, doc)).filter(Boolean).length;
  const view = { segment, liveDocs: liveCount === docCount ? null : found, liveCount, docBase };
  return roots === null ? view : { ...view, nested: { liveDocs: live, roots, paths: new Map() } };
}

/** A search as a coordinator parses it. */
export function shardSearch(body: unknown, params: Readonly<Record<string, string>> = {}): ShardSearch {
  const { request, aggregations } = parseSearch({ body: encoder.encode(writeJsonText(body)), params });
  return { request, aggregations: aggregations && parseAggregations(aggregations) };
}

/** A search as a shard is asked, with what a test says in place of the usual. */
export function shardRequest(body: unknown, given: Partial<QueryShardRequest> = {}): QueryShardRequest {
  return {
    search: shardSearch(body),
    aliasFilter: null,
    topN: 10,
    nowMs: 0,
    keepAliveMs: 1_000,
    shardIndex: 0,
    reader: null,
    isScroll: false,
    statistics: null,
    indexBoost: 1,
    canSkip: false,
    usesCache: null,
    packed: null,
    ...given,
  };
}

export function runQuery(
  context: QueryContext,
  body: unknown,
  options: Partial<Pick<QueryShardRequest, 'search' | 'topN' | 'nowMs'>> = {},
): Promise<ShardQueryOutcome> {
  return executeShardQuery(
    context,
    shardRequest(body, options),
    { isStopped: false },
    { monotonicMs: () => 0, wallMs: () => 0 },
  );
}

export function idsOf(context: QueryContext, ords: Uint32Array): string[] {
  return Array.from(ords, (ord) => {
    const view = context.searcher.views.findLast(({ docBase }) => docBase <= ord)!;
    return view.segment.id(ord - view.docBase);
  });
}
