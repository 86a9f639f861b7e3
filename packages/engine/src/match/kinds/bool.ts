/**
 * bool on a shard.
 */
import { illegalArgument } from '@shoal/core';
import type { BoolQuery, QueryNode } from '@shoal/query';
import { allDocsWeight } from '../bits/constant-weight.ts';
import { minimumShouldMatch } from '../compile/minimum-should-match.ts';
import type { ClauseUse } from '../context/clause-use.ts';
import type { CompileContext } from '../context/compile-context.ts';
import { booleanWeight } from '../scorers/boolean-weight.ts';
import { CLAUSES_MAX } from '../term-sets/clause-limits.ts';
import type { Weight } from '../weight/weight.ts';
import { type CompileInner, type QueryBehaviour, UNSCORED } from './query-behaviour.ts';

function compileBool(ctx: CompileContext, query: BoolQuery, use: ClauseUse, compileInner: CompileInner): Weight {
  const { must, filter, should, mustNot } = query;
  const clauseCount = must.length + filter.length + should.length + mustNot.length;
  if (clauseCount === 0) return allDocsWeight(use.boost);
  if (clauseCount > CLAUSES_MAX) throw illegalArgument(`maxClauseCount is set to ${CLAUSES_MAX}`);
  const compile = (clauses: readonly QueryNode[], as: ClauseUse) =>
    clauses.map((clause) => compileInner(ctx, clause, as));
  const isRequired = must.length + filter.length > 0;
  const byDefault = isRequired || should.length === 0 ? 0 : 1;
  // Exclusions alone match all other documents, whatever minimum is asked for.
  const specified = isRequired || should.length > 0 ? query.minimumShouldMatch : null;
  return booleanWeight({
    must: compile(must, use),
    filter: compile(filter, UNSCORED),
    should: compile(should, use),
    mustNot: compile(mustNot, UNSCORED),
    minimumShouldMatch:
      specified === null ? byDefault : Math.max(byDefault, minimumShouldMatch(specified, should.length)),
  });
}

export const bool: QueryBehaviour<BoolQuery> = {
  compile: compileBool,
  describe({ must, filter, should, mustNot }, textOf) {
    const signed = (sign: string, clauses: readonly QueryNode[]) =>
      clauses.map((clause) => sign + nestedText(clause, textOf));
    const clauses = [...signed('+', must), ...signed('#', filter), ...signed('', should), ...signed('-', mustNot)];
    return { type: 'BooleanQuery', text: clauses.join(' ') };
  },
  canMatch(_ctx, { must, filter, should }, canInnerMatch) {
    if (!must.every(canInnerMatch) || !filter.every(canInnerMatch)) return false;
    // Optional clauses count where there are no others.
    return must.length + filter.length > 0 || should.length === 0 || should.some(canInnerMatch);
  },
  mark({ must, filter, should }, _sink, markInner) {
    for (const clause of [...must, ...should, ...filter]) markInner(clause);
  },
};

/** In parentheses where it is not one word. */
function nestedText(query: QueryNode, textOf: (inner: QueryNode) => string): string {
  const text = textOf(query);
  return query.kind === 'bool' || text.includes(' ') ? `(${text})` : text;
}
