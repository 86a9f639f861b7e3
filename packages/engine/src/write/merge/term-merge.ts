/**
 * Merges the sorted terms of one field, a term a step: the plain form of packages/engine/kernels/postings/merge-terms.ts, which runs
 * where there are no kernels, and which they are tested against.
 */
import { assert } from '@shoal/core';
import { compareBytes } from '../../bytes/compare-bytes.ts';
import type { SpillFile } from '../../bytes/spill-file.ts';
import { PostingsWriter } from '../../format/postings/postings-writer.ts';
import { NO_MORE_DOCS, type PostingsCursor } from '../../format/reader/segment-reader.ts';
import { newDoc } from '../stored/doc-map.ts';
import { anyOf, type FieldMerge, type MergedTerms, termsOf, usedTerms } from './merged-terms.ts';
import { MappedDocs, type NewDocs, SortedDocs, smallestOf } from './reordered-postings.ts';
import { TermWindows } from './term-windows.ts';
import { WindowTerms } from './window-terms.ts';

/** Postings and terms between two yields: about a millisecond of work. */
const WORK_PER_STEP = 4_096;

export function* mergeTerms(merge: FieldMerge, spill: SpillFile): Generator<void, MergedTerms> {
  const terms = new TermMerge(merge, spill);
  while (terms.nextWindow()) while (yield* terms.step());
  assert(terms.ordinalMaps.length === merge.inputs.length, `ordinals of ${terms.ordinalMaps.length} inputs`);
  return { written: terms.writer, docsWithTerms: terms.docsWithTerms(), ordinalMaps: terms.ordinalMaps };
}

class TermMerge {
  readonly writer: PostingsWriter;
  readonly ordinalMaps: readonly Int32Array[];
  private work = 0;
  private readonly merge: FieldMerge;
  private readonly windows: TermWindows;
  /** Window of each input; null: it has no terms. */
  private readonly terms: readonly (WindowTerms | null)[];
  private readonly hasPostings: boolean;
  private readonly next: Uint32Array;
  private readonly seen: Uint8Array;
  /** By input, when there are no postings to tell. */
  private readonly used: readonly (Uint8Array | null)[];
  private positions = new Uint32Array(64);
  /** The next term of each input; null behind the last of its window. */
  private readonly heads: (Uint8Array | null)[];
  /** Inputs whose next term is the smallest of all. */
  private readonly holders: Uint32Array;
  private holderCount = 0;

  constructor(merge: FieldMerge, spill: SpillFile) {
    this.merge = merge;
    const terms = termsOf(merge);
    const shape = anyOf(terms);
    this.hasPostings = shape.hasPostings;
    this.writer = new PostingsWriter(shape, merge.norms, spill);
    this.ordinalMaps = terms.map((one) => new Int32Array(one?.size ?? 0).fill(-1));
    this.next = new Uint32Array(merge.inputs.length);
    this.holders = new Uint32Array(merge.inputs.length);
    this.seen = new Uint8Array(merge.docCount);
    this.windows = new TermWindows(terms, merge.windowBytes);
    this.terms = this.windows.inputs.map((input) => input && new WindowTerms(input));
    this.heads = this.terms.map(() => null);
    this.used = merge.inputs.map((_, i) => (this.hasPostings ? null : usedTerms(merge, i)));
  }

  /** Moves on to the terms behind; false when there are none. */
  nextWindow(): boolean {
    if (!this.windows.next()) return false;
    this.terms.forEach((terms, i) => {
      terms?.open();
      this.heads[i] = terms?.at(this.next[i] as number) ?? null;
    });
    return true;
  }

  docsWithTerms(): number {
    let count = 0;
    for (const seen of this.seen) count += seen;
    return count;
  }

  /** Merges the smallest next term of the window; false when none is left. Yields every millisecond or so. */
  *step(): Generator<void, boolean> {
    const smallest = this.findSmallest();
    if (smallest === null) return false;
    if (this.isPause(1)) yield;
    const isReordered = this.merge.sources !== null && this.hasPostings;
    const isBegun = isReordered ? yield* this.copyReordered(smallest) : this.copyInOrder(smallest);
    if (isBegun) this.writer.endTerm();
    if (this.isPause(0)) yield;
    return true;
  }

  private isPause(done: number): boolean {
    this.work += done;
    if (this.work < WORK_PER_STEP) return false;
    this.work = 0;
    this.writer.spill();
    return true;
  }

  /** Copies the documents of one input behind those of the other. */
  private copyInOrder(term: Uint8Array): boolean {
    let isBegun = false;
    for (let k = 0; k < this.holderCount; k++) {
      const i = this.holders[k] as number;
      isBegun = this.copy(i, this.take(i), term, isBegun);
    }
    return isBegun;
  }

  /** Copies the documents of all inputs by their new numbers. */
  private *copyReordered(term: Uint8Array): Generator<void, boolean> {
    const isSingle = this.merge.inputs.length === 1;
    const sources: NewDocs[] = [];
    let isBegun = false;
    for (let k = 0; k < this.holderCount; k++) {
      const i = this.holders[k] as number;
      const ordinal = this.take(i);
      const map = this.merge.docMaps[i];
      const cursor = this.postings(i, ordinal);
      if (cursor === null || map === undefined) continue;
      const source = isSingle ? new SortedDocs(cursor, map) : new MappedDocs(cursor, map);
      source.next();
      if (source.doc === NO_MORE_DOCS) continue;
      sources.push(source);
      isBegun = this.begin(this.ordinalMaps[i] as Int32Array, ordinal, term, isBegun);
    }
    for (let from = smallestOf(sources); from !== null; from = smallestOf(sources)) {
      const { doc, freq } = from;
      if (freq > this.positions.length) this.positions = new Uint32Array(freq * 2);
      from.positions(this.positions);
      this.writer.addDoc(doc, freq, this.positions, 0);
      this.seen[doc] = 1;
      from.next();
      if (this.isPause(1)) yield;
    }
    return isBegun;
  }

  /** Ordinal of the next term of an input, which is gone to the one behind. */
  private take(i: number): number {
    const ordinal = this.next[i] as number;
    this.next[i] = ordinal + 1;
    this.heads[i] = this.terms[i]?.at(ordinal + 1) ?? null;
    return ordinal;
  }

  /** The smallest next term of the window; `holders` are the inputs that have it. */
  private findSmallest(): Uint8Array | null {
    let best: Uint8Array | null = null;
    let count = 0;
    for (let i = 0; i < this.heads.length; i++) {
      const head = this.heads[i] ?? null;
      if (head === null) continue;
      const order = best === null ? -1 : compareBytes(head, 0, head.length, best);
      if (order > 0) continue;
      if (order < 0) {
        best = head;
        count = 0;
      }
      this.holders[count++] = i;
    }
    this.holderCount = count;
    return best;
  }

  /** One input's documents of a term. */
  private postings(i: number, ordinal: number): PostingsCursor | null {
    return this.hasPostings ? (this.terms[i]?.postings(ordinal) ?? null) : null;
  }

  /** Copies one input's share of a term; true once the term is begun. */
  private copy(i: number, ordinal: number, term: Uint8Array, isBegun: boolean): boolean {
    const ordinalMap = this.ordinalMaps[i] as Int32Array;
    if (!this.hasPostings) {
      const used = this.used[i] ?? null;
      return used === null || used[ordinal] === 1 ? this.begin(ordinalMap, ordinal, term, isBegun) : isBegun;
    }
    const map = this.merge.docMaps[i];
    const cursor = this.postings(i, ordinal);
    if (cursor === null || map === undefined) return isBegun;
    this.work += cursor.cost;
    let hasBegun = isBegun;
    let isFirst = true;
    for (let doc = cursor.next(); doc !== NO_MORE_DOCS; doc = cursor.next()) {
      const to = newDoc(map, doc);
      if (to < 0) continue;
      if (isFirst) hasBegun = this.begin(ordinalMap, ordinal, term, hasBegun);
      isFirst = false;
      const freq = cursor.freq;
      if (freq > this.positions.length) this.positions = new Uint32Array(freq * 2);
      cursor.positions(this.positions);
      this.writer.addDoc(to, freq, this.positions, 0);
      this.seen[to] = 1;
    }
    return hasBegun;
  }

  /** A live document of this input has the term. */
  private begin(ordinalMap: Int32Array, ordinal: number, term: Uint8Array, isBegun: boolean): true {
    if (!isBegun) this.writer.beginTerm(term);
    // The term being written gets its ordinal when it ends.
    ordinalMap[ordinal] = this.writer.termCount;
    return true;
  }
}
