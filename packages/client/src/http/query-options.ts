/**
 * Options of single queries, and how queries name their fields: short, or with options.
 */
import type { NamesOf, ValueOf } from './index-schema.ts';

export interface QueryScript {
  readonly source?: string;
  readonly id?: string;
  readonly lang?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

export interface Weighed {
  readonly boost?: number;
  readonly _name?: string;
}

export type Operator = 'and' | 'or' | 'AND' | 'OR';
export type Fuzziness = number | 'AUTO' | 'auto' | `${'AUTO' | 'auto'}:${number},${number}` | `${number}`;
export type MinimumMatch = number | string;
export type ZeroTerms = 'none' | 'all';

export interface WordOptions extends Weighed {
  readonly analyzer?: string;
}

export interface MatchOptions extends WordOptions {
  readonly operator?: Operator;
  readonly minimum_should_match?: MinimumMatch;
  readonly fuzziness?: Fuzziness;
  readonly prefix_length?: number;
  readonly max_expansions?: number;
  readonly fuzzy_transpositions?: boolean;
  readonly fuzzy_rewrite?: string;
  readonly lenient?: boolean;
  readonly zero_terms_query?: ZeroTerms;
  readonly auto_generate_synonyms_phrase_query?: boolean;
}

export interface PhraseOptions extends WordOptions {
  readonly slop?: number;
  readonly zero_terms_query?: ZeroTerms;
}

export interface PatternOptions extends Weighed {
  readonly case_insensitive?: boolean;
  readonly rewrite?: string;
}

export interface RangeOptions<Value> extends Weighed {
  readonly gte?: Value | null;
  readonly gt?: Value | null;
  readonly lte?: Value | null;
  readonly lt?: Value | null;
  readonly from?: Value | null;
  readonly to?: Value | null;
  readonly include_lower?: boolean;
  readonly include_upper?: boolean;
  readonly format?: string;
  readonly time_zone?: string;
  readonly relation?: 'INTERSECTS' | 'CONTAINS' | 'WITHIN' | 'intersects' | 'contains' | 'within';
}

/** Texts of a query by the name of a field, short or with options. */
export type TextByField<Fields, Kind, Options> = {
  readonly [Name in keyof Fields as Fields[Name] extends Kind ? Name : never]?:
    | ValueOf<Fields[Name]>
    | (Options & { readonly query: ValueOf<Fields[Name]> });
};

export type ValueByField<Fields, Kind, Options> = {
  readonly [Name in keyof Fields as Fields[Name] extends Kind ? Name : never]?:
    | ValueOf<Fields[Name]>
    | (Options & { readonly value: ValueOf<Fields[Name]> });
};

export type ByField<Fields, Kind, Value> = {
  readonly [Name in keyof Fields as Fields[Name] extends Kind ? Name : never]?: Value;
};

/** A field, with its weight after `^`, or a pattern of fields. */
export type WeighedName<Fields, Kind> =
  | NamesOf<Fields, Kind>
  | `${NamesOf<Fields, Kind>}^${number}`
  | `${string}*${string}`;
