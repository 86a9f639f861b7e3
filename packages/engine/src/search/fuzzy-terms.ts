/**
 * Terms within a few edits of a word: found by an automaton, which leaves out all that is further away, and measured.
 */
import type { TermDictionary } from '../segment/segment-reader.ts';
import type { EditWord } from './automaton/edit-automaton.ts';
import type { LazyDfa } from './automaton/lazy-dfa.ts';
import { matchingTerms, ordinalsOf } from './automaton/matching-terms.ts';

export interface FuzzyTerm {
  readonly term: Uint8Array;
  readonly edits: number;
  /** Length in code points. */
  readonly length: number;
}

const decoder = new TextDecoder();

/** All terms of the dictionary within the word's edits, in byte order. `automaton`: of the same word. */
export function fuzzyTerms(terms: TermDictionary, word: EditWord, automaton: LazyDfa): FuzzyTerm[] {
  const wanted = [...word.word].slice(word.prefixLength);
  const found: FuzzyTerm[] = [];
  for (const ordinal of ordinalsOf(matchingTerms(terms, automaton))) {
    const term = terms.term(ordinal).slice();
    const letters = [...decoder.decode(term)];
    const edits = editDistance(wanted, letters.slice(word.prefixLength), word.hasTranspositions);
    found.push({ term, edits, length: letters.length });
  }
  return found;
}

/** Insertions, deletions, replacements and, when asked, swaps of neighbours that lead from one to the other. */
function editDistance(a: readonly string[], b: readonly string[], hasTranspositions: boolean): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced);
      const isSwap = hasTranspositions && i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) least = Math.min(least, (before[j - 2] ?? 0) + 1);
      row.push(least);
    }
    before = above;
    above = row;
  }
  return above[b.length] ?? 0;
}
