/**
 * The terms of one dictionary near a word, kept for words that are asked for again: a dictionary never changes, and walking it costs
 * more than all the rest of a fuzzy query.
 *
 * Kept beside the dictionary and no longer than it, for the dictionaries that were asked last: a thread holds at most some 20 MB of them.
 */
import type { EditWord } from '@shoal/automata';
import { assert, RecentByObject, RecentEntries } from '@shoal/core';
import type { TermDictionary } from '../../format/reader/segment-reader.ts';

/** Dictionaries of a thread that words are kept for. */
const DICTIONARIES_MAX = 256;
/** Words that are kept for one dictionary. */
const KNOWN_WORDS_MAX = 16;
/** Longest word that is kept, in UTF-16 units. */
const WORD_UNITS_MAX = 64;
/** A word with more terms near it in one dictionary is not kept. */
const TERMS_MAX = 256;
/** A word whose near terms are longer than that together is not kept. */
const TERM_BYTES_MAX = 4_096;

/** Near terms of one dictionary, in the order in which they were found. */
export interface KnownNearTerms {
  /** One term behind the other. */
  readonly bytes: Uint8Array;
  /** Where each term ends in `bytes`. */
  readonly ends: Uint32Array;
  /** Similarity of each; rounded to floats where it was computed, so that none is lost here. */
  readonly similarities: Float32Array;
}

const KNOWN = new RecentByObject<TermDictionary, RecentEntries<KnownNearTerms>>(DICTIONARIES_MAX);

/** Name of a word with its edits in what is kept; null for one that never is. */
export function knownNearKey({ word, maxEdits, prefixLength, hasTranspositions }: EditWord): string | null {
  return word.length > WORD_UNITS_MAX ? null : `${maxEdits} ${prefixLength} ${hasTranspositions} ${word}`;
}

/** null: not known. */
export function knownNearTerms(terms: TermDictionary, key: string): KnownNearTerms | null {
  return KNOWN.get(terms)?.get(key) ?? null;
}

/** Gathers what is found in one dictionary, for as long as it is few enough to be kept. */
export class NearTermNotes {
  private bytes = new Uint8Array(0);
  private readonly ends: number[] = [];
  private readonly similarities: number[] = [];
  private length = 0;
  private isOver = false;

  add(bytes: Uint8Array, from: number, to: number, similarity: number): void {
    const length = this.length + to - from;
    this.isOver ||= this.ends.length >= TERMS_MAX || length > TERM_BYTES_MAX;
    if (this.isOver) return;
    assert(Object.is(Math.fround(similarity), similarity), `a similarity of ${similarity} is no float`);
    if (length > this.bytes.length) {
      const grown = new Uint8Array(Math.min(TERM_BYTES_MAX, 2 * length));
      grown.set(this.bytes);
      this.bytes = grown;
    }
    this.bytes.set(bytes.subarray(from, to), this.length);
    this.length = length;
    this.ends.push(length);
    this.similarities.push(similarity);
  }

  keep(terms: TermDictionary, key: string): void {
    if (this.isOver) return;
    let words = KNOWN.get(terms);
    if (words === undefined) {
      words = new RecentEntries(KNOWN_WORDS_MAX);
      KNOWN.set(terms, words);
    }
    const bytes = this.bytes.slice(0, this.length);
    words.set(key, { bytes, ends: Uint32Array.from(this.ends), similarities: Float32Array.from(this.similarities) });
  }
}
