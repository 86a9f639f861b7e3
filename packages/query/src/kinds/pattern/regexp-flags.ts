/**
 * `flags` of regular expressions: which operators they may use beyond the usual ones.
 */
import { ALL_REGEXP_OPERATORS, type RegexpOperators } from '@shoal/automata';
import { illegalArgument, type ValueReader } from '@shoal/core';

export function readRegexpOperators(r: ValueReader): RegexpOperators {
  return {
    complement: r.boolean('complement'),
    intersection: r.boolean('intersection'),
    empty: r.boolean('empty'),
    anyText: r.boolean('anyText'),
    interval: r.boolean('interval'),
  };
}

const NO_REGEXP_OPERATORS: RegexpOperators = {
  complement: false,
  intersection: false,
  empty: false,
  anyText: false,
  interval: false,
};

/** `ALL`, `NONE`, or names with `|` between them. */
export function parseRegexpFlags(text: string): RegexpOperators {
  const operators = { ...NO_REGEXP_OPERATORS };
  for (const flag of text.split('|')) {
    switch (flag.trim().toUpperCase()) {
      case 'ALL':
        return ALL_REGEXP_OPERATORS;
      case 'NONE':
      case '':
        break;
      case 'COMPLEMENT':
        operators.complement = true;
        break;
      case 'INTERSECTION':
        operators.intersection = true;
        break;
      case 'EMPTY':
        operators.empty = true;
        break;
      case 'ANYSTRING':
        operators.anyText = true;
        break;
      case 'INTERVAL':
        operators.interval = true;
        break;
      default:
        throw illegalArgument(`Unknown regexp flag [${flag}]`);
    }
  }
  return operators;
}

/** `flags_value`: the same as bits. */
export function regexpOperatorsOfBits(bits: number): RegexpOperators {
  return {
    intersection: (bits & 1) !== 0,
    complement: (bits & 2) !== 0,
    empty: (bits & 4) !== 0,
    anyText: (bits & 8) !== 0,
    interval: (bits & 32) !== 0,
  };
}
