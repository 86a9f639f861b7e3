/**
 * Declaration of `text`: analyzed words with frequencies and positions, and no column but the one that `fielddata` makes of them.
 */
import { illegalArgument } from '@shoal/core';
import { asObject } from '../../declaration/json-object.ts';
import { mapperParsing } from '../../declaration/mapping-error.ts';
import { type DeclaredType, type FrequencyFilter, NO_SETTINGS, similarityName } from '../contract/declared-type.ts';
import {
  COMMON_PARAMETERS,
  choice,
  EAGER_ORDINALS,
  flag,
  integer,
  type NumberMember,
  numbers,
  text,
} from '../contract/parameter-rule.ts';

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

const COUNT_MAX = 2 ** 31 - 1;

const FREQUENCY_FILTER: readonly (readonly [string, NumberMember])[] = [
  ['min', { isWhole: false, otherwise: 0, isHiddenDefault: false }],
  ['max', { isWhole: false, otherwise: COUNT_MAX, isHiddenDefault: false }],
  ['min_segment_size', { isWhole: true, otherwise: 0, isHiddenDefault: false }],
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
    ['fielddata', flag(false, 'always')],
    ['fielddata_frequency_filter', numbers(FREQUENCY_FILTER, 'always')],
    ['index_phrases', choice('false', ['false'])],
  ]),
  check: (name, { index, fielddata }) => {
    if (!isOn(fielddata) || index === undefined || isOn(index)) return;
    const reason = `Cannot enable fielddata on a [text] field that is not indexed: [${name}]`;
    throw mapperParsing(reason, illegalArgument(reason));
  },
  settings: (value) => {
    const indexOptions = String(value('index_options'));
    const analyzer = String(value('analyzer'));
    const filter = frequencyFilter(value('fielddata_frequency_filter'));
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
      fielddata: value('fielddata') === true ? filter : null,
    };
  },
  storedValue: (value) => String(value),
};

function isOn(value: unknown): boolean {
  return value === true || value === 'true';
}

function frequencyFilter(declared: unknown): FrequencyFilter {
  const { min = 0, max = COUNT_MAX, min_segment_size: minSegmentSize = 0 } = asObject(declared) ?? {};
  return { min: Number(min), max: Number(max), minSegmentSize: Number(minSegmentSize) };
}
