/**
 * Queries as Elasticsearch shows them: with the members that they have by default, in its order, short forms written out.
 *
 * Kinds that are not in the table are shown as they were given.
 */
import { FloatNumber } from '@shoal/core';

type Json = Readonly<Record<string, unknown>>;

/** A member of a shown query: without a default it is shown only when it was given. */
type MemberRow = readonly [name: string, fallback?: unknown, show?: (value: unknown) => unknown];

const float = (value: unknown): unknown => (typeof value === 'number' ? new FloatNumber(value) : value);
const upper = (value: unknown): unknown => (typeof value === 'string' ? value.toUpperCase() : value);
const lower = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);
const text = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value);
const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);
const nested = (value: unknown): unknown => (Array.isArray(value) ? value.map(shownQuery) : shownQuery(value));
const nestedList = (value: unknown): unknown => listed(value).map(shownQuery);
const weighted = (value: unknown): unknown =>
  listed(value).map((field) => (typeof field === 'string' ? weightedField(field) : field));
const scriptOf = (value: unknown): unknown =>
  typeof value === 'string' ? { source: value, lang: 'painless' } : isObject(value) ? withLanguage(value) : value;

const TAIL: readonly MemberRow[] = [['boost', 1, float], ['_name']];
const EXPANSION: readonly MemberRow[] = [['fuzziness'], ['prefix_length', 0], ['max_expansions', 50]];

/** Queries of one field: the member that a short form gives, and all members. */
const FIELD_QUERIES: Readonly<Record<string, readonly MemberRow[]>> = {
  term: [['value'], ['case_insensitive'], ...TAIL],
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
  terms_set: [['terms'], ['minimum_should_match_field'], ['minimum_should_match_script', undefined, scriptOf], ...TAIL],
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
  pinned: [['ids'], ['organic', undefined, nested], ...TAIL],
  boosting: [
    ['positive', undefined, nested],
    ['negative', undefined, nested],
    ['negative_boost', undefined, float],
    ...TAIL,
  ],
  nested: [
    ['query', undefined, nested],
    ['path'],
    ['ignore_unmapped', false],
    ['score_mode', 'avg'],
    ['inner_hits'],
    ...TAIL,
  ],
  script: [['script', undefined, scriptOf], ...TAIL],
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

/** Other names of members, by the name that is shown. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  wildcard: ['value'],
  value: ['term'],
};

/** One query; what is none is shown as it is. */
export function shownQuery(query: unknown): unknown {
  if (!isObject(query)) return query;
  const [entry] = Object.entries(query);
  if (entry === undefined) return query;
  const [kind, body] = entry;
  if (!isObject(body)) return query;
  if (kind === 'range') return { range: onField(body, shownRange) };
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

function shownMembers(given: Json, rows: readonly MemberRow[]): Json {
  const shown: [string, unknown][] = [];
  const names = new Set<string>();
  for (const [name, fallback, show = (value: unknown) => value] of rows) {
    const found = [name, ...(ALIASES[name] ?? [])].find((candidate) => given[candidate] !== undefined);
    names.add(name).add(found ?? name);
    const value = found === undefined ? fallback : given[found];
    if (value !== undefined && !(name === 'case_insensitive' && value === false)) shown.push([name, show(value)]);
  }
  // Members that the table does not know are shown as they are: none is left out.
  return Object.fromEntries([...shown, ...Object.entries(given).filter(([name]) => !names.has(name))]);
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

function withLanguage(script: Json): Json {
  return script.id === undefined && script.lang === undefined ? { ...script, lang: 'painless' } : script;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
