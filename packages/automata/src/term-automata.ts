/**
 * Automata of the patterns that queries are written in.
 */
import { illegalArgument } from '@shoal/core';
import { AutomatonEffort } from './automaton-effort.ts';
import { expressionNfa } from './compile-expression.ts';
import { type EditWord, editNfa } from './edit-automaton.ts';
import { LazyDfa } from './lazy-dfa.ts';
import { type Expression, parseRegexp, type RegexpOperators } from './regexp-syntax.ts';

/** Default `max_determinized_states`: states that a regular expression may take. */
export const REGEXP_STATES_DEFAULT = 10_000;

/** States of an automaton, made only as far as terms lead into it. */
const LAZY_STATES_MAX = 50_000;
/** Whatever a request allows. */
const DETERMINIZED_STATES_MAX = 10_000;
/** Bytes take more states than characters do. */
const STATES_PER_CHARACTER = 4;

export interface RegexpPattern {
  readonly pattern: string;
  readonly operators: RegexpOperators;
  readonly ignoresCase: boolean;
  /** States that it may take, in characters. */
  readonly statesMax: number;
}

/** @throws ShoalError when the pattern is malformed or takes too many states */
export function regexpAutomaton({ pattern, operators, ignoresCase, statesMax }: RegexpPattern): LazyDfa {
  if (statesMax < 0) throw illegalArgument(`max_determinized_states must not be negative, found [${statesMax}]`);
  const limit = Math.min(statesMax, DETERMINIZED_STATES_MAX) * STATES_PER_CHARACTER + STATES_PER_CHARACTER;
  const expression = parseRegexp(pattern, operators);
  const effort = new AutomatonEffort(limit, Math.min(statesMax, DETERMINIZED_STATES_MAX));
  const dfa = new LazyDfa(expressionNfa(expression, { ignoresCase, effort }), effort);
  dfa.exploreAll();
  return dfa;
}

/** `*` any text, `?` one character, `\` takes the next one as it is. */
export function wildcardAutomaton(pattern: string, ignoresCase: boolean): LazyDfa {
  const parts: Expression[] = [];
  const characters = [...pattern];
  for (let i = 0; i < characters.length; i++) {
    const c = characters[i] ?? '';
    if (c === '*') parts.push({ kind: 'anyText' });
    else if (c === '?') parts.push({ kind: 'anyCharacter' });
    else if (c === '\\' && i + 1 < characters.length) parts.push({ kind: 'text', text: characters[++i] ?? '' });
    else parts.push({ kind: 'text', text: c });
  }
  return lazy({ kind: 'concatenation', parts }, ignoresCase);
}

export function prefixAutomaton(prefix: string, ignoresCase: boolean): LazyDfa {
  return lazy({ kind: 'concatenation', parts: [{ kind: 'text', text: prefix }, { kind: 'anyText' }] }, ignoresCase);
}

export function editAutomaton(word: EditWord): LazyDfa {
  const effort = new AutomatonEffort(LAZY_STATES_MAX);
  return new LazyDfa(editNfa(word, effort), effort);
}

function lazy(expression: Expression, ignoresCase: boolean): LazyDfa {
  const effort = new AutomatonEffort(LAZY_STATES_MAX);
  return new LazyDfa(expressionNfa(expression, { ignoresCase, effort }), effort);
}
