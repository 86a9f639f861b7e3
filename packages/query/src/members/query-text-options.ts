/**
 * What query_string and simple_query_string share: a text in a query language, the fields it is searched in, and how.
 */
import { type JsonMember, parsingException, tokenName, ValueReader } from '@shoal/core';
import type { Mutable } from '../node/mutable.ts';
import { type QueryNode, readWhole } from '../node/query-node.ts';
import { type BoostedField, parseBoostedField, readBoostedFields } from './boosted-fields.ts';
import { OPERATORS, type Operator, parseOperator } from './full-text-options.ts';
import {
  readBoolean,
  readInteger,
  readMinimumShouldMatch,
  readNumber,
  readString,
  readStrings,
  unsupported,
} from './request-values.ts';

export interface QueryTextOptions {
  readonly text: string;
  /** Empty: the index's default fields. */
  readonly fields: readonly BoostedField[];
  readonly operator: Operator;
  readonly analyzer: string | null;
  /** null: where all fields are searched, or the index says so. */
  readonly isLenient: boolean | null;
  /** Text of the request; null when not given. */
  readonly minimumShouldMatch: string | null;
  readonly analyzesWildcards: boolean;
  /** Ending of the names of fields that quoted texts are searched in, where there are such fields. */
  readonly quoteFieldSuffix: string | null;
  readonly fuzzyPrefixLength: number;
  readonly fuzzyMaxExpansions: number;
  readonly hasFuzzyTranspositions: boolean;
  /** A synonym of several words matches where they are a phrase; false: where they are all. */
  readonly phrasesSynonyms: boolean;
}

export function queryTextDefaults(text: string): Mutable<QueryTextOptions> {
  return {
    text,
    fields: [],
    operator: 'or',
    analyzer: null,
    isLenient: null,
    minimumShouldMatch: null,
    analyzesWildcards: false,
    quoteFieldSuffix: null,
    fuzzyPrefixLength: 0,
    fuzzyMaxExpansions: 50,
    hasFuzzyTranspositions: true,
    phrasesSynonyms: true,
  };
}

export function readQueryTextOptions(r: ValueReader): QueryTextOptions {
  return {
    text: r.string('text'),
    fields: readBoostedFields(r, 'fields'),
    operator: r.oneOf('operator', OPERATORS),
    analyzer: r.optionalString('analyzer'),
    isLenient: r.optional('isLenient', ValueReader.asBoolean),
    minimumShouldMatch: r.optionalString('minimumShouldMatch'),
    analyzesWildcards: r.boolean('analyzesWildcards'),
    quoteFieldSuffix: r.optionalString('quoteFieldSuffix'),
    fuzzyPrefixLength: readWhole(r, 'fuzzyPrefixLength'),
    fuzzyMaxExpansions: readWhole(r, 'fuzzyMaxExpansions'),
    hasFuzzyTranspositions: r.boolean('hasFuzzyTranspositions'),
    phrasesSynonyms: r.boolean('phrasesSynonyms'),
  };
}

/** @throws ShoalError for a member that is a list and not `fields`, an object, or null */
export function checkQueryTextForm(query: string, member: JsonMember): void {
  const { name, value } = member;
  if (value.kind === 'array' && name !== 'fields') throw unsupported(query, member);
  if (value.kind === 'object' || value.kind === 'null') {
    throw parsingException(`[${query}] unknown token [${tokenName(value)}] after [${name}]`, value.at);
  }
}

/** Reads a member that both queries have; false when it is none. */
export function parseQueryTextOption(
  result: Mutable<QueryTextOptions & Pick<QueryNode, 'boost' | 'name'>>,
  { name, value }: JsonMember,
): boolean {
  switch (name) {
    case 'fields':
      if (value.kind !== 'array') return false;
      result.fields = readStrings(value, name).map(parseBoostedField);
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
      result.phrasesSynonyms = readBoolean(value, name);
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
