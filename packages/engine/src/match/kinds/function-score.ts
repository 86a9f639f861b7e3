/**
 * function_score on a shard.
 */
import type { FunctionScoreQuery } from '@shoal/query';
import { compileFunctionScore } from '../compile/compile-function-score.ts';
import type { QueryBehaviour } from './query-behaviour.ts';

export const functionScore: QueryBehaviour<FunctionScoreQuery> = {
  compile: (ctx, query, use, compileInner) =>
    compileFunctionScore(ctx, query, use, (inner, as) => compileInner(ctx, inner, as)),
  describe: () => ({ type: 'FunctionScoreQuery', text: '' }),
  canMatch: (_ctx, { query }, canInnerMatch) => canInnerMatch(query),
  mark({ query }, sink, markInner) {
    // The unified highlighter knows of the query inside no more than its words.
    if (sink.highlighter === 'unified') sink.apart(false, () => markInner(query));
    else markInner(query);
  },
};
