/**
 * Documents as bits, a range of a segment at a time: how filters are tested, counted and combined without a call for each
 * document.
 */
import { assert } from '@shoal/core';
import { BLOCK_DOCS } from '../../format/reader/number-blocks.ts';
import { NO_MORE_DOCS } from '../../format/reader/segment-reader.ts';
import type { DocBits, DocIterator } from '../weight/doc-iterator.ts';

const WORD_BITS = 32;
const NO_WORDS = new Uint32Array(0);

export const BLOCK_WORDS: number = BLOCK_DOCS / WORD_BITS;

export function wordsOf(docCount: number): number {
  return (docCount + WORD_BITS - 1) >>> 5;
}

/** Every document. */
export class AllBits implements DocBits {
  readonly cost: number;

  constructor(docCount: number) {
    assert(docCount >= 0, `bits of ${docCount} documents`);
    this.cost = docCount;
  }

  fill(words: Uint32Array, at: number, from: number, to: number): void {
    setRun(words, at, to - from);
  }
}

/** The first `count` bits, and none behind them in their last word. */
export function setRun(words: Uint32Array, at: number, count: number): void {
  const whole = count >>> 5;
  words.fill(0xffff_ffff, at, at + whole);
  if ((count & 31) !== 0) words[at + whole] = (1 << (count & 31)) - 1;
}

/** All of some; the rarest is asked first, and where it has none the others are not. */
export class CommonBits implements DocBits {
  readonly cost: number;
  private readonly parts: readonly DocBits[];
  private readonly scratch = new Uint32Array(BLOCK_WORDS);

  constructor(parts: readonly DocBits[]) {
    this.parts = [...parts].sort((a, b) => a.cost - b.cost);
    assert(parts.length > 0, `an intersection of ${parts.length} sets`);
    this.cost = this.parts[0]?.cost ?? 0;
  }

  fill(words: Uint32Array, at: number, from: number, to: number): void {
    const { parts, scratch } = this;
    for (let start = from; start < to; start += BLOCK_DOCS) {
      const end = Math.min(to, start + BLOCK_DOCS);
      const place = at + ((start - from) >>> 5);
      const count = wordsOf(end - start);
      (parts[0] as DocBits).fill(words, place, start, end);
      for (let p = 1; p < parts.length && hasAny(words, place, count); p++) {
        const part = parts[p] as DocBits;
        if (part.narrow) {
          part.narrow(words, place, start, end);
          continue;
        }
        part.fill(scratch, 0, start, end);
        for (let i = 0; i < count; i++) words[place + i] = (words[place + i] as number) & (scratch[i] as number);
      }
    }
  }
}

function hasAny(words: Uint32Array, at: number, count: number): boolean {
  for (let i = at; i < at + count; i++) if (words[i] !== 0) return true;
  return false;
}

/** At least one of some. */
export class UnitedBits implements DocBits {
  readonly cost: number;
  private readonly parts: readonly DocBits[];
  private readonly scratch = new Uint32Array(BLOCK_WORDS);

  constructor(parts: readonly DocBits[]) {
    this.parts = parts;
    assert(parts.length > 0, `a union of ${parts.length} sets`);
    this.cost = parts.reduce((sum, { cost }) => sum + cost, 0);
  }

  fill(words: Uint32Array, at: number, from: number, to: number): void {
    const { parts, scratch } = this;
    for (let start = from; start < to; start += BLOCK_DOCS) {
      const end = Math.min(to, start + BLOCK_DOCS);
      const place = at + ((start - from) >>> 5);
      const count = wordsOf(end - start);
      (parts[0] as DocBits).fill(words, place, start, end);
      for (let p = 1; p < parts.length; p++) {
        (parts[p] as DocBits).fill(scratch, 0, start, end);
        for (let i = 0; i < count; i++) words[place + i] = (words[place + i] as number) | (scratch[i] as number);
      }
    }
  }
}

/** `included` less `excluded`. */
export class RemainingBits implements DocBits {
  readonly cost: number;
  private readonly included: DocBits;
  private readonly excluded: DocBits;
  private readonly scratch = new Uint32Array(BLOCK_WORDS);

  constructor(included: DocBits, excluded: DocBits) {
    this.included = included;
    this.excluded = excluded;
    this.cost = included.cost;
  }

  fill(words: Uint32Array, at: number, from: number, to: number): void {
    const { scratch } = this;
    for (let start = from; start < to; start += BLOCK_DOCS) {
      const end = Math.min(to, start + BLOCK_DOCS);
      const place = at + ((start - from) >>> 5);
      const count = wordsOf(end - start);
      this.included.fill(words, place, start, end);
      if (!hasAny(words, place, count)) continue;
      this.excluded.fill(scratch, 0, start, end);
      for (let i = 0; i < count; i++) words[place + i] = (words[place + i] as number) & ~(scratch[i] as number);
    }
  }
}

/** One document after the other, a block of bits at a time. */
export class BitsIterator implements DocIterator {
  doc = -1;
  readonly bits: DocBits;
  private readonly docCount: number;
  /** One block; made with the first that is loaded, since whoever takes `bits` loads none. */
  private words = NO_WORDS;
  /** First document of the block in `words`; -1 before the first block. */
  private base = -1;

  constructor(bits: DocBits, docCount: number) {
    this.bits = bits;
    assert(docCount > 0, `an iterator over ${docCount} documents`);
    this.docCount = docCount;
  }

  get cost(): number {
    return this.bits.cost;
  }

  next(): number {
    return this.advance(this.doc + 1);
  }

  advance(target: number): number {
    const { docCount } = this;
    if (target >= docCount) return (this.doc = NO_MORE_DOCS);
    let base = target - (target & (BLOCK_DOCS - 1));
    if (base !== this.base) this.load(base);
    const { words } = this;
    let index = (target - base) >>> 5;
    let word = ((words[index] as number) >>> (target & 31)) << (target & 31);
    while (word === 0) {
      if (++index === BLOCK_WORDS) {
        base += BLOCK_DOCS;
        if (base >= docCount) return (this.doc = NO_MORE_DOCS);
        this.load(base);
        index = 0;
      }
      word = words[index] as number;
    }
    return (this.doc = base + (index << 5) + 31 - Math.clz32(word & -word));
  }

  private load(base: number): void {
    const to = Math.min(this.docCount, base + BLOCK_DOCS);
    if (this.base < 0) this.words = new Uint32Array(BLOCK_WORDS);
    else this.words.fill(0, wordsOf(to - base));
    this.bits.fill(this.words, 0, base, to);
    this.base = base;
  }
}

/** Keeps the live documents of `count` words that begin with document `from`. */
export function keepLive(words: Uint32Array, count: number, from: number, live: Uint8Array): void {
  let at = from >>> 3;
  for (let i = 0; i < count; i++, at += 4) {
    const word = words[i] as number;
    if (word === 0) continue;
    const mask =
      (live[at] ?? 0) | ((live[at + 1] ?? 0) << 8) | ((live[at + 2] ?? 0) << 16) | ((live[at + 3] ?? 0) << 24);
    words[i] = word & mask;
  }
}

export function countBits(words: Uint32Array, from: number, to: number): number {
  let count = 0;
  for (let i = from; i < to; i++) {
    let w = words[i] as number;
    w -= (w >>> 1) & 0x5555_5555;
    w = (w & 0x3333_3333) + ((w >>> 2) & 0x3333_3333);
    count += Math.imul((w + (w >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
  }
  return count;
}

/** Lists the documents of the words from..to - 1, of which the first bit is document `base`; returns how many. */
export function listDocs(words: Uint32Array, from: number, to: number, base: number, into: Uint32Array): number {
  let count = 0;
  for (let i = from; i < to; i++) {
    let word = words[i] as number;
    const first = base + ((i - from) << 5) + 31;
    while (word !== 0) {
      const lowest = word & -word;
      into[count++] = first - Math.clz32(lowest);
      word ^= lowest;
    }
  }
  return count;
}
