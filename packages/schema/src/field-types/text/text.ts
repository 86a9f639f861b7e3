/**
 * Declaration of `text`: analyzed words with frequencies and positions, without a column.
 */
import { type DeclaredType, NO_SETTINGS, similarityName } from '../contract/declared-type.ts';
import { COMMON_PARAMETERS, choice, EAGER_ORDINALS, flag, integer, text } from '../contract/parameter-rule.ts';

/** Stored in no segment: they say which highlighters may be used, and how long a text may be for them. */
const TERM_VECTORS = [
  'no',
  'yes',
  'with_offsets',
  'with_positions',
  'with_positions_offsets',
  'with_positions_payloads',
  'with_positions_offsets_payloads',
];

export const TEXT: DeclaredType = {
  parameters: new Map([
    ...COMMON_PARAMETERS,
    ['analyzer', text('default')],
    ['search_analyzer', text(null, 'always')],
    ['search_quote_analyzer', text(null, 'always')],
    ['norms', flag(true, 'toFalse')],
    ['index_options', choice('positions', ['docs', 'freqs', 'positions', 'offsets'])],
    ['position_increment_gap', integer(100, { min: 0, change: 'never' })],
    ['eager_global_ordinals', EAGER_ORDINALS],
    ['similarity', text(null)],
    ['term_vector', choice('no', TERM_VECTORS)],
    ['fielddata', choice('false', ['false'])],
    ['index_phrases', choice('false', ['false'])],
  ]),
  check: () => {},
  settings: (value) => {
    const indexOptions = String(value('index_options'));
    const analyzer = String(value('analyzer'));
    return {
      ...NO_SETTINGS,
      hasNorms: value('norms') === true,
      similarityName: similarityName(value),
      hasFreqs: indexOptions !== 'docs',
      hasPositions: indexOptions === 'positions' || indexOptions === 'offsets',
      analyzer,
      searchAnalyzer: String(value('search_analyzer') ?? analyzer),
      searchQuoteAnalyzer: String(value('search_quote_analyzer') ?? value('search_analyzer') ?? analyzer),
      positionIncrementGap: Number(value('position_increment_gap')),
    };
  },
  storedValue: (value) => String(value),
};
