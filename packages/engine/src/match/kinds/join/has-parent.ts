/**
 * has_parent on a shard.
 */
import type { HasParentQuery } from '@shoal/query';
import type { ClauseUse } from '../../context/clause-use.ts';
import type { CompileContext } from '../../context/compile-context.ts';
import { NONE_WEIGHT, type Weight } from '../../weight/weight.ts';
import { type CompileInner, type InnerHitsSource, type QueryBehaviour, showsScores } from '../query-behaviour.ts';
import { amongKinds, kindsWeight, type Relation, relationOfParent } from './join-kinds.ts';
import { joinWeight } from './join-weight.ts';
import { RelatedDocs } from './related-docs.ts';

const NAME = 'has_parent';

function relationOf(ctx: CompileContext, { parentType, ignoreUnmapped }: HasParentQuery): Relation | null {
  return relationOfParent(ctx, NAME, { parent: parentType, ignoresUnmapped: ignoreUnmapped });
}

function compileHasParent(
  ctx: CompileContext,
  query: HasParentQuery,
  use: ClauseUse,
  compileInner: CompileInner,
): Weight {
  const relation = relationOf(ctx, query);
  if (relation === null) return NONE_WEIGHT;
  const { join, parent, ids } = relation;
  const mode = use.isScored && query.takesScore ? 'max' : 'none';
  const inner = compileInner({ ...ctx, nestedPath: '' }, query.query, { ...use, isScored: mode !== 'none' });
  return joinWeight(ctx, {
    from: { weight: amongKinds(inner, join, [parent]), ids, mode },
    to: kindsWeight(join, join.relations.get(parent) ?? []),
    accepts: () => true,
    boost: use.boost,
    text: `GlobalOrdinalsQuery{joinField=${ids}}`,
  });
}

function innerHits(ctx: CompileContext, query: HasParentQuery, compileInner: CompileInner): InnerHitsSource | null {
  const { innerHits: hits, parentType } = query;
  const relation = hits === null ? null : relationOf(ctx, query);
  if (hits === null || relation === null) return null;
  const inner = { ...ctx, nestedPath: '' };
  const isScored = showsScores(hits);
  const matches = amongKinds(compileInner(inner, query.query, { boost: 1, isScored }), relation.join, [parentType]);
  const docs = new RelatedDocs(ctx.searcher.views, matches, relation.ids, isScored);
  return { name: hits.name ?? parentType, hits, query: query.query, ctx: inner, docs };
}

export const hasParent: QueryBehaviour<HasParentQuery> = {
  compile: compileHasParent,
  innerHits,
  describe: ({ query }, textOf) => ({ type: 'GlobalOrdinalsQuery', text: `GlobalOrdinalsQuery(${textOf(query)})` }),
  canMatch: (_ctx, { query }, canInnerMatch) => canInnerMatch(query),
  mark: ({ query }, _sink, markInner) => markInner(query),
};
