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

/** The same over bytes: an edit may be a part of a letter. */
export interface EditBytes extends Omit<EditWord, 'word'> {
  readonly word: Uint8Array;
}

export function editNfa({ word, ...limits }: EditWord, effort: AutomatonEffort): ByteNfa {
  const to = new ByteNfaBuilder(effort);
  const letters = [...word].map((letter) => letter.codePointAt(0) ?? 0);
  return nfaOf(letters, limits, {
    to,
    unit: (from, letter, next) => to.characters(from, letter, letter, next),
    anyUnit: (from, next) => to.anyCharacter(from, next),
  });
}

/** Edits of bytes; prefixes are counted in bytes too. */
export function byteEditNfa({ word, ...limits }: EditBytes, effort: AutomatonEffort): ByteNfa {
  const to = new ByteNfaBuilder(effort);
  return nfaOf([...word], limits, {
    to,
    unit: (from, byte, next) => to.edge(from, byte, byte, next),
    anyUnit: (from, next) => to.edge(from, 0x00, 0xff, next),
  });
}

/** How an automaton reads one unit of a text. */
interface UnitSteps {
  readonly to: ByteNfaBuilder;
  readonly unit: (from: number, unit: number, next: number) => void;
  readonly anyUnit: (from: number, next: number) => void;
}

function nfaOf(
  letters: readonly number[],
  { maxEdits, prefixLength, hasTranspositions }: Omit<EditWord, 'word'>,
  { to, unit, anyUnit }: UnitSteps,
): ByteNfa {
  assert(maxEdits >= 0, `${maxEdits} edits of ${letters.length} units`);
  const fixed = Math.min(prefixLength, letters.length);
  const length = letters.length;
  /** States by edits and units read. */
  const states = Array.from({ length: maxEdits + 1 }, () => Array.from({ length: length + 1 }, () => to.state()));
  const at = (edits: number, read: number): number => states[edits]?.[read] ?? 0;
  const end = to.state();
  for (let edits = 0; edits <= maxEdits; edits++) {
    to.join(at(edits, length), end);
    for (let read = 0; read <= length; read++) {
      const letter = letters[read];
      if (letter !== undefined) unit(at(edits, read), letter, at(edits, read + 1));
      if (edits === maxEdits || read < fixed) continue;
      anyUnit(at(edits, read), at(edits + 1, read));
      if (letter === undefined) continue;
      anyUnit(at(edits, read), at(edits + 1, read + 1));
      to.join(at(edits, read), at(edits + 1, read + 1));
      const second = letters[read + 1];
      if (second === undefined || !hasTranspositions) continue;
      const between = to.state();
      unit(at(edits, read), second, between);
      unit(between, letter, at(edits + 1, read + 2));
    }
  }
  return to.finish({ start: at(0, 0), end });
}
