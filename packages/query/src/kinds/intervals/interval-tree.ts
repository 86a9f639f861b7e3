/**
 * Interval sources: the shortest ranges of positions of a field in which something stands.
 */
import type { RegexpOperators } from '@shoal/automata';
import type { ScriptRequest } from '@shoal/script';
import type { QueryNode } from '../../node/query-node.ts';

/** Sources inside sources, filters included. */
export const INTERVALS_NESTING_MAX = 30;

export const INTERVAL_RELATIONS = [
  'containing',
  'contained_by',
  'not_containing',
  'not_contained_by',
  'overlapping',
  'not_overlapping',
  'before',
  'after',
] as const;

/** How a range must lie to one of the filter's. */
export type IntervalRelation = (typeof INTERVAL_RELATIONS)[number];

/** `relation` of a filter that is a script. */
export const SCRIPTED_FILTER = 'script';

export interface IntervalsQuery extends QueryNode {
  readonly kind: 'intervals';
  readonly field: string;
  readonly source: IntervalSource;
}

export interface RelatedFilter {
  readonly relation: IntervalRelation;
  readonly source: IntervalSource;
}

/** A script says of each range whether it is taken. */
export interface ScriptedFilter {
  readonly relation: typeof SCRIPTED_FILTER;
  readonly script: ScriptRequest;
}

export type IntervalFilter = RelatedFilter | ScriptedFilter;

interface SourceBase {
  /** null: all ranges of the source. */
  readonly filter: IntervalFilter | null;
}

/** Where terms are looked up, and how their text is cut. */
interface TermChoice {
  /** null: that of the field. */
  readonly analyzer: string | null;
  /** Field whose positions are taken instead; null: the field of the query. */
  readonly useField: string | null;
}

export interface IntervalMatch extends SourceBase, TermChoice {
  readonly kind: 'match';
  readonly text: string;
  /** Positions between the terms; -1: any number. */
  readonly maxGaps: number;
  readonly isOrdered: boolean;
}

export interface IntervalAllOf extends SourceBase {
  readonly kind: 'allOf';
  readonly sources: readonly IntervalSource[];
  readonly maxGaps: number;
  readonly isOrdered: boolean;
}

export interface IntervalAnyOf extends SourceBase {
  readonly kind: 'anyOf';
  readonly sources: readonly IntervalSource[];
}

export interface IntervalPattern extends SourceBase, TermChoice {
  readonly kind: 'prefix' | 'wildcard' | 'regexp';
  readonly pattern: string;
  readonly isCaseInsensitive: boolean;
  readonly operators: RegexpOperators;
}

export interface IntervalFuzzy extends SourceBase, TermChoice {
  readonly kind: 'fuzzy';
  readonly term: string;
  readonly fuzziness: string;
  readonly prefixLength: number;
  readonly hasTranspositions: boolean;
}

export type IntervalSource = IntervalMatch | IntervalAllOf | IntervalAnyOf | IntervalPattern | IntervalFuzzy;
