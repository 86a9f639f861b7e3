/**
 * Declaration of `search_as_you_type`: text with fields of its runs of words beside it, so that the end of a query may be unfinished.
 */
import { illegalArgument } from '@shoal/core';
import { mapperParsing } from '../../declaration/mapping-error.ts';
import type { DeclaredType } from '../contract/declared-type.ts';
import type { SideField } from '../contract/gram-shape.ts';
import { integer, withoutEffect } from '../contract/parameter-rule.ts';
import { TEXT } from '../text/text.ts';

const SHINGLE_DEFAULT = 3;
const SHINGLE_MIN = 2;
const SHINGLE_MAX = 4;
/** Longest beginning that is a term, in code points. */
const PREFIX_MAX = 20;

/** Parameters of text fields that these have too. */
const SHARED: ReadonlySet<string> = new Set([
  'index',
  'store',
  'meta',
  'boost',
  'analyzer',
  'search_analyzer',
  'search_quote_analyzer',
  'norms',
  'index_options',
  'similarity',
  'term_vector',
]);

export const SEARCH_AS_YOU_TYPE: DeclaredType = {
  ...TEXT,
  parameters: new Map([
    ...[...TEXT.parameters].filter(([name]) => SHARED.has(name)),
    ['doc_values', withoutEffect(false, ['false'], 'text has no values by document')],
    ['max_shingle_size', integer(SHINGLE_DEFAULT, { min: 0, change: 'never' })],
  ]),
  alwaysPrinted: ['doc_values', 'max_shingle_size'],
  implied: new Map<string, unknown>([
    ['position_increment_gap', 100],
    ['fielddata', false],
  ]),
  check: (_name, { max_shingle_size: size = SHINGLE_DEFAULT }) => {
    if (Number(size) >= SHINGLE_MIN && Number(size) <= SHINGLE_MAX) return;
    const reason = `[max_shingle_size] must be at least [${SHINGLE_MIN}] and at most [${SHINGLE_MAX}], got [${String(size)}]`;
    throw mapperParsing(reason, illegalArgument(reason));
  },
  settings: (value) => ({
    ...TEXT.settings(value),
    prefixLengths: { min: 1, max: PREFIX_MAX },
    sideFields: sideFields(Number(value('max_shingle_size'))),
  }),
};

/** Fields of the runs of two words and more, and of the beginnings of the longest ones. */
function sideFields(longest: number): readonly SideField[] {
  const runs = Array.from({ length: longest - 1 }, (_, i) => i + 2);
  return [
    ...runs.map((words): SideField => ({ name: `_${words}gram`, grams: { words, prefixes: null } })),
    { name: '_index_prefix', grams: { words: longest, prefixes: { min: 1, max: PREFIX_MAX } } },
  ];
}
