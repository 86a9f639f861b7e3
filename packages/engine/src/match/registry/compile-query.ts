/**
 * The typed query tree to weights over one shard: which values mean what, by the shard's mapping.
 */
import type { QueryNode } from '@shoal/query';
import { constantWeight } from '../bits/constant-weight.ts';
import type { ClauseUse } from '../context/clause-use.ts';
import type { CompileContext } from '../context/compile-context.ts';
import { refuseRuntimeField } from '../context/refuse-expensive.ts';
import { boostedWeight, type Weight } from '../weight/weight.ts';
import { describeQuery } from './describe-query.ts';
import { behaviourOf } from './query-behaviours.ts';

/** @throws ShoalError what is wrong with the query here; the caller names the index */
export function compileQuery(ctx: CompileContext, query: QueryNode, outer: ClauseUse): Weight {
  const { profile } = ctx;
  return profile === undefined
    ? compileKind(ctx, query, outer)
    : profile.around(describeQuery(query), () => compileKind(ctx, query, outer));
}

function compileKind(ctx: CompileContext, query: QueryNode, outer: ClauseUse): Weight {
  if ('field' in query && typeof query.field === 'string') refuseRuntimeField(ctx, ctx.mapping.field(query.field));
  if (query.boost === 0) return worthlessWeight(ctx, query, outer);
  // Both are floats, and so is their product: 3 times 0.3 is 0.90000004.
  const boost = Math.fround(outer.boost * Math.fround(query.boost));
  const use: ClauseUse = query.boost === 1 ? outer : { ...outer, boost };
  return boostedWeight(behaviourOf(query).compile(ctx, query, use, compileQuery), query.boost);
}

/** A query that is worth nothing is asked whether it matches: its scores, and limits on them, are those without a boost. */
function worthlessWeight(ctx: CompileContext, query: QueryNode, outer: ClauseUse): Weight {
  const inner = behaviourOf(query).compile(ctx, query, { ...outer, boost: 1, isScored: false }, compileQuery);
  if (!outer.isScored) return boostedWeight(inner, 0);
  const { plan: _, ...others } = inner;
  const { scorer, constantScore } = constantWeight((view) => inner.scorer(view), 0);
  return boostedWeight({ ...others, scorer, ...(constantScore !== undefined && { constantScore }) }, 0);
}
