/**
 * Rules of the parameters that a field's declaration may have: values, default, and which change an existing field allows.
 *
 * Parsing, merging and printing all read one table of rules. A parameter of Elasticsearch that has no effect here yet is
 * refused unless it has its default value, so that nobody relies on what does not happen.
 */
import type { JsonObject } from '../../declaration/json-object.ts';
import { readMeta } from './field-meta.ts';

export type ParameterRule =
  | { readonly kind: 'flag'; readonly otherwise: boolean; readonly change: ParameterChange }
  /** Flag whose default the index sets: a declared value is kept even when it is the usual default. */
  | { readonly kind: 'indexFlag'; readonly otherwise: boolean; readonly change: ParameterChange }
  | {
      readonly kind: 'integer';
      readonly otherwise: number | null;
      readonly min: number;
      readonly change: ParameterChange;
    }
  /** Number above 0. */
  | { readonly kind: 'positive'; readonly otherwise: null; readonly change: ParameterChange }
  | { readonly kind: 'text'; readonly otherwise: string | null; readonly change: ParameterChange }
  | {
      readonly kind: 'choice';
      readonly otherwise: string;
      readonly choices: readonly string[];
      readonly change: ParameterChange;
    }
  /** An object of numbers, each with its default; `check` refuses what no single number's type says. */
  | {
      readonly kind: 'numbers';
      readonly otherwise: null;
      readonly members: ReadonlyMap<string, NumberMember>;
      readonly change: ParameterChange;
    }
  /** Kinds of parents and children; `relations`. What a change may not take away is checked by itself. */
  | { readonly kind: 'relations'; readonly otherwise: null; readonly change: ParameterChange }
  /**
   * Any JSON scalar; `null_value`. `read` puts it into its printed form and throws what is wrong with it: new mappings are
   * refused, those that have it stay readable.
   */
  | {
      readonly kind: 'scalar';
      readonly otherwise: null;
      readonly change: ParameterChange;
      readonly read?: ReadScalar;
    }
  /** Kept and printed; no answer depends on its value, for the reason given. `read` as of `scalar`. */
  | {
      readonly kind: 'opaque';
      readonly otherwise: null;
      readonly change: ParameterChange;
      readonly because: string;
      readonly read: ReadScalar;
    }
  /** Like `opaque`, one of some values. */
  | {
      readonly kind: 'withoutEffect';
      readonly otherwise: string | boolean;
      readonly choices: readonly string[];
      readonly change: ParameterChange;
      readonly because: string;
    }
  /** Checked and put into one form by the type: `parse` throws what is wrong with the value. */
  | {
      readonly kind: 'parsed';
      readonly otherwise: null;
      readonly change: ParameterChange;
      readonly parse: (value: unknown) => unknown;
    }
  /** Gone: kept in the mappings that have it, and refused in new ones unless it has its default. */
  | { readonly kind: 'removed'; readonly otherwise: number; readonly change: ParameterChange };

/** @param field the declaration that the value stands in, and the last part of its path */
export type ReadScalar = (value: unknown, field: { readonly name: string; readonly json: JsonObject }) => unknown;

/** One number of a parameter that is an object. */
export interface NumberMember {
  readonly isWhole: boolean;
  /** Value of a member that is left out. */
  readonly otherwise: number;
  /** Members with their default stay out of the printed form; false: they are always printed. */
  readonly isHiddenDefault: boolean;
}

/** Changes that an existing field allows; `toFalse`: only from true to false; `fromNull`: only of what has no value yet. */
export type ParameterChange = 'always' | 'never' | 'toFalse' | 'fromNull';

/** Rules by parameter name. */
export type ParameterTable = ReadonlyMap<string, ParameterRule>;

/** Entries of a parameter table, to be joined with those of one kind. */
export type ParameterEntries = readonly (readonly [string, ParameterRule])[];

/** Rule of a parameter that is true or false. */
export function flag(otherwise: boolean, change: ParameterChange = 'never'): ParameterRule {
  return { kind: 'flag', otherwise, change };
}

/** Rule of a flag whose default an index setting may change. */
export function indexFlag(otherwise: boolean): ParameterRule {
  return { kind: 'indexFlag', otherwise, change: 'always' };
}

/** Rule of a parameter that takes any text. */
export function text(otherwise: string | null, change: ParameterChange = 'never'): ParameterRule {
  return { kind: 'text', otherwise, change };
}

/** Rule of a parameter that takes one of a few words. */
export function choice(otherwise: string, choices: readonly string[]): ParameterRule {
  return { kind: 'choice', otherwise, choices, change: 'never' };
}

/** Rule of a parameter that is checked, kept and printed, and that no answer depends on. */
export function withoutEffect(
  otherwise: string | boolean,
  choices: readonly string[],
  because: string,
  change: ParameterChange = 'never',
): ParameterRule {
  return { kind: 'withoutEffect', otherwise, choices, because, change };
}

/** Rule of `eager_global_ordinals`. */
export const EAGER_ORDINALS: ParameterRule = withoutEffect(
  false,
  ['true', 'false'],
  'it says when ordinals are made, and they are part of each segment',
  'always',
);

/** Rule of an object of numbers. */
export function numbers(
  members: readonly (readonly [string, NumberMember])[],
  change: ParameterChange = 'never',
): ParameterRule {
  return { kind: 'numbers', otherwise: null, members: new Map(members), change };
}

/** Rule of a whole number from `min` on. */
export function integer(
  otherwise: number | null,
  { min, change }: { readonly min: number; readonly change: ParameterChange },
): ParameterRule {
  return { kind: 'integer', otherwise, min, change };
}

/** Rule of `null_value`. */
const SCALAR: ParameterRule = { kind: 'scalar', otherwise: null, change: 'never' };

/** Rule of `meta`. */
export const META: ParameterRule = {
  kind: 'opaque',
  otherwise: null,
  change: 'always',
  because: 'notes of users, kept and shown',
  read: readMeta,
};

/** Values are indexed and in a column, whatever the mapping says. */
export const IMPLIED_INDEX: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['index', true],
  ['doc_values', true],
]);

/** Parameters of every kind that is indexed. */
export const COMMON_PARAMETERS: ParameterEntries = [
  ['index', flag(true)],
  ['store', flag(false)],
  ['meta', META],
  ['boost', { kind: 'removed', otherwise: 1, change: 'always' }],
];

/** Parameters of the kinds whose values have one exact form: booleans, dates, addresses. */
export const SCALAR_PARAMETERS: ParameterEntries = [
  ...COMMON_PARAMETERS,
  ['doc_values', flag(true)],
  ['null_value', SCALAR],
  ['ignore_malformed', indexFlag(false)],
];
