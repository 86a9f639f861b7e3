/**
 * function_score: a query whose scores are changed by functions of the documents.
 */
import type { QueryNode, QueryValue } from '../../node/query-node.ts';

/** Functions of one query. */
export const FUNCTIONS_MAX = 1_024;

export const SCORE_MODES = ['first', 'avg', 'max', 'sum', 'min', 'multiply'] as const;
export const BOOST_MODES = ['multiply', 'replace', 'sum', 'avg', 'max', 'min'] as const;
export const VALUE_MODES = ['min', 'max', 'avg', 'sum'] as const;
export const DECAY_CURVES = ['gauss', 'exp', 'linear'] as const;
export const MODIFIERS = [
  'none',
  'log',
  'log1p',
  'log2p',
  'ln',
  'ln1p',
  'ln2p',
  'square',
  'sqrt',
  'reciprocal',
] as const;

/** How the scores of the functions become one. */
export type ScoreMode = (typeof SCORE_MODES)[number];
/** How the score of the functions and that of the query become one. */
export type BoostMode = (typeof BOOST_MODES)[number];
/** Which of the values of a field counts. */
export type ValueMode = (typeof VALUE_MODES)[number];
export type DecayCurve = (typeof DECAY_CURVES)[number];
export type ValueModifier = (typeof MODIFIERS)[number];

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
  /** Between 0 and 1, both excluded. */
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
  readonly filter: QueryNode | null;
  /** null: 1, and no part of the weights of an average. */
  readonly weight: number | null;
}

export interface FunctionScoreQuery extends QueryNode {
  readonly kind: 'functionScore';
  readonly query: QueryNode;
  readonly functions: readonly WeighedFunction[];
  readonly scoreMode: ScoreMode;
  readonly boostMode: BoostMode;
  /** Limit on the score of the functions together; null: none. */
  readonly maxBoost: number | null;
  /** Documents below it do not match; null: all do. */
  readonly minScore: number | null;
}
