/**
 * Declaration of `keyword`: whole values as terms, with a column of ordinals.
 */
import { mapperParsing } from '../../declaration/mapping-error.ts';
import { type DeclaredType, NO_SETTINGS, similarityName } from '../contract/declared-type.ts';
import { TEXT_NULL_VALUE } from '../contract/null-value.ts';
import { COMMON_PARAMETERS, choice, EAGER_ORDINALS, flag, integer, text } from '../contract/parameter-rule.ts';

export const KEYWORD: DeclaredType = {
  parameters: new Map([
    ...COMMON_PARAMETERS,
    ['doc_values', flag(true)],
    ['norms', flag(false, 'toFalse')],
    ['null_value', TEXT_NULL_VALUE],
    ['ignore_above', integer(null, { min: 0, change: 'always' })],
    ['index_options', choice('docs', ['docs', 'freqs'])],
    ['eager_global_ordinals', EAGER_ORDINALS],
    ['split_queries_on_whitespace', flag(false, 'always')],
    ['normalizer', text(null)],
    ['similarity', text(null)],
  ]),
  check: (name, { normalizer, store }) => {
    if (typeof normalizer !== 'string' || (store !== true && store !== 'true')) return;
    // Stored values are read from the source, by nodes that have no normalizers.
    throw mapperParsing(`Field [${name}] cannot be stored: it has a [normalizer]`);
  },
  settings: (value) => {
    const ignoreAbove = value('ignore_above');
    return {
      ...NO_SETTINGS,
      hasNorms: value('norms') === true,
      similarityName: similarityName(value),
      hasFreqs: value('index_options') !== 'docs',
      normalizer: String(value('normalizer') ?? ''),
      splitsQueries: value('split_queries_on_whitespace') === true,
      ignoreAbove: typeof ignoreAbove === 'number' ? ignoreAbove : null,
    };
  },
  storedValue: (value, { ignoreAbove }) => {
    const shown = String(value);
    return ignoreAbove !== null && shown.length > ignoreAbove ? null : shown;
  },
};
