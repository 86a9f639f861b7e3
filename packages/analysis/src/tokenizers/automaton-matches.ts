/**
 * Matches of a regular expression of Lucene in a text: what the tokenizers `simple_pattern` and `simple_pattern_split` cut at.
 *
 * The automaton reads bytes of UTF-8, so that a match always begins and ends between whole code points.
 */
import { ALL_REGEXP_OPERATORS, DEAD, type LazyDfa, REGEXP_STATES_DEFAULT, regexpAutomaton } from '@shoal/automata';
import { illegalArgument } from '@shoal/core';
import type { MatchSpan } from './between-matches.ts';

/** Bytes read for one text: a pattern may read on to the end of the text at each of its characters, and find nothing. */
const STEPS_MAX = 20_000_000;

/** @throws ShoalError for a pattern that is malformed or takes too many states */
export function tokenAutomaton(pattern: string): LazyDfa {
  return regexpAutomaton({
    pattern,
    operators: ALL_REGEXP_OPERATORS,
    ignoresCase: false,
    statesMax: REGEXP_STATES_DEFAULT,
  });
}

/** Matches that are not empty, from left to right, the longest one at each position. @throws ShoalError 400 when reading takes too long */
export function* automatonMatches(dfa: LazyDfa, text: string): Iterable<MatchSpan> {
  const steps = { left: STEPS_MAX };
  for (let at = 0; at < text.length; ) {
    const end = longestMatch(dfa, text, at, steps);
    if (end > at) {
      yield { start: at, end };
      at = end;
    } else at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
}

/** End of the longest match that starts at `start`; `start` when there is none but the empty one. */
function longestMatch(dfa: LazyDfa, text: string, start: number, steps: { left: number }): number {
  let state = dfa.start;
  let end = start;
  for (let at = start; at < text.length; ) {
    const codePoint = text.codePointAt(at) ?? 0;
    state = stepCodePoint(dfa, state, codePoint);
    if (state === DEAD) break;
    if (--steps.left < 0) throw illegalArgument(`pattern reads more than [${STEPS_MAX}] characters of one text`);
    at += codePoint > 0xffff ? 2 : 1;
    if (dfa.isAccepting(state)) end = at;
  }
  return end;
}

function stepCodePoint(dfa: LazyDfa, from: number, codePoint: number): number {
  if (codePoint < 0x80) return dfa.step(from, codePoint);
  let shift = codePoint < 0x800 ? 6 : codePoint < 0x10000 ? 12 : 18;
  const lead = shift === 6 ? 0xc0 : shift === 12 ? 0xe0 : 0xf0;
  let state = dfa.step(from, lead | (codePoint >> shift));
  while (shift > 0 && state !== DEAD) {
    shift -= 6;
    state = dfa.step(state, 0x80 | ((codePoint >> shift) & 0x3f));
  }
  return state;
}
