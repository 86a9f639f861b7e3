/**
 * `function_score`: a query whose scores are changed by functions of the documents.
 */
import type { QueryKind } from '../../node/query-kind.ts';
import type { QueryNode } from '../../node/query-node.ts';
import type { FunctionScoreQuery } from './function-score-tree.ts';
import { parseFunctionScore } from './parse-function-score.ts';
import { readFunctionScore } from './read-function-score.ts';

export const functionScore: QueryKind<FunctionScoreQuery> = {
  kind: 'functionScore',
  parse: parseFunctionScore,
  read: readFunctionScore,
  inner: ({ query, functions }): readonly QueryNode[] => [
    query,
    ...functions.map(({ filter }) => filter).filter((filter) => filter !== null),
  ],
};
