/**
 * Reads what `PostingsWriter` wrote: the term dictionary of a field and where its postings stand.
 */
import { DamagedBytes } from '@shoal/core';
import { compareBytes } from '../../bytes/compare-bytes.ts';
import type { PartSource } from '../container/part-source.ts';
import type { SectionGroup, SegmentSections } from '../container/segment-sections.ts';
import { BlockBounds } from '../postings/block-bounds.ts';
import { DenseColumns } from '../postings/dense-columns.ts';
import { FlatCursor } from '../postings/flat-cursor.ts';
import { POSTINGS_BLOCK } from '../postings/packed-block.ts';
import type { PositionsSections, PostingsAddresses, PostingsSections } from '../postings/postings-sections.ts';
import { HAS_FREQS, HAS_POSITIONS, HAS_POSTINGS, IS_UNIQUE } from '../postings/written-postings.ts';
import type { FieldStats, PostingsCursor, TermDictionary } from '../reader/segment-reader.ts';
import { type SortedTerms, type TermPrefixes, termPrefixes } from '../reader/term-prefixes.ts';
import { TermSamples } from './term-samples.ts';
import {
  bytesOf,
  type DictionaryAddresses,
  type DictionarySections,
  present,
  sectionRefs,
  type TermsRefs,
  verifyTermsSections,
  wordsOf,
} from './terms-sections.ts';

const WORD_BYTES = 4;

const NO_ADDRESSES: readonly number[] = [];

interface HeldAddresses {
  readonly postings: readonly number[];
  readonly positions: readonly number[];
  readonly addresses: PostingsAddresses;
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
  /** Blocks of all terms together. */
  readonly blockCount: number;
  /** Score bounds of the blocks, for kernels. */
  readonly bounds: BlockBounds = new BlockBounds();
  /** Frequency columns of the most frequent terms, for kernels. */
  readonly columns: DenseColumns = new DenseColumns();
  /** Length of every term, in bytes; 0: they differ, and `termStarts` has the offset of each. */
  readonly termLength: number;
  /** undefined before they are asked for. */
  private knownPrefixes: TermPrefixes | null | undefined;
  /** What was held for kernels last, and from which addresses it was made. */
  private held: HeldAddresses | null = null;
  private readonly isUnique: boolean;
  private readonly refs: TermsRefs;
  private readonly dictionaryGroup: SectionGroup<DictionarySections>;
  private readonly postingsGroup: SectionGroup<PostingsSections>;
  private readonly positionsGroup: SectionGroup<PositionsSections>;

  /** Takes the terms' part of the directory; the sections are read when they are asked for. */
  constructor(from: PartSource, sections: SegmentSections) {
    const { header } = from;
    const flags = header.u8();
    this.hasFreqs = (flags & HAS_FREQS) !== 0;
    this.hasPositions = (flags & HAS_POSITIONS) !== 0;
    this.hasPostings = (flags & HAS_POSTINGS) !== 0;
    this.size = header.u32();
    const docCount = header.u32();
    const sumTotalTermFreq = header.f64();
    this.stats = { docCount, sumTotalTermFreq, sumDocFreq: header.f64() };
    this.normMin = header.u8();
    this.normMax = header.u8();
    this.isUnique = (flags & IS_UNIQUE) !== 0;
    this.termLength = header.u32();
    const { hasPostings, hasFreqs, hasPositions } = this;
    const shape = { hasStarts: this.termLength === 0, hasPostings, isUnique: this.isUnique, hasFreqs, hasPositions };
    this.refs = sectionRefs(from, shape);
    const { dictionary, postings, positions } = this.refs;
    const { termLength } = this;
    this.dictionaryGroup = sections.group(present(dictionary), (bytes) => {
      const words = wordsOf(dictionary, bytes);
      return {
        termLength,
        termStarts: words('termStarts'),
        termBytes: bytesOf(dictionary, bytes, 'termBytes'),
        docFreqs: words('docFreqs'),
        postingsAt: words('postingsAt'),
        totalTermFreqs: words('totalTermFreqs'),
      };
    });
    this.positionsGroup = sections.group(present(positions), (bytes) => ({
      blockPositions: wordsOf(positions, bytes)('blockPositions'),
      positions: bytesOf(positions, bytes, 'positions'),
    }));
    const { positionsGroup } = this;
    this.postingsGroup = sections.group(present(postings), (bytes) => {
      const words = wordsOf(postings, bytes);
      return {
        hasFreqs,
        hasPositions,
        lists: bytesOf(postings, bytes, 'lists'),
        blockLastDocs: words('blockLastDocs'),
        blockData: words('blockData'),
        blockBits: words('blockBits'),
        packed: words('packed'),
        blockImpacts: words('blockImpacts'),
        impacts: words('impacts'),
        get places(): PositionsSections {
          return positionsGroup.get();
        },
      };
    });
    this.blockCount = hasPostings ? (postings.blockBits?.length ?? 0) / WORD_BYTES : 0;
    this.postingsGroup.onDrop = () => {
      this.bounds.drop();
      this.columns.drop();
    };
  }

  /** Throws `DamagedBytes` when the directory contradicts itself, or the segment of `docCount` documents. */
  verify(docCount: number): void {
    if (this.stats.docCount > docCount)
      throw new DamagedBytes(`terms of ${this.stats.docCount} documents in a segment of ${docCount}`);
    verifyTermsSections(this.refs, this);
  }

  /** For JavaScript, see `SectionGroup.get`. */
  get sections(): PostingsSections {
    return this.postingsGroup.get();
  }

  /** For kernels, until `releaseFromKernels` with the same argument; null when there is no room. */
  holdForKernels(withPositions: boolean): PostingsAddresses | null {
    const postings = this.postingsGroup.hold();
    if (postings === null) return null;
    const positions = withPositions && this.hasPositions ? this.positionsGroup.hold() : NO_ADDRESSES;
    if (positions === null) {
      this.postingsGroup.release();
      return null;
    }
    const { held } = this;
    if (held?.postings === postings && held.positions === positions) return held.addresses;
    const [lists = 0, blockLastDocs = 0, blockData = 0, blockBits = 0, packed = 0, blockImpacts = 0, impacts = 0] =
      postings;
    const [blockPositions = 0, at = 0] = positions;
    const blocks = { blockLastDocs, blockData, blockBits, packed, blockImpacts, impacts, blockPositions };
    const addresses = { lists, ...blocks, positions: at };
    this.held = { postings, positions, addresses };
    return addresses;
  }

  /** The dictionary for kernels, until `releaseDictionary`; null when there is no room. */
  holdDictionary(): DictionaryAddresses | null {
    const held = this.dictionaryGroup.hold();
    if (held === null) return null;
    const left = [...held];
    const next = (isThere: boolean): number => (isThere ? (left.shift() ?? 0) : 0);
    return {
      termStarts: next(this.termLength === 0),
      termBytes: next(true),
      docFreqs: next(this.hasPostings && !this.isUnique),
      postingsAt: next(this.hasPostings),
      totalTermFreqs: next(this.hasPostings && this.hasFreqs),
    };
  }

  releaseDictionary(): void {
    this.dictionaryGroup.release();
  }

  releaseFromKernels(withPositions: boolean): void {
    this.postingsGroup.release();
    if (withPositions && this.hasPositions) this.positionsGroup.release();
  }

  get dictionaryBytes(): number {
    return present(this.refs.dictionary).reduce((sum, { length }) => sum + length, 0);
  }

  /** Bytes of all its sections in the file. */
  get lengthBytes(): number {
    return this.dictionaryGroup.lengthBytes + this.postingsGroup.lengthBytes + this.positionsGroup.lengthBytes;
  }

  /** For merging. */
  get dictionary(): DictionarySections {
    return this.dictionaryGroup.get();
  }

  find(term: Uint8Array): number {
    const ordinal = this.ceiling(term);
    if (ordinal === this.size) return -1;
    return this.compare(this.dictionaryGroup.get(), ordinal, term) === 0 ? ordinal : -1;
  }

  /** Where the term of `ordinal` begins, and that before it ends. */
  private startOf(termStarts: Uint32Array, ordinal: number): number {
    return this.termLength === 0 ? (termStarts[ordinal] as number) : ordinal * this.termLength;
  }

  private compare({ termStarts, termBytes }: SortedTerms, ordinal: number, term: Uint8Array): number {
    return compareBytes(termBytes, this.startOf(termStarts, ordinal), this.startOf(termStarts, ordinal + 1), term);
  }

  ceiling(term: Uint8Array, from = 0): number {
    const sorted = this.dictionaryGroup.get();
    let low = from;
    let high = this.size;
    const samples = from > 0 ? null : this.samplesOf(sorted);
    if (samples !== null) {
      samples.narrow(term);
      low = samples.low;
      high = samples.high;
    }
    // Ever longer steps from where the caller stands, until one goes too far.
    for (let step = 1; from > 0 && low + step < this.size; step *= 2) {
      const at = low + step;
      if (this.compare(sorted, at, term) >= 0) {
        high = at;
        break;
      }
      low = at;
    }
    const { termStarts, termBytes } = sorted;
    const { termLength } = this;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const start = termLength === 0 ? (termStarts[middle] as number) : middle * termLength;
      const end = termLength === 0 ? (termStarts[middle + 1] as number) : start + termLength;
      if (compareBytes(termBytes, start, end, term) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private samplesOf(dictionary: DictionarySections): TermSamples | null {
    if (dictionary.samples === undefined) dictionary.samples = TermSamples.of(dictionary, this.size);
    return dictionary.samples;
  }

  term(ordinal: number): Uint8Array {
    const { termStarts, termBytes } = this.dictionaryGroup.get();
    return termBytes.subarray(this.startOf(termStarts, ordinal), this.startOf(termStarts, ordinal + 1));
  }

  sorted(): SortedTerms {
    return this.dictionaryGroup.get();
  }

  prefixes(): TermPrefixes | null {
    if (this.knownPrefixes === undefined) this.knownPrefixes = termPrefixes(this.sorted(), this.size);
    return this.knownPrefixes;
  }

  docFreq(ordinal: number): number {
    return this.isUnique ? 1 : (this.dictionaryGroup.get().docFreqs[ordinal] as number);
  }

  totalTermFreq(ordinal: number): number {
    return this.hasFreqs ? (this.dictionaryGroup.get().totalTermFreqs[ordinal] as number) : this.docFreq(ordinal);
  }

  /**
   * Where the term's postings stand: its first block from 128 documents on, else the start of its list; the document
   * itself when `isInlined`.
   */
  postingsStart(ordinal: number): number {
    return this.dictionaryGroup.get().postingsAt[ordinal] as number;
  }

  /** True when `postingsStart` is the term's only document instead of an offset. */
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
