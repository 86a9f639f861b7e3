/**
 * Declaration of `wildcard`: whole values that are mostly searched by patterns.
 */
import type { DeclaredType } from '../contract/declared-type.ts';
import { TEXT_NULL_VALUE } from '../contract/null-value.ts';
import { IMPLIED_INDEX, integer, META } from '../contract/parameter-rule.ts';
import { KEYWORD } from '../keyword/keyword.ts';

export const WILDCARD: DeclaredType = {
  ...KEYWORD,
  parameters: new Map([
    ['meta', META],
    ['null_value', TEXT_NULL_VALUE],
    ['ignore_above', integer(null, { min: 0, change: 'always' })],
  ]),
  implied: IMPLIED_INDEX,
  family: 'keyword',
  check: () => {},
};
