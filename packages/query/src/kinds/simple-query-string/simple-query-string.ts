/**
 * `simple_query_string`: a text in a small query language in which every text means something.
 */
import { type JsonMember, type JsonNode, parsingException, tokenName } from '@shoal/core';
import { parseBoostedField } from '../../members/boosted-fields.ts';
import { parseOperator } from '../../members/full-text-options.ts';
import { type QueryTextOptions, queryTextDefaults, readQueryTextOptions } from '../../members/query-text-options.ts';
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
import { withoutEffect } from '../../members/without-effect.ts';
import type { Mutable } from '../../node/mutable.ts';
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import { type QueryNode, readBase } from '../../node/query-node.ts';
import {
  parseSimpleOperators,
  readSimpleOperators,
  type SimpleOperators,
  simpleOperatorsOfBits,
} from './simple-operators.ts';

export interface SimpleQueryStringQuery extends QueryNode, QueryTextOptions {
  readonly kind: 'simpleQueryString';
  /** `flags`: operators that are operators; the others are letters. */
  readonly operators: SimpleOperators;
}

function parseSimpleQueryString(node: JsonNode, query: string): SimpleQueryStringQuery {
  const result: Mutable<SimpleQueryStringQuery> = {
    kind: 'simpleQueryString',
    ...queryTextDefaults(''),
    operators: simpleOperatorsOfBits(-1),
    boost: 1,
    name: null,
  };
  let isGiven = false;
  for (const member of readObject(node, query).members) {
    const { name, value } = member;
    if (value.kind === 'array' && name !== 'fields') throw unsupported(query, member);
    if (value.kind === 'object' || value.kind === 'null') {
      throw parsingException(`[${query}] unknown token [${tokenName(value)}] after [${name}]`, value.at);
    }
    if (name === 'query') {
      result.text = readString(value, query);
      isGiven = true;
    } else if (!parseOption(result, member)) throw parsingException(`[${query}] unsupported field [${name}]`, value.at);
  }
  if (!isGiven) throw parsingException(`[${query}] query text missing`, node.at);
  return result;
}

/** False when there is no such option. */
function parseOption(result: Mutable<SimpleQueryStringQuery>, { name, value }: JsonMember): boolean {
  switch (name) {
    case 'fields':
      if (value.kind !== 'array') return false;
      result.fields = readStrings(value, name).map(parseBoostedField);
      return true;
    case 'flags':
      result.operators =
        value.kind === 'number'
          ? simpleOperatorsOfBits(readInteger(value, name))
          : parseSimpleOperators(readString(value, name));
      return true;
    case 'default_operator':
      result.operator = parseOperator(readString(value, name));
      return true;
    case 'analyzer':
      result.analyzer = readString(value, name);
      return true;
    case 'lenient':
      result.isLenient = readBoolean(value, name);
      return true;
    case 'minimum_should_match':
      result.minimumShouldMatch = readMinimumShouldMatch(value);
      return true;
    case 'analyze_wildcard':
      result.analyzesWildcards = readBoolean(value, name);
      return true;
    case 'quote_field_suffix':
      result.quoteFieldSuffix = readString(value, name);
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
    case 'auto_generate_synonyms_phrase_query':
      readBoolean(value, name);
      withoutEffect(name);
      return true;
    case 'boost':
      result.boost = readNumber(value, name);
      return true;
    case '_name':
      result.name = readString(value, name);
      return true;
    default:
      return false;
  }
}

export const simpleQueryString: QueryKind<SimpleQueryStringQuery> = {
  kind: 'simpleQueryString',
  parse: parseSimpleQueryString,
  read: (r) => ({
    kind: 'simpleQueryString',
    ...readQueryTextOptions(r),
    operators: readSimpleOperators(r.object('operators')),
    ...readBase(r),
  }),
  inner: noInner,
};
