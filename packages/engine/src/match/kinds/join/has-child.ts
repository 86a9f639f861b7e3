/**
 * has_child on a shard.
 */
import type { HasChildQuery } from '@shoal/query';
import type { ClauseUse } from '../../context/clause-use.ts';
import type { CompileContext } from '../../context/compile-context.ts';
import { NONE_WEIGHT, type Weight } from '../../weight/weight.ts';
import { type CompileInner, type InnerHitsSource, type QueryBehaviour, showsScores } from '../query-behaviour.ts';
import { amongKinds, kindsWeight, type Relation, relationOfChild } from './join-kinds.ts';
import { joinWeight } from './join-weight.ts';
import { RelatedDocs } from './related-docs.ts';

const NAME = 'has_child';

function relationOf(ctx: CompileContext, { type, ignoreUnmapped }: HasChildQuery): Relation | null {
  return relationOfChild(ctx, NAME, { child: type, ignoresUnmapped: ignoreUnmapped });
}

function compileHasChild(
  ctx: CompileContext,
  query: HasChildQuery,
  use: ClauseUse,
  compileInner: CompileInner,
): Weight {
  const relation = relationOf(ctx, query);
  if (relation === null) return NONE_WEIGHT;
  const { join, parent, ids } = relation;
  const mode = use.isScored ? query.scoreMode : 'none';
  const inner = compileInner({ ...ctx, nestedPath: '' }, query.query, { ...use, isScored: mode !== 'none' });
  const { minChildren, maxChildren } = query;
  return joinWeight(ctx, {
    from: { weight: amongKinds(inner, join, [query.type]), ids, mode },
    to: kindsWeight(join, [parent]),
    accepts: ({ count }) => count >= minChildren && count <= maxChildren,
    boost: use.boost,
    text: `GlobalOrdinalsQuery{joinField=${ids}}`,
  });
}

function innerHits(ctx: CompileContext, query: HasChildQuery, compileInner: CompileInner): InnerHitsSource | null {
  const { innerHits: hits, type } = query;
  const relation = hits === null ? null : relationOf(ctx, query);
  if (hits === null || relation === null) return null;
  const inner = { ...ctx, nestedPath: '' };
  const isScored = showsScores(hits);
  const matches = amongKinds(compileInner(inner, query.query, { boost: 1, isScored }), relation.join, [type]);
  const docs = new RelatedDocs(ctx.searcher.views, matches, relation.ids, isScored);
  return { name: hits.name ?? type, hits, query: query.query, ctx: inner, docs };
}

export const hasChild: QueryBehaviour<HasChildQuery> = {
  compile: compileHasChild,
  innerHits,
  describe: ({ query }, textOf) => ({ type: 'GlobalOrdinalsQuery', text: `GlobalOrdinalsQuery(${textOf(query)})` }),
  canMatch: (_ctx, { query }, canInnerMatch) => canInnerMatch(query),
  mark: ({ query }, _sink, markInner) => markInner(query),
};
