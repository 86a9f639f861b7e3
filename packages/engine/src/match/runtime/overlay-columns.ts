/**
 * Columns and postings of a small segment that has some documents of a large one, in the numbers of the large one.
 */
import { assert } from '@shoal/core';
import { NumberBlocks } from '../../format/reader/number-blocks.ts';
import type { NumberCodes } from '../../format/reader/number-codes.ts';
import {
  type FieldStats,
  NO_MORE_DOCS,
  type NumericColumn,
  type OrdinalColumn,
  type PostingsCursor,
  type TermDictionary,
} from '../../format/reader/segment-reader.ts';
import type { SortedTerms, TermPrefixes } from '../../format/reader/term-prefixes.ts';
import type { WideValues } from '../../format/reader/wide-values.ts';
import type { DocSubset } from './doc-subset.ts';

export class OverlayNumbers implements NumericColumn {
  /** Documents beside those of the small segment have no value. */
  readonly isDense = false;
  readonly #inner: NumericColumn;
  readonly #docs: DocSubset;

  constructor(inner: NumericColumn, docs: DocSubset) {
    this.#inner = inner;
    this.#docs = docs;
  }

  get kind(): 'long' | 'double' {
    return this.#inner.kind;
  }

  get isMultiValued(): boolean {
    return this.#inner.isMultiValued;
  }

  get isWide(): boolean {
    return this.#inner.isWide;
  }

  get wide(): WideValues | null {
    return this.#inner.wide;
  }

  get codes(): NumberCodes | null {
    return this.#inner.codes;
  }

  get min(): number {
    return this.#inner.min;
  }

  get max(): number {
    return this.#inner.max;
  }

  start(doc: number): number {
    return this.#inner.start(this.#docs.rank(doc));
  }

  value(index: number): number {
    return this.#inner.value(index);
  }

  bigValue(index: number): bigint {
    return this.#inner.bigValue(index);
  }

  gather(): void {
    assert(false, 'documents of a column that is not dense are gathered');
  }

  readRange(from: number, to: number, scratch: Float64Array): Float64Array {
    return this.#inner.readRange(from, to, scratch);
  }

  blocks(docCount: number): NumberBlocks | null {
    return this.isWide ? null : new NumberBlocks(this, docCount);
  }
}

export class OverlayOrdinals implements OrdinalColumn {
  readonly flat = null;
  readonly isDense = false;
  readonly #inner: OrdinalColumn;
  readonly #docs: DocSubset;

  constructor(inner: OrdinalColumn, docs: DocSubset) {
    this.#inner = inner;
    this.#docs = docs;
  }

  get valueCount(): number {
    return this.#inner.valueCount;
  }

  get isMultiValued(): boolean {
    return this.#inner.isMultiValued;
  }

  start(doc: number): number {
    return this.#inner.start(this.#docs.rank(doc));
  }

  ordinal(index: number): number {
    return this.#inner.ordinal(index);
  }

  readRange(from: number, to: number, scratch: Float64Array): Float64Array {
    assert(to - from <= scratch.length, `${to - from} ordinals for ${scratch.length} places`);
    for (let index = from; index < to; index++) scratch[index - from] = this.#inner.ordinal(index);
    return scratch.subarray(0, to - from);
  }

  blocks(docCount: number): NumberBlocks {
    return new NumberBlocks(this, docCount);
  }

  value(ordinal: number): Uint8Array {
    return this.#inner.value(ordinal);
  }

  sorted(): SortedTerms {
    return this.#inner.sorted();
  }
}

export class OverlayTerms implements TermDictionary {
  readonly #inner: TermDictionary;
  readonly #docs: DocSubset;

  constructor(inner: TermDictionary, docs: DocSubset) {
    this.#inner = inner;
    this.#docs = docs;
  }

  get size(): number {
    return this.#inner.size;
  }

  get stats(): FieldStats {
    return this.#inner.stats;
  }

  get hasFreqs(): boolean {
    return this.#inner.hasFreqs;
  }

  get hasPositions(): boolean {
    return this.#inner.hasPositions;
  }

  get dictionaryBytes(): number {
    return this.#inner.dictionaryBytes;
  }

  find(term: Uint8Array): number {
    return this.#inner.find(term);
  }

  ceiling(term: Uint8Array, from?: number): number {
    return this.#inner.ceiling(term, from);
  }

  term(ordinal: number): Uint8Array {
    return this.#inner.term(ordinal);
  }

  sorted(): SortedTerms {
    return this.#inner.sorted();
  }

  prefixes(): TermPrefixes | null {
    return this.#inner.prefixes();
  }

  prepareWalk(termCount: number): void {
    this.#inner.prepareWalk(termCount);
  }

  docFreq(ordinal: number): number {
    return this.#inner.docFreq(ordinal);
  }

  totalTermFreq(ordinal: number): number {
    return this.#inner.totalTermFreq(ordinal);
  }

  postings(ordinal: number): PostingsCursor {
    return new OverlayCursor(this.#inner.postings(ordinal), this.#docs);
  }
}

class OverlayCursor implements PostingsCursor {
  doc = -1;
  readonly cost: number;
  readonly #inner: PostingsCursor;
  readonly #docs: DocSubset;

  constructor(inner: PostingsCursor, docs: DocSubset) {
    this.#inner = inner;
    this.#docs = docs;
    this.cost = inner.cost;
  }

  get freq(): number {
    return this.#inner.freq;
  }

  next(): number {
    return this.#at(this.#inner.next());
  }

  advance(target: number): number {
    const { docs } = this.#docs;
    if (target > (docs.at(-1) ?? -1)) return (this.doc = NO_MORE_DOCS);
    return this.#at(this.#inner.advance(this.#docs.rank(target)));
  }

  positions(into: Uint32Array): number {
    return this.#inner.positions(into);
  }

  #at(doc: number): number {
    if (doc === NO_MORE_DOCS) return (this.doc = NO_MORE_DOCS);
    const { docs } = this.#docs;
    assert(doc < docs.length, `document ${doc} of the ${docs.length} that values were made for`);
    return (this.doc = docs[doc] as number);
  }
}
