/**
 * Queries whose text is analysed: match and its kin, multi_match, query_string.
 */
import { illegalArgument, type JsonMember, type JsonNode, parsingException } from '@shoal/core';
import { REGEXP_STATES_DEFAULT } from './members/regexp-flags.ts';
import {
  readBoolean,
  readInteger,
  readMinimumShouldMatch,
  readNumber,
  readObject,
  readScalar,
  readString,
  readStrings,
  unsupported,
} from './members/request-values.ts';
import { readFieldMember } from './parse-term-level-query.ts';
import type {
  BoostedField,
  FullTextOptions,
  MatchPhraseQuery,
  MatchQuery,
  MultiMatchQuery,
  MultiMatchType,
  Operator,
  Query,
  QueryStringQuery,
  QueryValue,
} from './query-tree.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Defaults of match and multi_match. */
function fullTextDefaults(): Mutable<FullTextOptions> {
  return {
    operator: 'or',
    minimumShouldMatch: null,
    analyzer: null,
    fuzziness: null,
    fuzzyRewrite: null,
    prefixLength: 0,
    maxExpansions: 50,
    hasTranspositions: true,
    isLenient: false,
    zeroTerms: 'none',
  };
}

/** Reads a member that all full text queries know; false when it is none. */
function readFullTextOption(options: Mutable<FullTextOptions>, member: JsonMember): boolean {
  const { name, value } = member;
  switch (name) {
    case 'operator':
      options.operator = parseOperator(readString(value, name));
      return true;
    case 'minimum_should_match':
      options.minimumShouldMatch = readMinimumShouldMatch(value);
      return true;
    case 'analyzer':
      options.analyzer = readString(value, name);
      return true;
    case 'fuzziness':
      options.fuzziness = readString(value, name);
      return true;
    case 'prefix_length':
      options.prefixLength = readInteger(value, name);
      return true;
    case 'max_expansions':
      options.maxExpansions = readInteger(value, name);
      return true;
    case 'fuzzy_transpositions':
      options.hasTranspositions = readBoolean(value, name);
      return true;
    case 'lenient':
      options.isLenient = readBoolean(value, name);
      return true;
    case 'zero_terms_query':
      options.zeroTerms = parseZeroTerms(readString(value, name), value);
      return true;
    case 'fuzzy_rewrite':
      options.fuzzyRewrite = readString(value, name);
      return true;
    // Whether phrases of synonyms are made: nothing here depends on it.
    case 'auto_generate_synonyms_phrase_query':
    case 'cutoff_frequency':
      return true;
    default:
      return false;
  }
}

export function parseOperator(text: string): Operator {
  const lower = text.toLowerCase();
  if (lower === 'or' || lower === 'and') return lower;
  throw illegalArgument(`operator needs to be either OR or AND, but not [${text}]`);
}

function parseZeroTerms(text: string, node: JsonNode): 'none' | 'all' {
  const lower = text.toLowerCase();
  if (lower === 'none' || lower === 'all') return lower;
  throw parsingException(`Unsupported zero_terms_query value [${text}]`, node.at);
}

export function parseMatch(node: JsonNode, query: string): MatchQuery {
  const { field, value: given, boost: outerBoost, name: outerName } = readFieldMember(node, query);
  const options = fullTextDefaults();
  let value: QueryValue = null;
  let boost = outerBoost;
  let name = outerName;
  if (given.kind !== 'object') value = readScalar(given, query);
  else {
    for (const member of given.members) {
      if (member.name === 'query') value = readScalar(member.value, query);
      else if (member.name === 'boost') boost = readNumber(member.value, 'boost');
      else if (member.name === '_name') name = readString(member.value, '_name');
      else if (!readFullTextOption(options, member)) throw unsupported(query, member);
    }
  }
  if (value === null) throw parsingException('No text specified for text query', node.at);
  return { kind: query === 'match' ? 'match' : 'matchBoolPrefix', field, value, ...options, boost, name };
}

export function parseMatchPhrase(node: JsonNode, query: string): MatchPhraseQuery {
  const { field, value: given, boost: outerBoost, name: outerName } = readFieldMember(node, query);
  let value: QueryValue = null;
  let boost = outerBoost;
  let name = outerName;
  let slop = 0;
  let analyzer: string | null = null;
  let zeroTerms: 'none' | 'all' = 'none';
  let maxExpansions = 50;
  if (given.kind !== 'object') value = readScalar(given, query);
  else {
    for (const member of given.members) {
      if (member.name === 'query') value = readScalar(member.value, query);
      else if (member.name === 'slop') slop = readSlop(member.value);
      else if (member.name === 'analyzer') analyzer = readString(member.value, 'analyzer');
      else if (member.name === 'zero_terms_query') {
        zeroTerms = parseZeroTerms(readString(member.value, member.name), member.value);
      } else if (member.name === 'max_expansions' && query === 'match_phrase_prefix') {
        maxExpansions = readInteger(member.value, member.name);
      } else if (member.name === 'boost') boost = readNumber(member.value, 'boost');
      else if (member.name === '_name') name = readString(member.value, '_name');
      else throw unsupported(query, member);
    }
  }
  if (value === null) throw parsingException('No text specified for text query', node.at);
  const kind = query === 'match_phrase' ? 'matchPhrase' : 'matchPhrasePrefix';
  return { kind, field, value, slop, analyzer, zeroTerms, maxExpansions, boost, name };
}

function readSlop(node: JsonNode): number {
  const slop = readInteger(node, 'slop');
  if (slop < 0) throw illegalArgument('No negative slop allowed.');
  return slop;
}

const MULTI_MATCH_TYPES: ReadonlyMap<string, MultiMatchType> = new Map<string, MultiMatchType>([
  ['best_fields', 'best_fields'],
  ['boolean', 'best_fields'],
  ['most_fields', 'most_fields'],
  ['cross_fields', 'cross_fields'],
  ['phrase', 'phrase'],
  ['phrase_prefix', 'phrase_prefix'],
  ['bool_prefix', 'bool_prefix'],
]);

function readMultiMatchType(node: JsonNode): MultiMatchType {
  const text = readString(node, 'type');
  const type = MULTI_MATCH_TYPES.get(text.toLowerCase());
  if (type) return type;
  throw parsingException(`failed to parse [multi_match] query type [${text}]. unknown type.`, node.at);
}

/** `name`, `name^3`, `title*^2`. */
function parseBoostedField(text: string): BoostedField {
  const caret = text.lastIndexOf('^');
  if (caret < 0) return { pattern: text, boost: 1 };
  const boost = Number(text.slice(caret + 1));
  if (caret === text.length - 1 || Number.isNaN(boost)) {
    throw illegalArgument(`For input string: "${text.slice(caret + 1)}"`);
  }
  return { pattern: text.slice(0, caret), boost };
}

export function parseMultiMatch(node: JsonNode, query: string): Query {
  const options = fullTextDefaults();
  const rest = {
    value: null as QueryValue,
    fields: [] as readonly BoostedField[],
    type: 'best_fields' as MultiMatchType,
    tieBreaker: null as number | null,
    slop: 0,
    boost: 1,
    name: null as string | null,
  };
  const { members } = readObject(node, query);
  for (const member of members) {
    if (member.name === 'query') rest.value = readScalar(member.value, query);
    else if (member.name === 'fields') rest.fields = readStrings(member.value, 'fields').map(parseBoostedField);
    else if (member.name === 'type') rest.type = readMultiMatchType(member.value);
    else if (member.name === 'tie_breaker') rest.tieBreaker = readNumber(member.value, member.name);
    else if (member.name === 'slop') rest.slop = readSlop(member.value);
    else if (member.name === 'boost') rest.boost = readNumber(member.value, 'boost');
    else if (member.name === '_name') rest.name = readString(member.value, '_name');
    else if (!readFullTextOption(options, member)) throw unsupported(query, member);
  }
  if (rest.value === null) throw parsingException('No text specified for multi_match query', node.at);
  if (options.fuzziness !== null && ['cross_fields', 'phrase', 'phrase_prefix'].includes(rest.type)) {
    throw parsingException(`Fuzziness not allowed for type [${rest.type}]`, node.at);
  }
  if (rest.slop !== 0 && rest.type === 'bool_prefix') {
    throw parsingException('[slop] not allowed for type [bool_prefix]', node.at);
  }
  if (rest.type === 'bool_prefix' && members.some((member) => member.name === 'cutoff_frequency')) {
    throw parsingException('[cutoff_frequency] not allowed for type [bool_prefix]', node.at);
  }
  const result: MultiMatchQuery = { kind: 'multiMatch', ...options, ...rest };
  return result;
}

/** Defaults of `query_string`, also for the URI's `q`. */
export function queryStringDefaults(text: string): Mutable<QueryStringQuery> {
  return {
    kind: 'queryString',
    text,
    defaultField: null,
    fields: [],
    operator: 'or',
    analyzer: null,
    isLenient: false,
    minimumShouldMatch: null,
    phraseSlop: 0,
    type: 'best_fields',
    tieBreaker: null,
    timeZone: null,
    analyzesWildcards: false,
    fuzziness: 'AUTO',
    fuzzyPrefixLength: 0,
    fuzzyMaxExpansions: 50,
    hasFuzzyTranspositions: true,
    fuzzyRewrite: null,
    rewrite: null,
    statesMax: REGEXP_STATES_DEFAULT,
    boost: 1,
    name: null,
  };
}

export function parseQueryString(node: JsonNode, query: string): QueryStringQuery {
  const result = queryStringDefaults('');
  if (query === 'simple_query_string') result.kind = 'simpleQueryString';
  let isGiven = false;
  for (const member of readObject(node, query).members) {
    if (member.name === 'query') {
      result.text = readString(member.value, query);
      isGiven = true;
    } else readQueryStringOption(result, member, query);
  }
  if (!isGiven) throw parsingException(`[${query}] must be provided with a [query]`, node.at);
  if (result.defaultField !== null && result.fields.length > 0) {
    throw illegalArgument('cannot use [fields] parameter in conjunction with [default_field]');
  }
  return result;
}

function readQueryStringOption(result: Mutable<QueryStringQuery>, member: JsonMember, query: string): void {
  const { name, value } = member;
  switch (name) {
    case 'fields':
      result.fields = readStrings(value, name).map(parseBoostedField);
      break;
    case 'default_field':
      result.defaultField = readString(value, name);
      break;
    case 'default_operator':
      result.operator = parseOperator(readString(value, name));
      break;
    case 'analyzer':
      result.analyzer = readString(value, name);
      break;
    case 'lenient':
      result.isLenient = readBoolean(value, name);
      break;
    case 'minimum_should_match':
      result.minimumShouldMatch = readMinimumShouldMatch(value);
      break;
    case 'phrase_slop':
      result.phraseSlop = readSlop(value);
      break;
    case 'type':
      result.type = readMultiMatchType(value);
      break;
    case 'tie_breaker':
      result.tieBreaker = readNumber(value, name);
      break;
    case 'time_zone':
      result.timeZone = readString(value, name);
      break;
    case 'analyze_wildcard':
      result.analyzesWildcards = readBoolean(value, name);
      break;
    case 'boost':
      result.boost = readNumber(value, name);
      break;
    case '_name':
      result.name = readString(value, name);
      break;
    default:
      if (readPatternOption(result, member)) break;
      if (!IGNORED_QUERY_STRING_OPTIONS.has(name)) throw unsupported(query, member);
  }
}

/** Reads a member that speaks of fuzzy words and patterns; false when it is none. */
function readPatternOption(result: Mutable<QueryStringQuery>, { name, value }: JsonMember): boolean {
  switch (name) {
    case 'fuzziness':
      result.fuzziness = readString(value, name);
      return true;
    case 'fuzzy_prefix_length':
      result.fuzzyPrefixLength = readInteger(value, name);
      return true;
    case 'fuzzy_max_expansions':
      result.fuzzyMaxExpansions = readInteger(value, name);
      return true;
    case 'fuzzy_transpositions':
      result.hasFuzzyTranspositions = readBoolean(value, name);
      return true;
    case 'fuzzy_rewrite':
      result.fuzzyRewrite = readString(value, name);
      return true;
    case 'rewrite':
      result.rewrite = readString(value, name);
      return true;
    case 'max_determinized_states':
      result.statesMax = readInteger(value, name);
      return true;
    default:
      return false;
  }
}

/** They change nothing that this server does. */
const IGNORED_QUERY_STRING_OPTIONS: ReadonlySet<string> = new Set([
  'allow_leading_wildcard',
  'auto_generate_synonyms_phrase_query',
  'enable_position_increments',
  'escape',
  'flags',
  'quote_analyzer',
  'quote_field_suffix',
]);
