/**
 * Texts within a few edits of a word, as an automaton: a state is how much of the word is read, after how many edits.
 *
 * An edit is an insertion, a deletion, a replacement or, when asked, a swap of two neighbours; letters are code points.
 *
 * @see Schulz & Mihov, "Fast String Correction with Levenshtein Automata" (2002)
 */
import { assert } from '@shoal/core';
import type { AutomatonEffort } from './automaton-effort.ts';
import { type ByteNfa, ByteNfaBuilder } from './byte-nfa.ts';

export interface EditWord {
  readonly word: string;
  readonly maxEdits: number;
  /** Code points at the start that must be equal. */
  readonly prefixLength: number;
  readonly hasTranspositions: boolean;
}

export function editNfa(
  { word, maxEdits, prefixLength, hasTranspositions }: EditWord,
  effort: AutomatonEffort,
): ByteNfa {
  assert(maxEdits >= 0, `${maxEdits} edits of [${word}]`);
  const to = new ByteNfaBuilder(effort);
  const letters = [...word].map((letter) => letter.codePointAt(0) ?? 0);
  const fixed = Math.min(prefixLength, letters.length);
  const length = letters.length;
  /** States by edits and letters read. */
  const states = Array.from({ length: maxEdits + 1 }, () => Array.from({ length: length + 1 }, () => to.state()));
  const at = (edits: number, read: number): number => states[edits]?.[read] ?? 0;
  const end = to.state();
  for (let edits = 0; edits <= maxEdits; edits++) {
    to.join(at(edits, length), end);
    for (let read = 0; read <= length; read++) {
      const letter = letters[read];
      if (letter !== undefined) to.characters(at(edits, read), letter, letter, at(edits, read + 1));
      if (edits === maxEdits || read < fixed) continue;
      to.anyCharacter(at(edits, read), at(edits + 1, read));
      if (letter === undefined) continue;
      to.anyCharacter(at(edits, read), at(edits + 1, read + 1));
      to.join(at(edits, read), at(edits + 1, read + 1));
      const second = letters[read + 1];
      if (second === undefined || !hasTranspositions) continue;
      const between = to.state();
      to.characters(at(edits, read), second, second, between);
      to.characters(between, letter, letter, at(edits + 1, read + 2));
    }
  }
  return to.finish({ start: at(0, 0), end });
}
