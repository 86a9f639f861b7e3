/**
 * The terms of a shard nearest to a word: so many of those within a few edits of it, whatever segments they stand in.
 *
 * Only as many are kept as are wanted, in order: a term that is further away than all of them is not even copied. How many
 * edits a term is away is what the automata of ever more edits say, the first that accepts it.
 */
import { type EditWord, editAutomaton, type LazyDfa } from '@shoal/automata';
import { assert } from '@shoal/core';
import { compareBytes } from '../../bytes/compare-bytes.ts';
import type { TermDictionary } from '../../format/reader/segment-reader.ts';
import { walkNearTerms } from './near-term-walk.ts';

export interface NearTerm {
  readonly term: Uint8Array;
  /** 1 for the word itself, less the more edits it needs; less than 0 for a word shorter than its edits. */
  readonly similarity: number;
}

export class NearestTerms {
  private readonly wordLength: number;
  private readonly countMax: number;
  /** Automata by their number of edits, from 0. */
  private readonly automata: readonly LazyDfa[];
  private readonly widest: LazyDfa;
  /** The best first, of equal ones the first in byte order. */
  private readonly best: NearTerm[] = [];

  constructor(word: EditWord, countMax: number) {
    this.wordLength = [...word.word].length;
    this.countMax = countMax;
    this.automata = Array.from({ length: word.maxEdits + 1 }, (_, maxEdits) => editAutomaton({ ...word, maxEdits }));
    const widest = this.automata[word.maxEdits];
    assert(widest !== undefined, `${word.maxEdits} edits`);
    this.widest = widest;
  }

  /** Terms that were seen before may come again. */
  addSegment(terms: TermDictionary): void {
    const { termBytes } = terms.sorted();
    walkNearTerms(terms, this.widest, (from, to) => {
      const edits = this.editsOf(termBytes, from, to);
      const similarity = this.similarity(edits, lettersOf(termBytes, from, to));
      // A word without letters is near itself alone.
      if (Number.isFinite(similarity)) this.insert(termBytes, from, to, similarity);
    });
  }

  result(): readonly NearTerm[] {
    assert(
      this.best.length <= Math.max(0, this.countMax),
      `${this.best.length} near terms of at most ${this.countMax}`,
    );
    return this.best;
  }

  /** Edits of a term that the widest automaton accepts. */
  private editsOf(bytes: Uint8Array, from: number, to: number): number {
    const most = this.automata.length - 1;
    let edits = 0;
    while (edits < most && this.automata[edits]?.matches(bytes, from, to) === false) edits++;
    return edits;
  }

  private similarity(edits: number, length: number): number {
    // Each step is a float: rounded once, the last digit would be another one.
    return edits === 0 ? 1 : Math.fround(1 - Math.fround(edits / Math.min(this.wordLength, length)));
  }

  private insert(bytes: Uint8Array, from: number, to: number, similarity: number): void {
    const { best, countMax } = this;
    let low = 0;
    let high = best.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = best[middle] as NearTerm;
      const order = other.similarity - similarity || compareBytes(bytes, from, to, other.term);
      if (order === 0) return;
      if (order > 0) low = middle + 1;
      else high = middle;
    }
    if (low >= countMax) return;
    best.splice(low, 0, { term: bytes.slice(from, to), similarity });
    if (best.length > countMax) best.pop();
  }
}

/** Code points of UTF-8 text. */
function lettersOf(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if (((bytes[at] as number) & 0xc0) !== 0x80) count++;
  return count;
}
