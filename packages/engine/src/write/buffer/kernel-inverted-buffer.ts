/**
 * Inverted buffer in kernels: a text is cut, its words are hashed and appended in one call, and sealing sorts and inverts in a
 * few. It gives what `PlainInvertedBuffer` gives.
 *
 * The kernels write into regions that this side allocates whenever they report a shortage.
 */

import type { AsciiWordRules } from '@shoal/analysis';
import { assert } from '@shoal/core';
import type { TermEncoding } from '../../bytes/term-table.ts';
import type { TextSpan } from '../../field-types/contract/indexed-value.ts';
import type { PostingsShape } from '../../format/postings/written-postings.ts';
import type { IndexingMemory } from '../../memory/indexing-memory.ts';
import { InvertedSeal } from '../seal/inverted-seal.ts';
import type { TermBytes } from '../seal/write-inverted.ts';
import type { InvertedBuffer } from './inverted-buffer.ts';

const WORD_BYTES = 4;
/** A record of a term, and its two slots: see packages/engine/kernels/indexing/field-terms.ts. */
const RECORD_BYTES = 32;
const SLOTS_BYTES = 16;
const RECORD_WORDS = RECORD_BYTES / WORD_BYTES;
/** In a record: where its bytes stand; behind it, how many they are. */
const START_WORD = 2;
const TERMS_MIN = 32;
const TERM_BYTES_MIN = 512;
/** Smallest region of the stream of postings, in bytes; later ones grow. */
const STRETCH_BYTES_MIN = 512;
const STRETCH_BYTES_MAX = 128 * 1024;
/** An entry of a sort, twice. */
const SORT_BYTES = 32;
/** Longer texts would need memory that one document in a thousand wants. */
const TEXT_CHARS_MAX = 4 * 1024 * 1024;
/** Entries sorted, and terms placed, between two yields of a seal: a millisecond of work or less. */
const ENTRIES_PER_STEP = 16_384;
/** Shortage bit of the kernels: the stream of postings is full. */
const SHORT_OF_STREAM = 1;
const SHORT_OF_TERMS = 2;
const SHORT_OF_BYTES = 4;
const NONE = -1;

export class KernelInvertedBuffer implements InvertedBuffer {
  readonly encoding: TermEncoding;
  readonly shape: PostingsShape;
  private readonly memory: IndexingMemory;
  /** 0 until there is a token. */
  private field = 0;
  private terms = 0;
  private slots = 0;
  private termsMax = 0;
  private termBytes = 0;
  private termBytesMax = 0;
  private readonly regions: number[] = [];
  private streamBytes = 0;
  /** What a sealed field is in. */
  private readonly sealed: number[] = [];
  private isReleased = false;

  constructor(encoding: TermEncoding, shape: PostingsShape, memory: IndexingMemory) {
    this.encoding = encoding;
    this.shape = shape;
    this.memory = memory;
  }

  get sizeBytes(): number {
    return this.termsMax * (RECORD_BYTES + SLOTS_BYTES) + this.termBytesMax + this.streamBytes;
  }

  private begin(): void {
    assert(!this.isReleased, 'a buffer is used after its release');
    const { kernels } = this.memory;
    this.field = this.memory.allocate(kernels.fieldBytes());
    kernels.beginField(this.field, this.shape.hasPositions ? 1 : 0);
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = this.memory.secret;
    kernels.setHashSecret(this.field, a, b, c, d, e, f);
  }

  add(doc: number, term: string, position: number): number {
    if (this.field === 0) this.begin();
    const { kernels } = this.memory;
    const length = this.memory.writeTerm(term, this.encoding);
    const { inputAddress } = this.memory;
    for (;;) {
      const number = kernels.addTerm(this.field, doc, position, inputAddress, length);
      if (number !== NONE) return number;
      this.makeRoom(length);
    }
  }

  addKnown(doc: number, number: number, position: number): void {
    const { kernels } = this.memory;
    while (kernels.addKnown(this.field, doc, position, number) === 0) this.makeRoom(0);
  }

  addAsciiText(doc: number, text: string | TextSpan, rules: AsciiWordRules, position: number): number {
    if (text.length > TEXT_CHARS_MAX) return NONE;
    const { memory } = this;
    const { kernels } = memory;
    const length = typeof text === 'string' ? memory.writeText(text) : memory.writeBytes(text.bytes);
    // Every other character takes more bytes than it is long.
    if (length !== text.length) return NONE;
    const prepared = memory.prepareText(length, rules.lowercases);
    if (prepared === 0) return NONE;
    if (this.field === 0) this.begin();
    kernels.beginText(this.field);
    while (kernels.addText(this.field, doc, position, prepared, length, rules.maxTokenLength) === 0) {
      this.makeRoom(Math.min(length, rules.maxTokenLength));
    }
    return kernels.wordCountOf(this.field);
  }

  /** For one more token, of a term of so many bytes. */
  private makeRoom(length: number): void {
    const shortage = this.memory.kernels.shortageOf(this.field, length);
    assert(shortage !== 0, 'a field needs room that it has');
    if ((shortage & SHORT_OF_STREAM) !== 0) this.addRegion();
    if ((shortage & SHORT_OF_TERMS) !== 0) this.growTerms();
    if ((shortage & SHORT_OF_BYTES) !== 0) this.growBytes(length);
  }

  private addRegion(): void {
    const bytes = Math.min(STRETCH_BYTES_MAX, Math.max(STRETCH_BYTES_MIN, this.streamBytes));
    const address = this.memory.allocate(bytes);
    this.memory.kernels.addStretch(this.field, address, bytes);
    this.regions.push(address);
    this.streamBytes += bytes;
  }

  private growTerms(): void {
    const { memory } = this;
    const termsMax = Math.max(TERMS_MIN, this.termsMax * 2);
    const terms = memory.allocate(termsMax * RECORD_BYTES);
    const slots = this.allocateOr(termsMax * SLOTS_BYTES, terms);
    memory.kernels.moveTerms(this.field, terms, slots, termsMax);
    if (this.termsMax > 0) {
      memory.release(this.terms);
      memory.release(this.slots);
    }
    this.terms = terms;
    this.slots = slots;
    this.termsMax = termsMax;
  }

  /** Gives `other` back when there is no room. */
  private allocateOr(bytes: number, other: number): number {
    try {
      return this.memory.allocate(bytes);
    } catch (error) {
      this.memory.release(other);
      throw error;
    }
  }

  private growBytes(length: number): void {
    const { memory } = this;
    const bytesMax = Math.max(TERM_BYTES_MIN, this.termBytesMax * 2, this.termBytesMax + length * 2);
    const bytes = memory.allocate(bytesMax);
    memory.kernels.moveBytes(this.field, bytes, bytesMax);
    if (this.termBytesMax > 0) memory.release(this.termBytes);
    this.termBytes = bytes;
    this.termBytesMax = bytesMax;
  }

  private find(term: string): number {
    if (this.termsMax === 0) return NONE;
    const length = this.memory.writeTerm(term, this.encoding);
    return this.memory.kernels.findTerm(this.field, this.memory.inputAddress, length);
  }

  lastDocOf(term: string): number {
    const number = this.find(term);
    return number === NONE ? NONE : this.memory.kernels.lastDocOf(this.field, number);
  }

  setLastDoc(term: string, doc: number): void {
    const number = this.find(term);
    assert(number !== NONE, 'a term that is not there has no last document');
    this.memory.kernels.setLastDoc(this.field, number, doc);
  }

  *seal(): Generator<void, InvertedSeal> {
    if (this.field === 0) this.begin();
    const { memory, field, shape } = this;
    const { kernels } = memory;
    const count = kernels.termCountOf(field);
    const postings = kernels.postingCountOf(field);
    const order = this.sealedAt(count * WORD_BYTES);
    yield* this.sort(order, count);
    const docStarts = this.sealedAt((count + 1) * WORD_BYTES);
    const positionStarts = this.sealedAt((count + 1) * WORD_BYTES);
    for (let from = 0; from === 0 || from < count; from += ENTRIES_PER_STEP) {
      kernels.placeTerms(field, order, from, Math.min(count, from + ENTRIES_PER_STEP), docStarts, positionStarts);
      yield;
    }
    const docs = this.sealedAt(postings * WORD_BYTES);
    const freqs = shape.hasFreqs ? this.sealedAt(postings * WORD_BYTES) : 0;
    const tokens = kernels.tokenCountOf(field);
    const positions = shape.hasPositions ? this.sealedAt(tokens * WORD_BYTES) : 0;
    yield* this.invert(docs, freqs, positions);
    const inverted = {
      shape,
      terms: this.termsByNumber(),
      order: memory.wordsAt(order, count),
      docStarts: memory.wordsAt(docStarts, count + 1),
      docs: memory.wordsAt(docs, postings),
      freqs: freqs === 0 ? null : memory.wordsAt(freqs, postings),
      positionStarts: memory.wordsAt(positionStarts, count + 1),
      positions: positions === 0 ? null : memory.wordsAt(positions, tokens),
    };
    return new InvertedSeal(inverted, kernels.docCountOf(field));
  }

  /** Room that stays until the release. */
  private sealedAt(bytes: number): number {
    const address = this.memory.allocate(bytes);
    this.sealed.push(address);
    return address;
  }

  private *sort(order: number, count: number): Generator<void, void> {
    const { memory, field } = this;
    const { kernels } = memory;
    const entriesBytes = (count * SORT_BYTES) / 2;
    const sort = memory.allocate(kernels.sortBytes());
    const entries = memory.allocate(entriesBytes);
    const spare = memory.allocate(entriesBytes);
    kernels.beginSort(field, sort, entries, spare);
    yield;
    while (kernels.sortStep(field, sort, ENTRIES_PER_STEP) === 0) yield;
    kernels.finishSort(sort, order);
    for (const address of [sort, entries, spare]) memory.release(address);
    yield;
  }

  /** The stream is given back as it is read. */
  private *invert(docs: number, freqs: number, positions: number): Generator<void, void> {
    const { memory, field } = this;
    memory.kernels.endStretch(field);
    for (let stretch = this.regions[0] ?? 0; stretch !== 0; ) {
      stretch = memory.kernels.invertStretch(field, stretch, docs, freqs, positions);
      yield;
    }
    this.releaseStream();
  }

  private releaseStream(): void {
    for (const address of this.regions) this.memory.release(address);
    this.regions.length = 0;
    this.streamBytes = 0;
  }

  private termsByNumber(): TermBytes {
    const { memory, termBytes, termBytesMax } = this;
    const records = memory.wordsAt(this.terms, this.termsMax * RECORD_WORDS);
    const start = (number: number): number => records[number * RECORD_WORDS + START_WORD] as number;
    return {
      bytes: memory.bytes.subarray(termBytes, termBytes + termBytesMax),
      start,
      end: (number) => start(number) + (records[number * RECORD_WORDS + START_WORD + 1] as number),
    };
  }

  release(): void {
    if (this.isReleased) return;
    this.isReleased = true;
    const { memory } = this;
    this.releaseStream();
    for (const address of this.sealed) memory.release(address);
    if (this.termsMax > 0) {
      memory.release(this.terms);
      memory.release(this.slots);
    }
    if (this.termBytesMax > 0) memory.release(this.termBytes);
    if (this.field !== 0) memory.release(this.field);
  }
}
