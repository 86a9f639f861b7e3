/**
 * Declaration of `flattened`: a whole object as one field. Its leaves are values of the field, and of `field.key` by their keys.
 */
import { type DeclaredType, NO_SETTINGS } from '../contract/declared-type.ts';
import { COMMON_PARAMETERS, choice, EAGER_ORDINALS, flag, integer, text } from '../contract/parameter-rule.ts';
import { KEYWORD } from '../keyword/keyword.ts';

const DEPTH_LIMIT_DEFAULT = 20;

export const FLATTENED: DeclaredType = {
  parameters: new Map([
    ...COMMON_PARAMETERS.filter(([name]) => name !== 'store'),
    ['doc_values', flag(true)],
    ['depth_limit', integer(DEPTH_LIMIT_DEFAULT, { min: 0, change: 'always' })],
    ['eager_global_ordinals', EAGER_ORDINALS],
    ['ignore_above', integer(null, { min: 0, change: 'always' })],
    ['index_options', choice('docs', ['docs', 'freqs'])],
    ['null_value', text(null)],
    ['similarity', text(null)],
    ['split_queries_on_whitespace', flag(false, 'always')],
  ]),
  isWhole: (value) => !Array.isArray(value),
  keyKind: 'keyword',
  check: () => {},
  settings: (value) => ({
    ...NO_SETTINGS,
    ...KEYWORD.settings(value),
    depthLimit: Number(value('depth_limit')),
  }),
  storedValue: () => null,
};
