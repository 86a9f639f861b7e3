/**
 * Reads what `PostingsWriter` wrote: the term dictionary of a field and where its postings stand.
 */
import { compareBytes } from '../bytes/compare-bytes.ts';
import { BlockBounds } from '../kernels/block-bounds.ts';
import { DenseColumns } from '../kernels/dense-columns.ts';
import { FlatCursor } from './flat-cursor.ts';
import { POSTINGS_BLOCK } from './packed-block.ts';
import { type ContainerReader, u32View } from './segment-container.ts';
import type { FieldStats, PostingsCursor, TermDictionary } from './segment-reader.ts';
import { HAS_FREQS, HAS_POSITIONS, HAS_POSTINGS, IS_UNIQUE } from './written-postings.ts';

const NONE = new Uint32Array(0);
const NO_BYTES = new Uint8Array(0);

/** Sections of a field's postings; those it does not have are empty. */
export interface PostingsSections {
  readonly hasFreqs: boolean;
  readonly hasPositions: boolean;
  readonly lists: Uint8Array;
  /** One entry a block, of all terms with at least 128 documents. */
  readonly blockLastDocs: Uint32Array;
  readonly blockData: Uint32Array;
  readonly blockBits: Uint32Array;
  readonly blockPositions: Uint32Array;
  /** First impact of each block, one more at the end. */
  readonly blockImpacts: Uint32Array;
  readonly packed: Uint32Array;
  readonly impacts: Uint32Array;
  readonly positions: Uint8Array;
}

/** Sections of a field's dictionary; those it does not have are empty. */
export interface DictionarySections {
  /** Of every term; 0: they differ, and `termStarts` says where each begins. */
  readonly termLength: number;
  readonly termStarts: Uint32Array;
  readonly termBytes: Uint8Array;
  /** Empty where every term has one document. */
  readonly docFreqs: Uint32Array;
  readonly postingsAt: Uint32Array;
  readonly totalTermFreqs: Uint32Array;
}

/** Terms of a field; postings only when `hasPostings`. */
export class FlatTerms implements TermDictionary {
  readonly size: number;
  readonly stats: FieldStats;
  readonly hasFreqs: boolean;
  readonly hasPositions: boolean;
  readonly hasPostings: boolean;
  /** Least and greatest norm byte of the documents; of no meaning without norms. */
  readonly normMin: number;
  readonly normMax: number;
  readonly sections: PostingsSections;
  /** Of the blocks' scores, for kernels. */
  readonly bounds: BlockBounds = new BlockBounds();
  /** Of its most frequent terms, for kernels. */
  readonly columns: DenseColumns = new DenseColumns();
  /** Of every term; 0: they differ, and `termStarts` says where each begins. */
  private readonly termLength: number;
  private readonly isUnique: boolean;
  private readonly termStarts: Uint32Array;
  private readonly termBytes: Uint8Array;
  private readonly docFreqs: Uint32Array = NONE;
  private readonly postingsAt: Uint32Array = NONE;
  private readonly totalTermFreqs: Uint32Array = NONE;

  constructor(from: ContainerReader) {
    const flags = from.directory.u8();
    const hasFreqs = (flags & HAS_FREQS) !== 0;
    const hasPositions = (flags & HAS_POSITIONS) !== 0;
    this.hasFreqs = hasFreqs;
    this.hasPositions = hasPositions;
    this.hasPostings = (flags & HAS_POSTINGS) !== 0;
    this.size = from.directory.u32();
    const docCount = from.directory.u32();
    const sumTotalTermFreq = from.directory.f64();
    this.stats = { docCount, sumTotalTermFreq, sumDocFreq: from.directory.f64() };
    this.normMin = from.directory.u8();
    this.normMax = from.directory.u8();
    this.isUnique = (flags & IS_UNIQUE) !== 0;
    this.termLength = from.directory.u32();
    this.termStarts = this.termLength === 0 ? u32View(from.section()) : NONE;
    this.termBytes = from.section();
    if (!this.hasPostings) {
      this.sections = NO_SECTIONS;
      return;
    }
    const words = (): Uint32Array => u32View(from.section());
    if (!this.isUnique) this.docFreqs = words();
    this.postingsAt = words();
    const lists = from.section();
    const blocks = { blockLastDocs: words(), blockData: words(), blockBits: words(), packed: words() };
    if (hasFreqs) this.totalTermFreqs = words();
    const blockImpacts = hasFreqs ? words() : NONE;
    const impacts = hasFreqs ? words() : NONE;
    const blockPositions = hasPositions ? words() : NONE;
    const positions = hasPositions ? from.section() : NO_BYTES;
    this.sections = { hasFreqs, hasPositions, lists, ...blocks, blockImpacts, impacts, blockPositions, positions };
  }

  /** For merging. */
  get dictionary(): DictionarySections {
    const { termLength, termStarts, termBytes, docFreqs, postingsAt, totalTermFreqs } = this;
    return { termLength, termStarts, termBytes, docFreqs, postingsAt, totalTermFreqs };
  }

  find(term: Uint8Array): number {
    const ordinal = this.ceiling(term);
    if (ordinal === this.size) return -1;
    return this.compare(ordinal, term) === 0 ? ordinal : -1;
  }

  /** Where the term of `ordinal` begins, and that before it ends. */
  private startOf(ordinal: number): number {
    return this.termLength === 0 ? (this.termStarts[ordinal] as number) : ordinal * this.termLength;
  }

  private compare(ordinal: number, term: Uint8Array): number {
    return compareBytes(this.termBytes, this.startOf(ordinal), this.startOf(ordinal + 1), term);
  }

  ceiling(term: Uint8Array, from = 0): number {
    let low = from;
    let high = this.size;
    // Ever longer steps from where the caller stands, until one goes too far.
    for (let step = 1; from > 0 && low + step < this.size; step *= 2) {
      const at = low + step;
      if (this.compare(at, term) >= 0) {
        high = at;
        break;
      }
      low = at;
    }
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.compare(middle, term) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  term(ordinal: number): Uint8Array {
    return this.termBytes.subarray(this.startOf(ordinal), this.startOf(ordinal + 1));
  }

  docFreq(ordinal: number): number {
    return this.isUnique ? 1 : (this.docFreqs[ordinal] as number);
  }

  totalTermFreq(ordinal: number): number {
    return this.hasFreqs ? (this.totalTermFreqs[ordinal] as number) : this.docFreq(ordinal);
  }

  /**
   * Where the term's postings stand: its first block from 128 documents on, else the start of its list; the document
   * itself when `isInlined`.
   */
  postingsStart(ordinal: number): number {
    return this.postingsAt[ordinal] as number;
  }

  /** The term's only document stands in place of the start. */
  isInlined(ordinal: number): boolean {
    return !this.hasPositions && this.docFreq(ordinal) === 1;
  }

  postings(ordinal: number): PostingsCursor {
    if (this.isInlined(ordinal)) return FlatCursor.ofOne(this.postingsStart(ordinal), this.totalTermFreq(ordinal));
    const cursor = this.newCursor();
    this.begin(cursor, ordinal);
    return cursor;
  }

  /** For many terms, one after the other. */
  newCursor(): FlatCursor {
    return new FlatCursor(this.sections, 0, -1, 0);
  }

  /** Puts a cursor of this field before the first document of a term that is not inlined. */
  begin(cursor: FlatCursor, ordinal: number): void {
    const docFreq = this.docFreq(ordinal);
    const at = this.postingsStart(ordinal);
    cursor.begin(docFreq, docFreq >= POSTINGS_BLOCK ? at : -1, at);
  }
}

const NO_SECTIONS: PostingsSections = {
  hasFreqs: false,
  hasPositions: false,
  lists: NO_BYTES,
  blockLastDocs: NONE,
  blockData: NONE,
  blockBits: NONE,
  blockPositions: NONE,
  blockImpacts: NONE,
  packed: NONE,
  impacts: NONE,
  positions: NO_BYTES,
};
