/**
 * `query_string`: a text in the query language with fields, operators and patterns; simple_query_string has the same node.
 */
import { illegalArgument, type JsonMember, type JsonNode, parsingException, type ValueReader } from '@shoal/core';
import { type BoostedField, parseBoostedField, readBoostedFields } from '../../members/boosted-fields.ts';
import { OPERATORS, type Operator, parseOperator, parseSlop } from '../../members/full-text-options.ts';
import { MULTI_MATCH_TYPES, type MultiMatchType, readMultiMatchType } from '../../members/multi-match-type.ts';
import {
  readBoolean,
  readInteger,
  readMinimumShouldMatch,
  readNumber,
  readObject,
  readString,
  readStrings,
  unsupported,
} from '../../members/request-values.ts';
import type { Mutable } from '../../node/mutable.ts';
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import { type QueryNode, readBase, readCount, readWhole } from '../../node/query-node.ts';
import { REGEXP_STATES_DEFAULT } from '../pattern/regexp-flags.ts';

export interface QueryStringQuery extends QueryNode {
  readonly kind: 'queryString' | 'simpleQueryString';
  readonly text: string;
  readonly defaultField: string | null;
  readonly fields: readonly BoostedField[];
  readonly operator: Operator;
  readonly analyzer: string | null;
  readonly isLenient: boolean;
  readonly minimumShouldMatch: string | null;
  readonly phraseSlop: number;
  readonly type: MultiMatchType;
  readonly tieBreaker: number | null;
  readonly timeZone: string | null;
  readonly analyzesWildcards: boolean;
  /** Fuzziness of words with `~` and no number behind it. */
  readonly fuzziness: string;
  readonly fuzzyPrefixLength: number;
  readonly fuzzyMaxExpansions: number;
  readonly hasFuzzyTranspositions: boolean;
  readonly fuzzyRewrite: string | null;
  /** Rewrite of prefixes, wildcards and regular expressions. */
  readonly rewrite: string | null;
  /** States that a regular expression may take. */
  readonly statesMax: number;
}

export function queryStringKind(kind: QueryStringQuery['kind']): QueryKind<QueryStringQuery> {
  return {
    kind,
    parse: (node, name) => parseQueryString(node, name, kind),
    read: (r) => readQueryString(r, kind),
    inner: noInner,
  };
}

function readQueryString(r: ValueReader, kind: QueryStringQuery['kind']): QueryStringQuery {
  return {
    kind,
    text: r.string('text'),
    defaultField: r.optionalString('defaultField'),
    fields: readBoostedFields(r, 'fields'),
    operator: r.oneOf('operator', OPERATORS),
    analyzer: r.optionalString('analyzer'),
    isLenient: r.boolean('isLenient'),
    minimumShouldMatch: r.optionalString('minimumShouldMatch'),
    phraseSlop: readCount(r, 'phraseSlop'),
    type: r.oneOf('type', MULTI_MATCH_TYPES),
    tieBreaker: r.optionalNumber('tieBreaker'),
    timeZone: r.optionalString('timeZone'),
    analyzesWildcards: r.boolean('analyzesWildcards'),
    fuzziness: r.string('fuzziness'),
    fuzzyPrefixLength: readWhole(r, 'fuzzyPrefixLength'),
    fuzzyMaxExpansions: readWhole(r, 'fuzzyMaxExpansions'),
    hasFuzzyTranspositions: r.boolean('hasFuzzyTranspositions'),
    fuzzyRewrite: r.optionalString('fuzzyRewrite'),
    rewrite: r.optionalString('rewrite'),
    statesMax: readWhole(r, 'statesMax'),
    ...readBase(r),
  };
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

function parseQueryString(node: JsonNode, query: string, kind: QueryStringQuery['kind']): QueryStringQuery {
  const result = queryStringDefaults('');
  result.kind = kind;
  let isGiven = false;
  for (const member of readObject(node, query).members) {
    if (member.name === 'query') {
      result.text = readString(member.value, query);
      isGiven = true;
    } else parseQueryStringOption(result, member, query);
  }
  if (!isGiven) throw parsingException(`[${query}] must be provided with a [query]`, node.at);
  if (result.defaultField !== null && result.fields.length > 0) {
    throw illegalArgument('cannot use [fields] parameter in conjunction with [default_field]');
  }
  return result;
}

function parseQueryStringOption(result: Mutable<QueryStringQuery>, member: JsonMember, query: string): void {
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
      result.phraseSlop = parseSlop(value);
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
      if (parsePatternOption(result, member)) break;
      if (!IGNORED_QUERY_STRING_OPTIONS.has(name)) throw unsupported(query, member);
  }
}

/** Reads a member that speaks of fuzzy words and patterns; false when it is none. */
function parsePatternOption(result: Mutable<QueryStringQuery>, { name, value }: JsonMember): boolean {
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

export const queryString: QueryKind<QueryStringQuery> = queryStringKind('queryString');
