/**
 * The terms of a shard nearest to a word: so many of those within a few edits of it, whatever segments they stand in.
 *
 * Only as many are kept as are wanted, in order: a term that is further away than all of them is not even copied. How many
 * edits a term is away is what the automata of ever more edits say, the first that accepts it. A segment that was walked for the same word
 * before is not walked again.
 */
import { type EditWord, editAutomaton, type LazyDfa } from '@shoal/automata';
import { assert } from '@shoal/core';
import { compareBytes } from '../../bytes/compare-bytes.ts';
import type { TermDictionary } from '../../format/reader/segment-reader.ts';
import { type KnownNearTerms, knownNearKey, knownNearTerms, NearTermNotes } from './known-near-terms.ts';
import { walkNearTerms } from './near-term-walk.ts';

export interface NearTerm {
  readonly term: Uint8Array;
  /** 1 for the word itself, less the more edits it needs; less than 0 for a word shorter than its edits. */
  readonly similarity: number;
}

export class NearestTerms {
  private readonly word: EditWord;
  private readonly wordLength: number;
  private readonly countMax: number;
  /** Name of the word in what is known of dictionaries; null: nothing is. */
  private readonly key: string | null;
  /** Automata by their number of edits, from 0; null until the first segment is walked. */
  private automata: readonly LazyDfa[] | null;
  /** The best first, of equal ones the first in byte order. */
  private readonly best: NearTerm[] = [];

  constructor(word: EditWord, countMax: number) {
    assert(word.maxEdits >= 0, `${word.maxEdits} edits`);
    this.word = word;
    this.wordLength = [...word.word].length;
    this.countMax = countMax;
    this.key = knownNearKey(word);
    // What is wrong with a word is said of it even where nothing is searched; short words have nothing wrong.
    this.automata = this.key === null ? automataOf(word) : null;
  }

  /** Terms that were seen before may come again. */
  addSegment(terms: TermDictionary): void {
    const known = this.key === null ? null : knownNearTerms(terms, this.key);
    if (known === null) this.walk(terms);
    else this.addKnown(known);
  }

  private addKnown({ bytes, ends, similarities }: KnownNearTerms): void {
    let from = 0;
    for (let i = 0; i < ends.length; i++) {
      const to = ends[i] as number;
      this.insert(bytes, from, to, similarities[i] as number);
      from = to;
    }
  }

  private walk(terms: TermDictionary): void {
    this.automata ??= automataOf(this.word);
    const { automata, key } = this;
    const { termBytes } = terms.sorted();
    const notes = key === null ? null : new NearTermNotes();
    const widest = automata[this.word.maxEdits];
    assert(widest !== undefined, `${this.word.maxEdits} edits`);
    walkNearTerms(terms, widest, (from, to) => {
      const edits = editsOf(automata, termBytes, from, to);
      const similarity = this.similarity(edits, lettersOf(termBytes, from, to));
      // A word without letters is near itself alone.
      if (!Number.isFinite(similarity)) return;
      notes?.add(termBytes, from, to, similarity);
      this.insert(termBytes, from, to, similarity);
    });
    if (key !== null) notes?.keep(terms, key);
  }

  result(): readonly NearTerm[] {
    assert(
      this.best.length <= Math.max(0, this.countMax),
      `${this.best.length} near terms of at most ${this.countMax}`,
    );
    return this.best;
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

function automataOf(word: EditWord): readonly LazyDfa[] {
  return Array.from({ length: word.maxEdits + 1 }, (_, maxEdits) => editAutomaton({ ...word, maxEdits }));
}

/** Edits of a term that the widest automaton accepts. */
function editsOf(automata: readonly LazyDfa[], bytes: Uint8Array, from: number, to: number): number {
  const most = automata.length - 1;
  let edits = 0;
  while (edits < most && automata[edits]?.matches(bytes, from, to) === false) edits++;
  return edits;
}

/** Code points of UTF-8 text. */
function lettersOf(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if (((bytes[at] as number) & 0xc0) !== 0x80) count++;
  return count;
}
