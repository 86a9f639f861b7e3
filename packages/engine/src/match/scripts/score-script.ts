/**
 * Scores that scripts make, and the context they see: the document, its score in the query, and functions of distances.
 */
import { illegalArgument, javaDoubleText } from '@shoal/core';
import { SCORE_CONTEXT, type ScriptRequest } from '@shoal/script';
import type { CompileContext } from '../context/compile-context.ts';
import type { ScoreFunction } from '../function-score/score-functions.ts';
import { explained, explainedValue } from '../weight/explanation.ts';
import { DocumentScript, describeScript } from './document-script.ts';

/** A function of function_score. @throws ShoalError where the script does not compile */
export function scriptFunction(ctx: CompileContext, request: ScriptRequest): ScoreFunction {
  const script = new DocumentScript(ctx, request, SCORE_CONTEXT);
  return {
    needsScore: true,
    bind(view) {
      const run = script.bind(view);
      const score = (doc: number, queryScore: number): number => {
        const value = run(doc, queryScore) as number;
        if (value >= 0) return value;
        throw illegalArgument(
          `script score function must not produce negative scores, but got: [${javaDoubleText(value)}]`,
        );
      };
      return {
        score,
        explain: (doc, query) => {
          const queryScore = explainedValue(query);
          const text = `script score function, computed with script:"${describeScript(request)}"`;
          return explained(score(doc, queryScore), text, [explained(queryScore, '_score: ', [query])]);
        },
      };
    },
  };
}
