/**
 * `flags` of simple_query_string: which of its operators are operators, and not letters of words.
 */
import { illegalArgument, type ValueReader } from '@shoal/core';

/** Names of `flags` in lower case, with the bit that stands for each where `flags` is a number. */
const OPERATOR_BITS = {
  and: 1,
  not: 2,
  or: 4,
  prefix: 8,
  phrase: 16,
  precedence: 32,
  escape: 64,
  whitespace: 128,
  fuzzy: 256,
  near: 512,
} as const;

type SimpleOperator = keyof typeof OPERATOR_BITS;
const OPERATOR_NAMES = Object.keys(OPERATOR_BITS) as readonly SimpleOperator[];

export type SimpleOperators = Readonly<Record<SimpleOperator, boolean>>;

export function readSimpleOperators(r: ValueReader): SimpleOperators {
  return each((name) => r.boolean(name));
}

/** `ALL`, `NONE`, or names with `|` between them; nothing stands for all. */
export function parseSimpleOperators(flags: string): SimpleOperators {
  if (flags === '') return simpleOperatorsOfBits(-1);
  let bits = 0;
  for (const flag of flags.split('|')) {
    const name = flag.toLowerCase();
    if (name === 'none') return simpleOperatorsOfBits(0);
    if (name === 'all') return simpleOperatorsOfBits(-1);
    const operator = OPERATOR_NAMES.find((known) => known === (name === 'slop' ? 'near' : name));
    if (operator !== undefined) bits |= OPERATOR_BITS[operator];
    else if (name !== '') throw illegalArgument(`Unknown simple_query_string flag [${flag}]`);
  }
  return simpleOperatorsOfBits(bits);
}

/** A negative number stands for all. */
export function simpleOperatorsOfBits(bits: number): SimpleOperators {
  return each((name) => bits < 0 || (bits & OPERATOR_BITS[name]) !== 0);
}

function each(isOn: (name: SimpleOperator) => boolean): SimpleOperators {
  return {
    and: isOn('and'),
    not: isOn('not'),
    or: isOn('or'),
    prefix: isOn('prefix'),
    phrase: isOn('phrase'),
    precedence: isOn('precedence'),
    escape: isOn('escape'),
    whitespace: isOn('whitespace'),
    fuzzy: isOn('fuzzy'),
    near: isOn('near'),
  };
}
