/**
 * What a search sees of one segment: terms, postings, norms, columns, stored documents.
 *
 * A segment is immutable flat bytes, in memory since a refresh or read from a file; both answer this interface alike.
 * Docs are ordinals 0..docCount-1 in the order they were indexed. Only the live-docs bitset changes, by replacement:
 * a snapshot of it belongs to the searcher, not to the segment. Nothing here allocates per posting or per document.
 */
import type { StepMeter, Steps } from '@shoal/core';
import type { BoxTree } from '@shoal/geo';
import type { FrequencyFilter } from '@shoal/schema';
import type { ShardFielddata } from '../../memory/fielddata-use.ts';
import type { NumberBlocks } from './number-blocks.ts';
import type { NumberCodes } from './number-codes.ts';
import type { ShapeColumn } from './shape-column.ts';
import type { SortedTerms, TermPrefixes } from './term-prefixes.ts';
import type { WideValues } from './wide-values.ts';

/** Where a cursor stands after its last document. Larger than any doc, so that comparisons need no special case. */
export const NO_MORE_DOCS = 0x7fff_ffff;

export interface SegmentReader {
  /** A request begins, or ends, that may keep what it reads of the segment in between. */
  pin(): void;
  unpin(): void;
  /** Unique in its shard, never reused. */
  readonly name: string;
  /** Documents of the segment, deleted ones included; at least 1. */
  readonly docCount: number;
  /** Size of the segment's bytes. */
  readonly sizeBytes: number;
  /** Inverted index of an indexed field; null when no document of the segment has it. */
  terms(field: string): TermDictionary | null;
  /** One byte a doc in Lucene's encoding of the field length; null when the field has no norms here. */
  norms(field: string): Uint8Array | null;
  /** Values of numeric, date, boolean fields; null when no document of the segment has any. */
  numericColumn(field: string): NumericColumn | null;
  /** Values of keyword and ip fields, and of text fields whose fielddata was loaded; null when no document has any. */
  ordinalColumn(field: string): OrdinalColumn | null;
  /** Values that the segment has a column of: with every value of each document that has one. */
  writtenOrdinals(field: string): OrdinalColumn | null;
  /** Shapes of a field of shapes; null when no document of the segment has any. */
  shapes(field: string): ShapeColumn | null;
  /** Boxes around the values of a field of places; null where the segment has none of them, or was written without. */
  boxes(field: string): BoxTree | null;
  /**
   * Makes the values by document of a text field, where they are not there yet.
   *
   * @throws ShoalError `circuit_breaking_exception` when they are too large
   */
  loadFielddata(field: string, wanted: WantedFielddata, meter: StepMeter): Steps<void>;
  /** Stored `_source` as it was sent, byte for byte. A view: valid until the next call. */
  source(doc: number): Uint8Array;
  /** All that is kept of a document: its source, and values of stored fields beside it. A view: valid until the next call. */
  document(doc: number): Uint8Array;
  id(doc: number): string;
  /** The routing given at index time; null when it was the id. */
  routing(doc: number): string | null;
  meta(doc: number): DocMeta;
}

/** Wish of a search for the values by document of a text field. */
export interface WantedFielddata {
  readonly filter: FrequencyFilter;
  /** Whose memory the values count as; null: nobody's. */
  readonly owner: ShardFielddata | null;
}

export interface DocMeta {
  readonly version: number;
  readonly seqNo: number;
  readonly primaryTerm: number;
}

/** Statistics as BM25 wants them: deleted documents count until they are merged away. */
export interface FieldStats {
  /** Documents that have at least one term of the field. */
  readonly docCount: number;
  /** Tokens of the field, overlapping ones included. */
  readonly sumTotalTermFreq: number;
  /** (term, document) pairs of the field. */
  readonly sumDocFreq: number;
}

/** Terms of one field in byte order. Term ordinals are 0..size-1. */
export interface TermDictionary {
  readonly size: number;
  readonly stats: FieldStats;
  readonly hasFreqs: boolean;
  readonly hasPositions: boolean;
  /** Bytes of the dictionary in the segment. */
  readonly dictionaryBytes: number;
  /** Ordinal of `term`, or -1. */
  find(term: Uint8Array): number;
  /**
   * First ordinal whose term is >= `term`; `size` when none is. Not before `from`, where the search begins: whoever goes
   * through the dictionary in order finds what is near sooner.
   */
  ceiling(term: Uint8Array, from?: number): number;
  /** The term's bytes. A view: valid until the next call. */
  term(ordinal: number): Uint8Array;
  /** All of them: good until the thread turns to something else. */
  sorted(): SortedTerms;
  /** null when it has none. */
  prefixes(): TermPrefixes | null;
  docFreq(ordinal: number): number;
  totalTermFreq(ordinal: number): number;
  /** Says for how many terms postings will be asked: where they are a large share, what is read by ranges is read whole if there is room. */
  prepareWalk(termCount: number): void;
  /** A new cursor before the first document. Deleted documents are not left out here. */
  postings(ordinal: number): PostingsCursor;
}

/** Documents of one term in ascending order. Starts before the first: call `next` or `advance` first. */
export interface PostingsCursor {
  /** Current document; -1 before the first, `NO_MORE_DOCS` after the last. */
  readonly doc: number;
  /** Occurrences in the current document; 1 when frequencies are not stored. */
  readonly freq: number;
  /** Documents in all. */
  readonly cost: number;
  next(): number;
  /** First document >= `target`; `target` must be greater than the current document. */
  advance(target: number): number;
  /** Copies the current document's positions, ascending, and returns their count (= freq). `into` is grown by the caller when too small. */
  positions(into: Uint32Array): number;
}

/**
 * Numbers of a field. Longs and dates are exact: `wide` is set when any value is beyond 2^53, else `value` is exact.
 * Documents may have none or several values, several in ascending order.
 */
export interface NumericColumn {
  readonly kind: 'long' | 'double';
  readonly isMultiValued: boolean;
  /** Values of doc stand at starts(doc) .. starts(doc + 1) - 1. */
  start(doc: number): number;
  value(index: number): number;
  /** Every document has exactly one value: it stands at the document's own index. */
  readonly isDense: boolean;
  /** Values of the first `count` docs; only where `isDense`. */
  gather(docs: Uint32Array, count: number, into: Float64Array): void;
  /**
   * Values at from..to - 1: those of the docs of these numbers where `isDense`. A view of the column where it can be one, else
   * of `scratch`, which must be long enough: not to be written to.
   */
  readRange(from: number, to: number, scratch: Float64Array): Float64Array;
  /** Only for kind `long`. Exact for every value. */
  bigValue(index: number): bigint;
  readonly isWide: boolean;
  /** The values by the same indices, for comparisons; null unless `isWide`. */
  readonly wide: WideValues | null;
  /** The values as they are packed, by the same indices; null where they are not, or too wide. */
  readonly codes: NumberCodes | null;
  /** Bounds of the column's blocks in a segment of `docCount` documents; null where `isWide`. */
  blocks(docCount: number): NumberBlocks | null;
  /** Over the segment, deleted ones included. */
  readonly min: number;
  readonly max: number;
}

/** Ordinals into the field's own sorted list of distinct values; ascending within a document, duplicates dropped. */
export interface OrdinalColumn {
  readonly valueCount: number;
  readonly isMultiValued: boolean;
  start(doc: number): number;
  ordinal(index: number): number;
  /** The ordinal of each document, where every one has exactly one; null else. Not to be written to. */
  readonly flat: Uint8Array | Uint16Array | Uint32Array | null;
  /** What the ordinals of whole blocks lie between. `docCount`: of the segment. */
  blocks(docCount: number): NumberBlocks;
  /** UTF-8 bytes (keyword) or 16-byte address (ip). A view: valid until the next call. */
  value(ordinal: number): Uint8Array;
  /** All values in order: good until the thread turns to something else. */
  sorted(): SortedTerms;
}

/** What a searcher sees of a segment in which documents are nested in others: each stands in front of the one it is nested in. */
export interface NestedDocs {
  /** Live documents, nested ones too; null when all are. */
  readonly liveDocs: Uint8Array | null;
  /** Documents that are nested in no other, deleted ones too. */
  readonly roots: Uint8Array;
  /** Documents of a path, deleted ones too, for the paths that searches asked for; all views of a segment share it. */
  readonly paths: Map<string, Uint8Array>;
}

/** A segment together with the documents of it that a searcher may see. */
export interface SegmentView {
  readonly segment: SegmentReader;
  /** Bit doc is set when the document is live, and nested in no other; null when all are. */
  readonly liveDocs: Uint8Array | null;
  readonly liveCount: number;
  /** Left out where no document is nested in another. */
  readonly nested?: NestedDocs;
  /** Ordinal of this segment's doc 0 in the searcher's numbering. */
  readonly docBase: number;
}

/** Point-in-time view of a shard; immutable. Released through the shard that gave it. */
export interface Searcher {
  readonly generation: number;
  readonly views: readonly SegmentView[];
  /** Sum of the segments' docCount. */
  readonly maxDoc: number;
  /** Documents that may be found. */
  readonly liveCount: number;
  /** Documents nested in them; left out where none is. */
  readonly nestedCount?: number;
}
