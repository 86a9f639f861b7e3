/**
 * Documents of a request in a segment of their own, in memory, which stored queries are run over.
 */
import { ANY_TOKENS, assert, parseJson, ShoalError } from '@shoal/core';
import type { PercolateQuery, Query } from '@shoal/query';
import { BM25, type FieldMapping } from '@shoal/schema';
import { valuesAtPath } from '@shoal/shard-api';
import { DocumentParser } from '../../../document/document-parser.ts';
import { parseStoredQuery } from '../../../field-types/percolator/percolator.ts';
import { allDocs, isLive } from '../../../format/flat-segment.ts';
import { NO_MORE_DOCS, type SegmentReader, type SegmentView } from '../../../format/reader/segment-reader.ts';
import { PLAIN_MEMORY } from '../../../memory/segment-memory.ts';
import { analyzerLookup } from '../../../write/buffer/analyzer-lookup.ts';
import { SegmentBuffer } from '../../../write/buffer/segment-buffer.ts';
import type { CompileContext } from '../../context/compile-context.ts';
import { queryShardError } from '../../context/compile-context.ts';
import { OverlaySegment } from '../../runtime/runtime-overlay.ts';
import { type ScoredTerms, StatisticsCache } from '../../scorers/statistics-cache.ts';
import type { FieldScores } from '../../similarities/field-scores.ts';
import { requiredTerms } from '../../weight/required-terms.ts';
import type { RequiredTerms, Weight } from '../../weight/weight.ts';
import type { CompileInner } from '../query-behaviour.ts';
import { WatchedContext } from './watched-context.ts';

export interface PercolatedDocs {
  /** Positions of the documents that match, ascending; at least one. */
  readonly slots: readonly number[];
  /** Best score of them; 0 where none is wanted. */
  readonly score: number;
}

/** Factor that every score of a term has in an index, and none of documents that are percolated. */
const INDEX_FACTOR = BM25.kind === 'BM25' ? 1 + BM25.k1 : 1;

/** Statistics of the documents, all of whose fields are scored by BM25 in its plain form, whatever the mapping says of them. */
class PlainStatistics extends StatisticsCache {
  override scores(field: string, terms: ScoredTerms): FieldScores {
    return super.scores(field, { ...terms, boost: terms.boost / INDEX_FACTOR });
  }
}

export class Percolation {
  readonly field: FieldMapping;
  /** Context of the documents. */
  readonly ctx: CompileContext;
  readonly view: SegmentView;
  /** Ordinals of the documents, by their position. */
  readonly ords: readonly number[];
  private readonly compileInner: CompileInner;

  /** @throws ShoalError where the field holds no queries, or a document does not fit the mapping */
  constructor(ctx: CompileContext, { field, documents }: PercolateQuery, compileInner: CompileInner) {
    const { mapping, settings, analyzers, shard, clock } = ctx;
    const found = mapping.field(field);
    if (found === null) throw queryShardError(shard, `field [${field}] does not exist`);
    if (found.kind !== 'percolator') {
      const reason = `expected field [${field}] to be of type [percolator], but is of type [${found.kind}]`;
      throw queryShardError(shard, reason);
    }
    this.field = found;
    this.compileInner = compileInner;
    const { view, ords } = memoryView(ctx, documents);
    this.ords = ords;
    const { docCount } = view.segment;
    const searcher = { generation: 0, views: [view], maxDoc: docCount, liveCount: view.liveCount };
    // Fields are scored as those that say nothing of it; terms of runtime fields have no scores.
    const statistics = new PlainStatistics(searcher, { fields: new Map(), runtime: mapping.runtime });
    const plain = { searcher, mapping, settings, analyzers, shard, clock, statistics };
    this.view = mapping.runtime.size === 0 ? view : overlaid(plain, view, ords);
    this.ctx = { ...plain, searcher: { ...searcher, views: [this.view] } };
  }

  /** The query of a document; null where it has none. */
  storedQuery(segment: SegmentReader, doc: number): Query | null {
    // A copy: the segment's bytes are a view that its next call overwrites.
    const source = segment.source(doc).slice();
    if (source.length === 0) return null;
    const [json] = valuesAtPath(parseJson(source, ANY_TOKENS), this.field.path);
    return typeof json === 'object' && json !== null ? parseStoredQuery(json) : null;
  }

  /** Documents that the stored query of a document matches; null where it matches none. */
  matches(segment: SegmentReader, doc: number, isScored: boolean): PercolatedDocs | null {
    try {
      const query = this.storedQuery(segment, doc);
      return query && this.run(this.compileInner(this.ctx, query, { boost: 1, isScored }), isScored);
    } catch (error) {
      if (!(error instanceof ShoalError)) throw error;
      throw queryShardError(this.ctx.shard, `cannot run the query of document [${segment.id(doc)}]`, error);
    }
  }

  /** Terms of which the stored query of a document needs one, whatever the documents and the time of a request are. */
  requiredTerms(segment: SegmentReader, doc: number): RequiredTerms {
    const query = this.storedQuery(segment, doc);
    if (query === null) return [];
    const watched = new WatchedContext(this.ctx);
    const terms = requiredTerms(this.compileInner(watched.ctx, query, { boost: 1, isScored: false }));
    return watched.wasAsked ? null : terms;
  }

  private run(weight: Weight, isScored: boolean): PercolatedDocs | null {
    const scorer = weight.scorer(this.view);
    const slots: number[] = [];
    let score = 0;
    for (let at = scorer?.next() ?? NO_MORE_DOCS; scorer !== null && at !== NO_MORE_DOCS; at = scorer.next()) {
      if (this.view.liveDocs !== null && !isLive(this.view.liveDocs, at)) continue;
      const slot = this.ords.indexOf(at);
      assert(slot >= 0, `document ${at} is none of those that are percolated`);
      slots.push(slot);
      if (isScored) score = Math.max(score, scorer.score());
    }
    return slots.length === 0 ? null : { slots, score };
  }
}

/** The documents with their runtime fields. */
function overlaid(ctx: CompileContext, view: SegmentView, ords: readonly number[]): SegmentView {
  return { ...view, segment: new OverlaySegment(ctx, view, Uint32Array.from(ords)) };
}

/** Id of the documents of a request in errors: they have none of their own. */
const DOCUMENT_ID = '_temp_id';

function memoryView(
  { mapping, analyzers }: CompileContext,
  documents: readonly string[],
): { readonly view: SegmentView; readonly ords: readonly number[] } {
  const parser = new DocumentParser(mapping);
  const buffer = new SegmentBuffer(analyzerLookup(analyzers));
  const ords = documents.map((text, slot) => {
    const source = Buffer.from(text, 'utf8');
    const meta = { version: 1, seqNo: slot, primaryTerm: 1 };
    const { document } = parser.parse(DOCUMENT_ID, source, null);
    return buffer.add(String(slot), null, source, meta, document);
  });
  const segment = buffer.seal('_percolated', PLAIN_MEMORY);
  const roots = segment.rootDocs();
  const view = { segment, liveDocs: roots, liveCount: documents.length, docBase: 0 };
  if (roots === null) return { view, ords };
  return { view: { ...view, nested: { liveDocs: allDocs(segment.docCount), roots, paths: new Map() } }, ords };
}
