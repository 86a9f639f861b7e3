/**
 * function_score: a query whose scores are changed by functions of the documents.
 */
import type { QueryNode } from '../../node/query-node.ts';
import type { ScoreNode } from './score-registry.ts';

/** Functions of one query. */
export const FUNCTIONS_MAX = 1_024;

export const SCORE_MODES = ['first', 'avg', 'max', 'sum', 'min', 'multiply'] as const;
export const BOOST_MODES = ['multiply', 'replace', 'sum', 'avg', 'max', 'min'] as const;

/** How the scores of the functions become one. */
export type ScoreMode = (typeof SCORE_MODES)[number];
/** How the score of the functions and that of the query become one. */
export type BoostMode = (typeof BOOST_MODES)[number];

export interface WeighedFunction {
  readonly score: ScoreNode;
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
