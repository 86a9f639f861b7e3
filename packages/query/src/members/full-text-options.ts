/**
 * Options that the queries on analyzed text share: match, match_bool_prefix, multi_match.
 */
import { illegalArgument, type JsonMember, type JsonNode, parsingException, type ValueReader } from '@shoal/core';
import type { Mutable } from '../node/mutable.ts';
import { readWhole } from '../node/query-node.ts';
import { readBoolean, readInteger, readMinimumShouldMatch, readString } from './request-values.ts';

export const OPERATORS = ['or', 'and'] as const;
/** How the terms of a text are combined. */
export type Operator = (typeof OPERATORS)[number];

export const ZERO_TERMS = ['none', 'all'] as const;
/** What a text without any term matches. */
export type ZeroTerms = (typeof ZERO_TERMS)[number];

export interface FullTextOptions {
  readonly operator: Operator;
  /** Text of the request, such as `2`, `-1`, `75%` or `3<90%`; null when not given. */
  readonly minimumShouldMatch: string | null;
  /** null: the search analyzer of the field. */
  readonly analyzer: string | null;
  /** null: terms must be equal. */
  readonly fuzziness: string | null;
  readonly fuzzyRewrite: string | null;
  readonly prefixLength: number;
  readonly maxExpansions: number;
  readonly hasTranspositions: boolean;
  readonly isLenient: boolean;
  readonly zeroTerms: ZeroTerms;
  /** A synonym of several words matches where they are a phrase; false: where they are all. */
  readonly phrasesSynonyms: boolean;
}

export function fullTextDefaults(): Mutable<FullTextOptions> {
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
    phrasesSynonyms: true,
  };
}

/** Reads a member that all full text queries know; false when it is none. */
export function parseFullTextOption(options: Mutable<FullTextOptions>, member: JsonMember): boolean {
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
    case 'auto_generate_synonyms_phrase_query':
      options.phrasesSynonyms = readBoolean(value, name);
      return true;
    default:
      return false;
  }
}

/** @throws ShoalError for limits of fuzzy words that no word can keep */
export function checkFuzzyLimits(query: string, { prefixLength, maxExpansions }: FullTextOptions): void {
  if (prefixLength < 0) throw illegalArgument(`[${query}] requires prefix length to be non-negative.`);
  if (maxExpansions <= 0) throw illegalArgument(`[${query}] requires maxExpansions to be positive.`);
}

export function readFullTextOptions(r: ValueReader): FullTextOptions {
  return {
    operator: r.oneOf('operator', OPERATORS),
    minimumShouldMatch: r.optionalString('minimumShouldMatch'),
    analyzer: r.optionalString('analyzer'),
    fuzziness: r.optionalString('fuzziness'),
    fuzzyRewrite: r.optionalString('fuzzyRewrite'),
    prefixLength: readWhole(r, 'prefixLength'),
    maxExpansions: readWhole(r, 'maxExpansions'),
    hasTranspositions: r.boolean('hasTranspositions'),
    isLenient: r.boolean('isLenient'),
    zeroTerms: r.oneOf('zeroTerms', ZERO_TERMS),
    phrasesSynonyms: r.boolean('phrasesSynonyms'),
  };
}

export function parseOperator(text: string): Operator {
  const lower = text.toLowerCase();
  if (lower === 'or' || lower === 'and') return lower;
  throw illegalArgument(`No enum constant org.elasticsearch.index.query.Operator.${text.toUpperCase()}`);
}

export function parseZeroTerms(text: string, node: JsonNode): ZeroTerms {
  const lower = text.toLowerCase();
  if (lower === 'none' || lower === 'all') return lower;
  throw parsingException(`Unsupported zero_terms_query value [${text}]`, node.at);
}

/** `slop`: positions by which the words of a phrase may be apart from their order. */
export function parseSlop(node: JsonNode): number {
  const slop = readInteger(node, 'slop');
  if (slop < 0) throw illegalArgument('No negative slop allowed.');
  return slop;
}
