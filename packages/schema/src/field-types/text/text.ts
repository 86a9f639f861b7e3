/**
 * Declaration of `text`: analyzed words with frequencies and positions, and no column but the one that `fielddata` makes of them.
 */
import { illegalArgument, type ShoalError } from '@shoal/core';
import { asObject } from '../../declaration/json-object.ts';
import { mapperParsing } from '../../declaration/mapping-error.ts';
import {
  type DeclaredType,
  type FrequencyFilter,
  NO_SETTINGS,
  type PrefixLengths,
  similarityName,
  type TermVectorParts,
} from '../contract/declared-type.ts';
import type { SideField } from '../contract/gram-shape.ts';
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

/** Stored in no segment: they say what the term vectors of documents show, and which highlighters may be used for how long a text. */
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

const PREFIXES: readonly (readonly [string, NumberMember])[] = [
  ['min_chars', { isWhole: true, otherwise: 2, isHiddenDefault: false }],
  ['max_chars', { isWhole: true, otherwise: 5, isHiddenDefault: false }],
];
/** Field of the pairs of words. */
const PAIRS: SideField = { name: '_index_phrase', grams: { words: 2, prefixes: null } };
/** Longest beginning that may be indexed, in characters; not itself allowed. */
const PREFIX_CHARS_END = 20;

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
    ['index_phrases', flag(false)],
    ['index_prefixes', numbers(PREFIXES)],
  ]),
  check: (name, json) => {
    const { fielddata, index, index_phrases: phrases, index_prefixes: prefixes, index_options: options } = json;
    const isIndexed = index === undefined || isOn(index);
    if (isOn(fielddata) && !isIndexed) {
      throw refused(`Cannot enable fielddata on a [text] field that is not indexed: [${name}]`);
    }
    if (isOn(phrases)) {
      if (!isIndexed) throw refused(`Cannot set index_phrases on unindexed field [${name}]`);
      if (options === 'docs' || options === 'freqs') {
        throw refused(`Cannot set index_phrases on field [${name}] if positions are not enabled`);
      }
    }
    const lengths = asObject(prefixes);
    if (lengths === null) return;
    checkPrefixes(Number(lengths.min_chars ?? 2), Number(lengths.max_chars ?? 5));
    if (!isIndexed) throw refused(`Cannot set index_prefixes on unindexed field [${name}]`);
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
      sideFields: value('index_phrases') === true ? [PAIRS] : [],
      termVector: termVectorParts(String(value('term_vector'))),
      hasIndexedPrefixes: asObject(value('index_prefixes')) !== null,
      prefixLengths: prefixLengths(asObject(value('index_prefixes'))),
    };
  },
  storedValue: (value) => String(value),
};

function prefixLengths(declared: Readonly<Record<string, unknown>> | null): PrefixLengths | null {
  if (declared === null) return null;
  return { min: Number(declared.min_chars ?? 2), max: Number(declared.max_chars ?? 5) };
}

function termVectorParts(declared: string): TermVectorParts | null {
  if (declared === 'no') return null;
  const has = (part: string): boolean => declared.split('_').includes(part);
  return { hasPositions: has('positions'), hasOffsets: has('offsets'), hasPayloads: has('payloads') };
}

function checkPrefixes(min: number, max: number): void {
  if (min > max) throw refused(`min_chars [${min}] must be less than max_chars [${max}]`);
  if (min < 1) throw refused(`min_chars [${min}] must be greater than zero`);
  if (max >= PREFIX_CHARS_END) throw refused(`max_chars [${max}] must be less than ${PREFIX_CHARS_END}`);
}

function refused(reason: string): ShoalError {
  return mapperParsing(reason, illegalArgument(reason));
}

function isOn(value: unknown): boolean {
  return value === true || value === 'true';
}

function frequencyFilter(declared: unknown): FrequencyFilter {
  const { min = 0, max = COUNT_MAX, min_segment_size: minSegmentSize = 0 } = asObject(declared) ?? {};
  return { min: Number(min), max: Number(max), minSegmentSize: Number(minSegmentSize) };
}
