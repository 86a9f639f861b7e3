/**
 * Terms within a few edits of a word, found by walking the sorted dictionary like a tree.
 *
 * Each letter of a term adds one row of the edit-distance table; terms that share a beginning share its rows, and a
 * beginning that is already too far is skipped with all that follows it. An edit is an insertion, a deletion, a
 * replacement, or (when asked) a swap of two neighbours; letters are code points.
 */
import type { TermDictionary } from '../segment/segment-reader.ts';
import { utf8Bytes } from './compile-context.ts';
import { successor } from './multi-term-docs.ts';

export interface FuzzyTerm {
  readonly term: Uint8Array;
  readonly edits: number;
  /** Length in code points. */
  readonly length: number;
}

export interface FuzzyWord {
  readonly word: string;
  readonly maxEdits: number;
  /** Code points at the start that must be equal. */
  readonly prefixLength: number;
  readonly hasTranspositions: boolean;
}

const decoder = new TextDecoder();

/** All terms of the dictionary within `maxEdits`, in byte order. */
export function fuzzyTerms(terms: TermDictionary, fuzzy: FuzzyWord): FuzzyTerm[] {
  const word = [...fuzzy.word];
  const prefix = word.slice(0, fuzzy.prefixLength).join('');
  const table = new EditTable(word, fuzzy.hasTranspositions);
  const found: FuzzyTerm[] = [];
  let ordinal = terms.ceiling(utf8Bytes(prefix));
  while (ordinal < terms.size) {
    const term = terms.term(ordinal);
    const text = decoder.decode(term);
    if (!text.startsWith(prefix)) break;
    const letters = [...text];
    const tooFar = table.read(letters, fuzzy.maxEdits);
    if (tooFar >= 0) {
      const behind = successor(utf8Bytes(letters.slice(0, tooFar + 1).join('')));
      if (behind === null) break;
      ordinal = Math.max(ordinal + 1, terms.ceiling(behind));
      continue;
    }
    const edits = table.distance(letters.length);
    if (edits <= fuzzy.maxEdits) found.push({ term: term.slice(), edits, length: letters.length });
    ordinal++;
  }
  return found;
}

class EditTable {
  private readonly word: readonly string[];
  private readonly hasTranspositions: boolean;
  /** Row i: distances of the first i letters of the current term to every beginning of the word. */
  private readonly rows: number[][];
  private letters: readonly string[] = [];
  /** Rows 0..validRows belong to `letters`. */
  private validRows = 0;

  constructor(word: readonly string[], hasTranspositions: boolean) {
    this.word = word;
    this.hasTranspositions = hasTranspositions;
    this.rows = [Array.from({ length: word.length + 1 }, (_, i) => i)];
  }

  /** Position of the letter after which nothing within `maxEdits` can follow; -1 when there is none. */
  read(letters: readonly string[], maxEdits: number): number {
    let shared = 0;
    while (shared < this.validRows && letters[shared] === this.letters[shared]) shared++;
    this.letters = letters;
    for (let i = shared; i < letters.length; i++) {
      this.validRows = i + 1;
      if (this.addRow(i) > maxEdits) return i;
    }
    this.validRows = letters.length;
    return -1;
  }

  distance(length: number): number {
    return this.rows[length]?.[this.word.length] ?? Number.POSITIVE_INFINITY;
  }

  /** Fills the row behind letter `i`; returns its least distance. */
  private addRow(i: number): number {
    const { word, letters, rows } = this;
    const above = rows[i] ?? [];
    const row = [i + 1];
    let least = i + 1;
    for (let j = 1; j <= word.length; j++) {
      const isEqual = letters[i] === word[j - 1];
      let d = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + (isEqual ? 0 : 1));
      const isSwap =
        this.hasTranspositions && i > 0 && j > 1 && letters[i] === word[j - 2] && letters[i - 1] === word[j - 1];
      if (isSwap) d = Math.min(d, (rows[i - 1]?.[j - 2] ?? 0) + 1);
      row.push(d);
      if (d < least) least = d;
    }
    rows[i + 1] = row;
    // A swap reaches over one row: the row before may still lead to a distance one above its least.
    return this.hasTranspositions ? Math.min(least, leastOf(above) + 1) : least;
  }
}

function leastOf(row: readonly number[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (const d of row) if (d < least) least = d;
  return least;
}
