/**
 * function_score from a decoded message.
 */
import { ValueReader } from '@shoal/core';
import type { ReadInner } from '../../node/query-kind.ts';
import { readBase } from '../../node/query-node.ts';
import {
  BOOST_MODES,
  FUNCTIONS_MAX,
  type FunctionScoreQuery,
  SCORE_MODES,
  type WeighedFunction,
} from './function-score-tree.ts';
import { readScore } from './score-registry.ts';

export function readFunctionScore(r: ValueReader, readInner: ReadInner): FunctionScoreQuery {
  return {
    kind: 'functionScore',
    query: r.item('query', readInner),
    functions: r.list('functions', (value, field) => readFunction(value, field, readInner), FUNCTIONS_MAX),
    scoreMode: r.oneOf('scoreMode', SCORE_MODES),
    boostMode: r.oneOf('boostMode', BOOST_MODES),
    maxBoost: r.optionalNumber('maxBoost'),
    minScore: r.optionalNumber('minScore'),
    ...readBase(r),
  };
}

function readFunction(value: unknown, field: string, readInner: ReadInner): WeighedFunction {
  const r = ValueReader.of(value, field);
  const weight = r.optionalNumber('weight');
  if (weight !== null && weight < 0) r.refuse('weight', 'a number of at least 0');
  return { score: readScore(r.object('score')), filter: r.optional('filter', readInner), weight };
}
