/**
 * What query_string and simple_query_string share: a text in a query language, the fields it is searched in, and how.
 */
import { ValueReader } from '@shoal/core';
import type { Mutable } from '../node/mutable.ts';
import { readWhole } from '../node/query-node.ts';
import { type BoostedField, readBoostedFields } from './boosted-fields.ts';
import { OPERATORS, type Operator } from './full-text-options.ts';

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
  };
}
