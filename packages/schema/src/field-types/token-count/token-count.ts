/**
 * Declaration of `token_count`: how many words an analyzer finds in a text, as a whole number.
 */
import { mapperParsing } from '../../declaration/mapping-error.ts';
import { type DeclaredType, NO_SETTINGS } from '../contract/declared-type.ts';
import { COMMON_PARAMETERS, flag, text } from '../contract/parameter-rule.ts';

export const TOKEN_COUNT: DeclaredType = {
  family: 'integer',
  // Counts are made when texts are indexed: a text that is read again has none to store or to show.
  parameters: new Map([
    ...COMMON_PARAMETERS.filter(([name]) => name !== 'store'),
    ['doc_values', flag(true)],
    ['analyzer', text(null)],
    ['enable_position_increments', flag(true)],
  ]),
  check: (name, { analyzer }) => {
    if (typeof analyzer === 'string') return;
    throw mapperParsing(`Analyzer must be set for field [${name}] but wasn't.`);
  },
  settings: (value) => ({
    ...NO_SETTINGS,
    analyzer: String(value('analyzer')),
    countsGaps: value('enable_position_increments') === true,
  }),
  storedValue: () => null,
};
