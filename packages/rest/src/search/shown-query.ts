/**
 * Queries as Elasticsearch shows them: with the members that they have by default, in its order, short forms written out.
 *
 * Kinds that are not in the table are shown as they were given.
 */

import { isObject } from '@shoal/core';
import { shownFunctionScore, withLanguage } from './shown-function-score.ts';
import { isGeoQuery, shownGeoQuery } from './shown-geo-query.ts';
import { shownIntervals } from './shown-intervals.ts';
import { float, type Json, listed, lower, type MemberRow, shownMembers, TAIL, text, upper } from './shown-members.ts';

const nested = (value: unknown): unknown => (Array.isArray(value) ? value.map(shownQuery) : shownQuery(value));
const nestedList = (value: unknown): unknown => listed(value).map(shownQuery);
const weighted = (value: unknown): unknown =>
  listed(value).map((field) => (typeof field === 'string' ? weightedField(field) : field));

const EXPANSION: readonly MemberRow[] = [['fuzziness'], ['prefix_length', 0], ['max_expansions', 50]];

/** Queries of one field: the member that a short form gives, and all members. */
const FIELD_QUERIES: Readonly<Record<string, readonly MemberRow[]>> = {
  term: [['value'], ['case_insensitive'], ...TAIL],
  span_term: [['value'], ...TAIL],
  prefix: [['value'], ['case_insensitive'], ['rewrite'], ...TAIL],
  wildcard: [['wildcard'], ['case_insensitive'], ['rewrite'], ...TAIL],
  regexp: [
    ['value'],
    ['flags_value', 255],
    ['case_insensitive'],
    ['max_determinized_states', 10_000],
    ['rewrite'],
    ...TAIL,
  ],
  fuzzy: [
    ['value'],
    ['fuzziness', 'AUTO', text],
    ['prefix_length', 0],
    ['max_expansions', 50],
    ['transpositions', true],
    ['rewrite'],
    ...TAIL,
  ],
  match: [
    ['query'],
    ['operator', 'OR', upper],
    ['analyzer'],
    ...EXPANSION,
    ['minimum_should_match', undefined, text],
    ['fuzzy_rewrite'],
    ['fuzzy_transpositions', true],
    ['lenient', false],
    ['zero_terms_query', 'NONE', upper],
    ['auto_generate_synonyms_phrase_query', true],
    ...TAIL,
  ],
  match_phrase: [['query'], ['analyzer'], ['slop', 0], ['zero_terms_query', 'NONE', upper], ...TAIL],
  match_phrase_prefix: [
    ['query'],
    ['analyzer'],
    ['slop', 0],
    ['max_expansions', 50],
    ['zero_terms_query', 'NONE', upper],
    ...TAIL,
  ],
  match_bool_prefix: [
    ['query'],
    ['analyzer'],
    ['operator', 'OR', upper],
    ['minimum_should_match', undefined, text],
    ...EXPANSION,
    ['fuzzy_transpositions', true],
    ['fuzzy_rewrite'],
    ...TAIL,
  ],
  terms_set: [
    ['terms'],
    ['minimum_should_match_field'],
    ['minimum_should_match_script', undefined, withLanguage],
    ...TAIL,
  ],
};

/** Queries whose members stand beside each other. */
const WHOLE_QUERIES: Readonly<Record<string, readonly MemberRow[]>> = {
  match_all: TAIL,
  match_none: TAIL,
  exists: [['field'], ...TAIL],
  ids: [['values', [], listed], ...TAIL],
  constant_score: [['filter', undefined, nested], ...TAIL],
  bool: [
    ['must', undefined, nestedList],
    ['filter', undefined, nestedList],
    ['must_not', undefined, nestedList],
    ['should', undefined, nestedList],
    ['adjust_pure_negative', true],
    ['minimum_should_match', undefined, text],
    ...TAIL,
  ],
  dis_max: [['tie_breaker', 0, float], ['queries', undefined, nestedList], ...TAIL],
  pinned: [['ids'], ['docs'], ['organic', undefined, nested], ...TAIL],
  boosting: [
    ['positive', undefined, nested],
    ['negative', undefined, nested],
    ['negative_boost', undefined, float],
    ...TAIL,
  ],
  script_score: [
    ['query', undefined, nested],
    ['script', undefined, withLanguage],
    ['min_score', undefined, float],
    ...TAIL,
  ],
  more_like_this: [
    ['fields'],
    ['like', undefined, listed],
    ['unlike', undefined, listed],
    ['max_query_terms', 25],
    ['min_term_freq', 2],
    ['min_doc_freq', 5],
    ['max_doc_freq', 2 ** 31 - 1],
    ['min_word_length', 0],
    ['max_word_length', 0],
    ['stop_words'],
    ['analyzer'],
    ['minimum_should_match', '30%', text],
    ['boost_terms', 0, float],
    ['include', false],
    ['fail_on_unsupported_field', true],
    ...TAIL,
  ],
  has_child: [
    ['query', undefined, nested],
    ['type'],
    ['score_mode', 'none'],
    ['min_children', 1],
    ['max_children', 2 ** 31 - 1],
    ['ignore_unmapped', false],
    ['inner_hits'],
    ...TAIL,
  ],
  has_parent: [
    ['query', undefined, nested],
    ['parent_type'],
    ['score', false],
    ['ignore_unmapped', false],
    ['inner_hits'],
    ...TAIL,
  ],
  parent_id: [['type'], ['id'], ['ignore_unmapped', false], ...TAIL],
  span_near: [['clauses', undefined, nestedList], ['slop', 0], ['in_order', true], ...TAIL],
  span_or: [['clauses', undefined, nestedList], ...TAIL],
  span_not: [['include', undefined, nested], ['exclude', undefined, nested], ['pre', 0], ['post', 0], ...TAIL],
  span_first: [['match', undefined, nested], ['end'], ...TAIL],
  span_multi: [['match', undefined, nested], ...TAIL],
  span_containing: [['big', undefined, nested], ['little', undefined, nested], ...TAIL],
  span_within: [['big', undefined, nested], ['little', undefined, nested], ...TAIL],
  span_field_masking: [['query', undefined, nested], ['field'], ...TAIL],
  nested: [
    ['query', undefined, nested],
    ['path'],
    ['ignore_unmapped', false],
    ['score_mode', 'avg'],
    ['inner_hits'],
    ...TAIL,
  ],
  script: [['script', undefined, withLanguage], ...TAIL],
  distance_feature: [['field'], ['origin'], ['pivot'], ...TAIL],
  multi_match: [
    ['query'],
    ['fields', [], weighted],
    ['type', 'best_fields', lower],
    ['operator', 'OR', upper],
    ['analyzer'],
    ['slop', 0],
    ...EXPANSION,
    ['minimum_should_match', undefined, text],
    ['fuzzy_rewrite'],
    ['tie_breaker', undefined, float],
    ['lenient'],
    ['zero_terms_query', 'NONE', upper],
    ['auto_generate_synonyms_phrase_query', true],
    ['fuzzy_transpositions', true],
    ...TAIL,
  ],
  simple_query_string: [
    ['query'],
    ['fields', undefined, weighted],
    ['analyzer'],
    ['flags', -1],
    ['default_operator', 'or', lower],
    ['lenient'],
    ['analyze_wildcard', false],
    ['quote_field_suffix'],
    ['minimum_should_match', undefined, text],
    ['auto_generate_synonyms_phrase_query', true],
    ['fuzzy_prefix_length', 0],
    ['fuzzy_max_expansions', 50],
    ['fuzzy_transpositions', true],
    ...TAIL,
  ],
  query_string: [
    ['query'],
    ['default_field'],
    ['fields', [], weighted],
    ['type', 'best_fields', lower],
    ['tie_breaker', undefined, float],
    ['default_operator', 'or', lower],
    ['analyzer'],
    ['quote_analyzer'],
    ['allow_leading_wildcard'],
    ['max_determinized_states', 10_000],
    ['enable_position_increments', true],
    ['fuzziness', 'AUTO', text],
    ['fuzzy_prefix_length', 0],
    ['fuzzy_max_expansions', 50],
    ['fuzzy_rewrite'],
    ['phrase_slop', 0],
    ['analyze_wildcard'],
    ['rewrite'],
    ['minimum_should_match', undefined, text],
    ['quote_field_suffix'],
    ['lenient'],
    ['time_zone'],
    ['escape', false],
    ['auto_generate_synonyms_phrase_query', true],
    ['fuzzy_transpositions', true],
    ...TAIL,
  ],
};

/** One query; what is none is shown as it is. */
export function shownQuery(query: unknown): unknown {
  if (!isObject(query)) return query;
  const [entry] = Object.entries(query);
  if (entry === undefined) return query;
  const [kind, body] = entry;
  if (!isObject(body)) return query;
  if (kind === 'range') return { range: onField(body, shownRange) };
  if (kind === 'function_score') return { function_score: shownFunctionScore(body, shownQuery) };
  if (kind === 'rank_feature') return { rank_feature: shownFeature(body) };
  if (kind === 'percolate') return { percolate: shownPercolate(body) };
  if (kind === 'common') return { common: onField(body, shownCommon) };
  if (kind === 'intervals') return { intervals: onField(body, shownIntervals) };
  if (kind === 'field_masking_span') return shownQuery({ span_field_masking: body });
  if (isGeoQuery(kind)) return { [kind]: shownGeoQuery(kind, body) };
  if (kind === 'terms') return { terms: shownTerms(body) };
  const fieldRows = FIELD_QUERIES[kind];
  if (fieldRows !== undefined)
    return { [kind]: onField(body, (value) => shownMembers(longForm(value, fieldRows), fieldRows)) };
  const rows = WHOLE_QUERIES[kind];
  return rows === undefined ? query : { [kind]: shownMembers(body, rows) };
}

function onField(body: Json, show: (value: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(body).map(([field, value]) => [field, show(value)]));
}

/** `{a: "x"}` is `{a: {value: "x"}}`. */
function longForm(value: unknown, [first]: readonly MemberRow[]): Json {
  if (isObject(value)) return value;
  return first === undefined ? {} : { [first[0]]: value };
}

/** A feature without a shape is saturated. */
function shownFeature({ field, saturation, log, sigmoid, ...others }: Json): Json {
  const doubles = (shape: Json): Json => onField(shape, float);
  const shape = isObject(log) ? { log: doubles(log) } : isObject(sigmoid) ? { sigmoid: doubles(sigmoid) } : null;
  const saturated = { saturation: isObject(saturation) ? doubles(saturation) : {} };
  return shownMembers({ field, ...(shape ?? saturated), ...others }, [
    ['field'],
    ['saturation'],
    ['log'],
    ['sigmoid'],
    ...TAIL,
  ]);
}

/** One document is a list of one. */
function shownPercolate({ document, documents, ...others }: Json): Json {
  const given = document === undefined ? documents : [document];
  return shownMembers({ ...others, documents: given }, [['field'], ['name'], ['documents'], ...TAIL]);
}

const COMMON_ROWS: readonly MemberRow[] = [
  ['query'],
  ['high_freq_operator', 'OR', upper],
  ['low_freq_operator', 'OR', upper],
  ['analyzer'],
  ['cutoff_frequency', 0.01, float],
  ['minimum_should_match', undefined, (value) => (isObject(value) ? onField(value, text) : { low_freq: text(value) })],
  ...TAIL,
];

function shownCommon(value: unknown): unknown {
  return shownMembers(longForm(value, COMMON_ROWS), COMMON_ROWS);
}

function shownRange(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { gte, gt, lte, lt, from, to, include_lower, include_upper, relation, boost, _name, ...others } = value;
  return {
    from: gte ?? gt ?? from ?? null,
    to: lte ?? lt ?? to ?? null,
    include_lower: gt === undefined ? (include_lower ?? true) : false,
    include_upper: lt === undefined ? (include_upper ?? true) : false,
    ...(others.time_zone === undefined ? {} : { time_zone: others.time_zone }),
    ...(others.format === undefined ? {} : { format: others.format }),
    ...(relation === undefined ? {} : { relation: upper(relation) }),
    boost: float(boost ?? 1),
    ...(_name === undefined ? {} : { _name }),
  };
}

function shownTerms({ boost = 1, _name, ...fields }: Json): Json {
  return { ...fields, boost: float(boost), ...(_name === undefined ? {} : { _name }) };
}

function weightedField(field: string): string {
  const [name = '', weight] = field.split('^');
  const boost = Number(weight ?? 1);
  return `${name}^${Number.isInteger(boost) ? boost.toFixed(1) : boost}`;
}
