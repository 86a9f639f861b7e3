/**
 * Functions that change scores: what a function_score query is made of.
 */
import type { Query, QueryValue } from './query-tree.ts';

export type ScoreMode = 'first' | 'avg' | 'max' | 'sum' | 'min' | 'multiply';
export type BoostMode = 'multiply' | 'replace' | 'sum' | 'avg' | 'max' | 'min';
export type ValueModifier =
  | 'none'
  | 'log'
  | 'log1p'
  | 'log2p'
  | 'ln'
  | 'ln1p'
  | 'ln2p'
  | 'square'
  | 'sqrt'
  | 'reciprocal';
export type DecayCurve = 'gauss' | 'exp' | 'linear';
export type ValueMode = 'min' | 'max' | 'avg' | 'sum';

export interface FieldValueFunction {
  readonly kind: 'fieldValue';
  readonly field: string;
  readonly factor: number;
  readonly modifier: ValueModifier;
  /** null: a document without a value is an error. */
  readonly missing: number | null;
}

export interface RandomFunction {
  readonly kind: 'random';
  /** null: another order each time. */
  readonly seed: string | null;
  /** null: documents are told apart by their sequence numbers. */
  readonly field: string | null;
}

/** Falls with the distance from `origin`; dates are as the user wrote them. */
export interface DecayFunction {
  readonly kind: 'decay';
  readonly curve: DecayCurve;
  readonly field: string;
  /** null: now, for dates alone. */
  readonly origin: QueryValue;
  /** Distance at which the score is `decay`. */
  readonly scale: QueryValue;
  /** Distance up to which it is 1; null: none. */
  readonly offset: QueryValue;
  readonly decay: number;
  readonly mode: ValueMode;
}

/** Only a weight. */
export interface ConstantFunction {
  readonly kind: 'constant';
}

export interface WeighedFunction {
  readonly score: FieldValueFunction | RandomFunction | DecayFunction | ConstantFunction;
  /** Documents that it counts for; null: all. */
  readonly filter: Query | null;
  /** null: 1, and no part of the weights of an average. */
  readonly weight: number | null;
}
