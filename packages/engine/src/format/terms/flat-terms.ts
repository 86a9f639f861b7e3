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
import {
  type HeldPostings,
  NOWHERE,
  type PositionsSections,
  type PostingsAddresses,
  type PostingsSections,
} from '../postings/postings-sections.ts';
import { RangedPostings, type TermPlace } from '../postings/ranged-postings.ts';
import { separatorCount, type TermIndexContent } from '../postings/term-index.ts';
import { HAS_FREQS, HAS_INDEX, HAS_POSITIONS, HAS_POSTINGS, IS_UNIQUE } from '../postings/written-postings.ts';
import type { FieldStats, PostingsCursor, TermDictionary } from '../reader/segment-reader.ts';
import { type SortedTerms, type TermPrefixes, termPrefixes, termStart } from '../reader/term-prefixes.ts';
import { PagedDictionary } from './paged-dictionary.ts';
import { TermSamples } from './term-samples.ts';
import {
  bytesOf,
  type DictionarySections,
  present,
  sectionRefs,
  type TermsRefs,
  verifyTermsSections,
  wordsOf,
} from './terms-sections.ts';

const WORD_BYTES = 4;
/** A walk over more than one of so many terms asks for all of them. */
const WALK_SHARE = 8;

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
  /** Frequency columns of the most frequent terms while all postings are in memory, for kernels. */
  private readonly columns: DenseColumns = new DenseColumns();
  /** Length of every term, in bytes; 0: they differ, and `termStarts` has the offset of each. */
  readonly termLength: number;
  /** undefined before they are asked for. */
  private knownPrefixes: TermPrefixes | null | undefined;
  /** What was held for kernels last, and from which addresses it was made. */
  private held: HeldAddresses | null = null;
  readonly isUnique: boolean;
  /** Terms between two separators of the index; 0 without one. */
  private readonly stride: number;
  readonly segment: SegmentSections;
  /** null: the dictionary is short enough to be read whole, or has no index. */
  private readonly pagedDictionary: PagedDictionary | null;
  /** null: the postings are short enough to be read whole. */
  private readonly rangedPostings: RangedPostings | null;
  readonly refs: TermsRefs;
  private readonly dictionaryGroup: SectionGroup<DictionarySections>;
  private readonly postingsGroup: SectionGroup<PostingsSections>;
  private readonly positionsGroup: SectionGroup<PositionsSections>;
  private readonly indexGroup: SectionGroup<TermIndexContent>;

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
    const hasIndex = (flags & HAS_INDEX) !== 0;
    this.stride = hasIndex ? header.u32() : 0;
    if (hasIndex && this.stride === 0) throw new DamagedBytes('an index of a dictionary without a stride');
    this.segment = sections;
    const { hasPostings, hasFreqs, hasPositions, isUnique } = this;
    const shape = { hasStarts: this.termLength === 0, hasPostings, isUnique, hasFreqs, hasPositions, hasIndex };
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
      positionsFrom: 0,
    }));
    const { positionsGroup } = this;
    this.postingsGroup = sections.group(present(postings), (bytes) => {
      const words = wordsOf(postings, bytes);
      return {
        hasFreqs,
        hasPositions,
        lists: bytesOf(postings, bytes, 'lists'),
        listsFrom: 0,
        blockLastDocs: words('blockLastDocs'),
        blockData: words('blockData'),
        blockBits: words('blockBits'),
        packed: words('packed'),
        packedFrom: 0,
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
    this.indexGroup = sections.group(present(this.refs.index), (bytes) => ({
      stride: this.stride,
      starts: wordsOf(this.refs.index, bytes)('indexStarts'),
      bytes: bytesOf(this.refs.index, bytes, 'indexBytes'),
    }));
    this.pagedDictionary = this.pageDictionary();
    this.rangedPostings = this.rangePostings();
  }

  private pageDictionary(): PagedDictionary | null {
    const { segment, refs, dictionaryGroup, indexGroup } = this;
    const { termBytes } = refs.dictionary;
    if (this.stride === 0 || !termBytes || !segment.isReadByRange(dictionaryGroup.lengthBytes, termBytes)) return null;
    return new PagedDictionary(refs, segment, indexGroup, this);
  }

  private rangePostings(): RangedPostings | null {
    const { segment, refs, postingsGroup, positionsGroup, hasFreqs, hasPositions, blockCount } = this;
    const length = postingsGroup.lengthBytes + positionsGroup.lengthBytes;
    if (!refs.postings.lists || !segment.isReadByRange(length, refs.postings.lists)) return null;
    const shape = { hasFreqs, hasPositions, blockCount };
    return new RangedPostings(segment, { ...refs.postings, ...refs.positions }, shape);
  }

  /** The dictionary by pages; null where all of it is in memory, or short. */
  private get paged(): PagedDictionary | null {
    const { pagedDictionary } = this;
    if (pagedDictionary === null || this.dictionaryGroup.isLoaded || this.segment.bytes.isInMemory) return null;
    return pagedDictionary;
  }

  /** The postings by terms; null where all of them are in memory, or few. */
  private get ranged(): RangedPostings | null {
    const { rangedPostings } = this;
    if (rangedPostings === null || this.postingsGroup.isLoaded || this.segment.bytes.isInMemory) return null;
    return rangedPostings;
  }

  /** Throws `DamagedBytes` when the directory contradicts itself, or the segment of `docCount` documents. */
  verify(docCount: number): void {
    if (this.stats.docCount > docCount)
      throw new DamagedBytes(`terms of ${this.stats.docCount} documents in a segment of ${docCount}`);
    const { size, termLength, blockCount, stride } = this;
    const separators = stride === 0 ? 0 : separatorCount(size, stride);
    verifyTermsSections(this.refs, { size, termLength, blockCount, separatorCount: separators });
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

  /** Postings of a term for kernels, until its `release`; null when there is no room. */
  holdTerm(ordinal: number, withPositions: boolean): HeldPostings | null {
    const { ranged } = this;
    if (ranged === null) {
      const at = this.holdForKernels(withPositions);
      return at && this.ofAllTerms(at, () => this.releaseFromKernels(withPositions));
    }
    if (this.isInlined(ordinal)) return this.ofAllTerms(NOWHERE, () => {});
    return ranged.hold(this.placeOf(ordinal), withPositions);
  }

  private ofAllTerms(at: PostingsAddresses, release: () => void): HeldPostings {
    return { at, bounds: this.bounds, boundsFrom: 0, boundsCount: this.blockCount, columns: this.columns, release };
  }

  private placeOf(ordinal: number): TermPlace {
    return { ordinal, docFreq: this.docFreq(ordinal), start: this.postingsStart(ordinal) };
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
    const groups = [this.dictionaryGroup, this.indexGroup, this.postingsGroup, this.positionsGroup];
    return groups.reduce((sum, { lengthBytes }) => sum + lengthBytes, 0);
  }

  find(term: Uint8Array): number {
    const { paged } = this;
    if (paged !== null) return paged.find(term);
    const ordinal = this.ceiling(term);
    if (ordinal === this.size) return -1;
    return this.compare(this.dictionaryGroup.get(), ordinal, term) === 0 ? ordinal : -1;
  }

  private compare(sorted: SortedTerms, ordinal: number, term: Uint8Array): number {
    return compareBytes(sorted.termBytes, termStart(sorted, ordinal), termStart(sorted, ordinal + 1), term);
  }

  ceiling(term: Uint8Array, from = 0): number {
    const { paged } = this;
    if (paged !== null) return paged.ceiling(term, from);
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
    const { paged } = this;
    if (paged !== null) return paged.term(ordinal);
    const sorted = this.dictionaryGroup.get();
    return sorted.termBytes.subarray(termStart(sorted, ordinal), termStart(sorted, ordinal + 1));
  }

  sorted(): SortedTerms {
    return this.dictionaryGroup.get();
  }

  prefixes(): TermPrefixes | null {
    if (this.knownPrefixes === undefined) this.knownPrefixes = termPrefixes(this.sorted(), this.size);
    return this.knownPrefixes;
  }

  prepareWalk(termCount: number): void {
    const { dictionaryGroup, postingsGroup, segment } = this;
    if (termCount <= this.size / WALK_SHARE || this.ranged === null) return;
    if (!segment.makeRoom(dictionaryGroup.lengthBytes + postingsGroup.lengthBytes)) return;
    dictionaryGroup.get();
    postingsGroup.get();
  }

  docFreq(ordinal: number): number {
    if (this.isUnique) return 1;
    return this.paged?.docFreq(ordinal) ?? (this.dictionaryGroup.get().docFreqs[ordinal] as number);
  }

  totalTermFreq(ordinal: number): number {
    if (!this.hasFreqs) return this.docFreq(ordinal);
    return this.paged?.totalTermFreq(ordinal) ?? (this.dictionaryGroup.get().totalTermFreqs[ordinal] as number);
  }

  /**
   * Where the term's postings stand: its first block from 128 documents on, else the start of its list; the document
   * itself when `isInlined`.
   */
  postingsStart(ordinal: number): number {
    return this.paged?.postingsAt(ordinal) ?? (this.dictionaryGroup.get().postingsAt[ordinal] as number);
  }

  /** True when `postingsStart` is the term's only document instead of an offset. */
  isInlined(ordinal: number): boolean {
    return !this.hasPositions && this.docFreq(ordinal) === 1;
  }

  postings(ordinal: number): PostingsCursor {
    if (this.isInlined(ordinal)) return FlatCursor.ofOne(this.postingsStart(ordinal), this.totalTermFreq(ordinal));
    const { ranged } = this;
    if (ranged !== null) return ranged.cursor(this.placeOf(ordinal));
    const cursor = this.newCursor();
    this.begin(cursor, ordinal);
    return cursor;
  }

  /** For many terms, one after the other: reads all postings. */
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
