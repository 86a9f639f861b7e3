/**
 * What the key of an input must look like: begin as one of some texts, begin so within a few edits, or begin as a regular
 * expression says.
 *
 * A match says how much of a fuzzy one is equal from its start on: what such a match is worth.
 */
import { AutomatonEffort, byteEditNfa, DEAD, editAutomaton, LazyDfa, regexpAutomaton } from '@shoal/automata';
import type { FuzzyCompletion, RegexCompletion } from '@shoal/query';
import { utf8Bytes } from '../../match/context/compile-context.ts';

export interface CompletionMatch {
  /** First bytes that every matching key has; the more, the fewer terms are looked at. */
  readonly shared: Uint8Array;
  /**
   * What the key at from..to - 1 is worth: 0 for a plain match, for a fuzzy one the units that are equal from the start on;
   * -1 for no match.
   */
  worth(bytes: Uint8Array, from: number, to: number): number;
}

const NO_BYTES = new Uint8Array(0);

/** Keys that begin as `key` does. */
export function prefixMatch(key: string): CompletionMatch {
  const shared = utf8Bytes(key);
  return { shared, worth: (bytes, from, to) => (startsWith(bytes, from, to, shared) ? 0 : -1) };
}

function startsWith(bytes: Uint8Array, from: number, to: number, start: Uint8Array): boolean {
  if (to - from < start.length) return false;
  for (let i = 0; i < start.length; i++) if (bytes[from + i] !== start[i]) return false;
  return true;
}

/** @throws ShoalError when the expression is malformed, or takes too many states */
export function regexMatch(pattern: string, { operators, statesMax }: RegexCompletion): CompletionMatch {
  const dfa = regexpAutomaton({ pattern, operators, ignoresCase: false, statesMax });
  return { shared: NO_BYTES, worth: (bytes, from, to) => (firstAccepted(dfa, bytes, from, to) < 0 ? -1 : 0) };
}

/** States of the automaton of one text. */
const STATES_MAX = 50_000;

export function fuzzyMatch(key: string, fuzzy: FuzzyCompletion): CompletionMatch {
  const { isUnicodeAware, prefixLength, minLength, maxEdits, hasTranspositions } = fuzzy;
  const bytes = utf8Bytes(key);
  const units = isUnicodeAware ? Array.from(key, (letter) => letter.codePointAt(0) ?? 0) : Array.from(bytes);
  const isExact = units.length <= prefixLength || units.length < minLength;
  const edits = isExact ? 0 : maxEdits;
  const dfa = isUnicodeAware
    ? editAutomaton({ word: key, maxEdits: edits, prefixLength, hasTranspositions })
    : byteAutomaton(bytes, edits, fuzzy);
  const fixed = isExact ? units.length : Math.min(prefixLength, units.length);
  const shared = isUnicodeAware ? utf8Bytes([...key].slice(0, fixed).join('')) : bytes.slice(0, fixed);
  return {
    shared,
    worth: (term, from, to) => {
      const end = firstAccepted(dfa, term, from, to);
      if (end < 0) return -1;
      let equal = 0;
      while (equal < units.length && from + equal < end && term[from + equal] === units[equal]) equal++;
      return equal;
    },
  };
}

function byteAutomaton(
  word: Uint8Array,
  maxEdits: number,
  { prefixLength, hasTranspositions }: FuzzyCompletion,
): LazyDfa {
  const effort = new AutomatonEffort(STATES_MAX);
  return new LazyDfa(byteEditNfa({ word, maxEdits, prefixLength, hasTranspositions }, effort), effort);
}

/** Offset behind the shortest beginning that is accepted; -1 when none is. */
function firstAccepted(dfa: LazyDfa, bytes: Uint8Array, from: number, to: number): number {
  let state = dfa.start;
  for (let at = from; ; at++) {
    if (dfa.isAccepting(state)) return at;
    if (at === to) return -1;
    state = dfa.step(state, bytes[at] as number);
    if (state === DEAD) return -1;
  }
}
