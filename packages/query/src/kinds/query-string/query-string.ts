/**
 * `query_string`: a text in Lucene's query language, with fields, operators and patterns. Also `q=` of a URI.
 */
import { REGEXP_STATES_DEFAULT } from '@shoal/automata';
import { illegalArgument, type JsonMember, type JsonNode, parsingException, type ValueReader } from '@shoal/core';
import { MULTI_MATCH_TYPES, type MultiMatchType, readMultiMatchType } from '../../members/multi-match-type.ts';
import {
  checkQueryTextForm,
  parseQueryTextOption,
  type QueryTextOptions,
  queryTextDefaults,
  readQueryTextOptions,
} from '../../members/query-text-options.ts';
import {
  readBoolean,
  readInteger,
  readNumber,
  readObject,
  readString,
  unsupported,
} from '../../members/request-values.ts';
import type { Mutable } from '../../node/mutable.ts';
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import { type QueryNode, readBase, readWhole } from '../../node/query-node.ts';

export interface QueryStringQuery extends QueryNode, QueryTextOptions {
  readonly kind: 'queryString';
  /** Field of words without one; null: `fields`, or those of the index. */
  readonly defaultField: string | null;
  /** Analyzer of quoted texts; null: `analyzer`. */
  readonly quoteAnalyzer: string | null;
  readonly phraseSlop: number;
  readonly type: MultiMatchType;
  /** null: the default of `type`. */
  readonly tieBreaker: number | null;
  readonly timeZone: string | null;
  readonly allowsLeadingWildcards: boolean;
  /** The text has no operators: all their characters are escaped. */
  readonly isEscaped: boolean;
  /** Fuzziness of words with `~` and no number behind it. */
  readonly fuzziness: string;
  readonly fuzzyRewrite: string | null;
  /** Rewrite of prefixes, wildcards and regular expressions. */
  readonly rewrite: string | null;
  /** States that a regular expression may take. */
  readonly statesMax: number;
}

function readQueryString(r: ValueReader): QueryStringQuery {
  return {
    kind: 'queryString',
    ...readQueryTextOptions(r),
    defaultField: r.optionalString('defaultField'),
    quoteAnalyzer: r.optionalString('quoteAnalyzer'),
    phraseSlop: readWhole(r, 'phraseSlop'),
    type: r.oneOf('type', MULTI_MATCH_TYPES),
    tieBreaker: r.optionalNumber('tieBreaker'),
    timeZone: r.optionalString('timeZone'),
    allowsLeadingWildcards: r.boolean('allowsLeadingWildcards'),
    isEscaped: r.boolean('isEscaped'),
    fuzziness: r.string('fuzziness'),
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
    ...queryTextDefaults(text),
    defaultField: null,
    quoteAnalyzer: null,
    phraseSlop: 0,
    type: 'best_fields',
    tieBreaker: null,
    timeZone: null,
    allowsLeadingWildcards: true,
    isEscaped: false,
    fuzziness: 'AUTO',
    fuzzyRewrite: null,
    rewrite: null,
    statesMax: REGEXP_STATES_DEFAULT,
    boost: 1,
    name: null,
  };
}

function parseQueryString(node: JsonNode, query: string): QueryStringQuery {
  const result = queryStringDefaults('');
  let isGiven = false;
  for (const member of readObject(node, query).members) {
    checkQueryTextForm(query, member);
    if (member.name === 'query') {
      result.text = readString(member.value, query);
      isGiven = true;
    } else if (!parseQueryTextOption(result, member) && !parseOption(result, member)) {
      throw unsupported(query, member);
    }
  }
  if (!isGiven) throw parsingException(`[${query}] must be provided with a [query]`, node.at);
  if (result.defaultField !== null && result.fields.length > 0) {
    throw illegalArgument('cannot use [fields] parameter in conjunction with [default_field]');
  }
  return result;
}

/** Reads a member that only this query has; false when it is none. */
function parseOption(result: Mutable<QueryStringQuery>, { name, value }: JsonMember): boolean {
  switch (name) {
    case 'default_field':
      result.defaultField = readString(value, name);
      return true;
    case 'quote_analyzer':
      result.quoteAnalyzer = readString(value, name);
      return true;
    case 'phrase_slop':
      result.phraseSlop = readInteger(value, name);
      return true;
    case 'type':
      result.type = readMultiMatchType(value);
      return true;
    case 'tie_breaker':
      result.tieBreaker = readNumber(value, name);
      return true;
    case 'time_zone':
      result.timeZone = readString(value, name);
      return true;
    case 'allow_leading_wildcard':
      result.allowsLeadingWildcards = readBoolean(value, name);
      return true;
    case 'escape':
      result.isEscaped = readBoolean(value, name);
      return true;
    case 'fuzziness':
      result.fuzziness = readString(value, name);
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
    case 'enable_position_increments':
      if (readBoolean(value, name)) return true;
      throw illegalArgument('[query_string] [enable_position_increments] of [false] is not supported by this server');
    default:
      return false;
  }
}

export const queryString: QueryKind<QueryStringQuery> = {
  kind: 'queryString',
  parse: parseQueryString,
  read: readQueryString,
  inner: noInner,
};
