/**
 * A query as one typed tree: what the user asked, with every default filled in, before any index is known.
 *
 * Field names and values are as the user wrote them: whether a field exists, and what a value means for it, each shard
 * decides with its own mapping. Plain data: it can be compared, logged and walked.
 */

import type { BoostMode, ScoreMode, WeighedFunction } from './function-score-tree.ts';
import type { IntervalSource } from './interval-tree.ts';
import type { Span } from './span-tree.ts';

/** A scalar of request JSON; integers beyond 2^53 are bigints. */
export type QueryValue = string | number | bigint | boolean | null;

export type Operator = 'or' | 'and';

interface QueryBase {
  /** Factor on the score of this query. */
  readonly boost: number;
  /** `_name`: accepted; null when not given. */
  readonly name: string | null;
}

export interface MatchAllQuery extends QueryBase {
  readonly kind: 'matchAll';
}

export interface MatchNoneQuery extends QueryBase {
  readonly kind: 'matchNone';
}

export interface TermQuery extends QueryBase {
  readonly kind: 'term';
  readonly field: string;
  readonly value: QueryValue;
  readonly isCaseInsensitive: boolean;
}

export interface TermsQuery extends QueryBase {
  readonly kind: 'terms';
  readonly field: string;
  readonly values: readonly QueryValue[];
}

export interface RangeQuery extends QueryBase {
  readonly kind: 'range';
  readonly field: string;
  /** null: open on this side. */
  readonly from: QueryValue;
  readonly includesFrom: boolean;
  readonly to: QueryValue;
  readonly includesTo: boolean;
  readonly format: string | null;
  readonly timeZone: string | null;
}

export interface ExistsQuery extends QueryBase {
  readonly kind: 'exists';
  readonly field: string;
}

/** Terms found by a pattern: one text for each of these kinds. */
export interface PatternQuery extends QueryBase {
  readonly kind: 'prefix' | 'wildcard' | 'regexp';
  readonly field: string;
  readonly value: string;
  readonly isCaseInsensitive: boolean;
  /** How its terms are scored, as written; null: all alike. */
  readonly rewrite: string | null;
  /** Of regular expressions. */
  readonly operators: RegexpOperators;
  /** States that a regular expression may take. */
  readonly statesMax: number;
}

/** What a regular expression may use beyond the usual operators. */
export interface RegexpOperators {
  readonly complement: boolean;
  readonly intersection: boolean;
  readonly empty: boolean;
  readonly anyText: boolean;
  readonly interval: boolean;
}

export interface FuzzyQuery extends QueryBase {
  readonly kind: 'fuzzy';
  readonly field: string;
  readonly value: QueryValue;
  readonly fuzziness: string;
  readonly prefixLength: number;
  readonly maxExpansions: number;
  readonly hasTranspositions: boolean;
  readonly rewrite: string | null;
}

export interface IdsQuery extends QueryBase {
  readonly kind: 'ids';
  readonly values: readonly string[];
}

export interface BoolQuery extends QueryBase {
  readonly kind: 'bool';
  readonly must: readonly Query[];
  readonly filter: readonly Query[];
  readonly should: readonly Query[];
  readonly mustNot: readonly Query[];
  /** As written, such as `2`, `-1`, `75%` or `3<90%`; null when not given. */
  readonly minimumShouldMatch: string | null;
}

export interface ConstantScoreQuery extends QueryBase {
  readonly kind: 'constantScore';
  readonly filter: Query;
}

export interface DisMaxQuery extends QueryBase {
  readonly kind: 'disMax';
  readonly queries: readonly Query[];
  readonly tieBreaker: number;
}

export interface BoostingQuery extends QueryBase {
  readonly kind: 'boosting';
  readonly positive: Query;
  readonly negative: Query;
  readonly negativeBoost: number;
}

/** What match, multi_match and their kin share. */
export interface FullTextOptions {
  readonly operator: Operator;
  readonly minimumShouldMatch: string | null;
  readonly analyzer: string | null;
  /** null: terms must be equal. */
  readonly fuzziness: string | null;
  readonly fuzzyRewrite: string | null;
  readonly prefixLength: number;
  readonly maxExpansions: number;
  readonly hasTranspositions: boolean;
  readonly isLenient: boolean;
  /** What a text without any term matches. */
  readonly zeroTerms: 'none' | 'all';
}

export interface MatchQuery extends QueryBase, FullTextOptions {
  readonly kind: 'match' | 'matchBoolPrefix';
  readonly field: string;
  readonly value: QueryValue;
}

export interface MatchPhraseQuery extends QueryBase {
  readonly kind: 'matchPhrase' | 'matchPhrasePrefix';
  readonly field: string;
  readonly value: QueryValue;
  readonly slop: number;
  readonly analyzer: string | null;
  readonly zeroTerms: 'none' | 'all';
  readonly maxExpansions: number;
}

export type MultiMatchType =
  | 'best_fields'
  | 'most_fields'
  | 'cross_fields'
  | 'phrase'
  | 'phrase_prefix'
  | 'bool_prefix';

/** A field pattern with its own factor: `name^3`, `title*`. */
export interface BoostedField {
  readonly pattern: string;
  readonly boost: number;
}

export interface MultiMatchQuery extends QueryBase, FullTextOptions {
  readonly kind: 'multiMatch';
  readonly value: QueryValue;
  /** Empty: the index's default fields. */
  readonly fields: readonly BoostedField[];
  readonly type: MultiMatchType;
  /** null: the default of `type`. */
  readonly tieBreaker: number | null;
  readonly slop: number;
}

export interface QueryStringQuery extends QueryBase {
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
  /** Of words with `~` and no number behind it. */
  readonly fuzziness: string;
  readonly fuzzyPrefixLength: number;
  readonly fuzzyMaxExpansions: number;
  readonly hasFuzzyTranspositions: boolean;
  readonly fuzzyRewrite: string | null;
  /** Of prefixes, wildcards and regular expressions. */
  readonly rewrite: string | null;
  /** States that a regular expression may take. */
  readonly statesMax: number;
}

export interface SpanQuery extends QueryBase {
  readonly kind: 'span';
  readonly span: Span;
}

export interface IntervalsQuery extends QueryBase {
  readonly kind: 'intervals';
  readonly field: string;
  readonly source: IntervalSource;
}

export interface FunctionScoreQuery extends QueryBase {
  readonly kind: 'functionScore';
  readonly query: Query;
  readonly functions: readonly WeighedFunction[];
  /** How the functions' scores are made one. */
  readonly scoreMode: ScoreMode;
  /** How that and the query's score are made one. */
  readonly boostMode: BoostMode;
  /** Of the functions together; null: no limit. */
  readonly maxBoost: number | null;
  /** Documents below it do not match; null: all do. */
  readonly minScore: number | null;
}

export interface DistanceFeatureQuery extends QueryBase {
  readonly kind: 'distanceFeature';
  readonly field: string;
  readonly origin: QueryValue;
  /** Distance at which the score is half of the boost. */
  readonly pivot: string;
}

export type Query =
  | MatchAllQuery
  | MatchNoneQuery
  | TermQuery
  | TermsQuery
  | RangeQuery
  | ExistsQuery
  | PatternQuery
  | FuzzyQuery
  | IdsQuery
  | BoolQuery
  | ConstantScoreQuery
  | DisMaxQuery
  | BoostingQuery
  | MatchQuery
  | MatchPhraseQuery
  | MultiMatchQuery
  | QueryStringQuery
  | SpanQuery
  | IntervalsQuery
  | FunctionScoreQuery
  | DistanceFeatureQuery;

/** What a request without a query asks. */
export const MATCH_ALL: MatchAllQuery = { kind: 'matchAll', boost: 1, name: null };
