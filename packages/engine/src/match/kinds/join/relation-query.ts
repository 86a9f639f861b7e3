/**
 * What has_child and has_parent share: documents of one side of a relation are found by those of the other.
 */
import type { InnerHits, QueryNode } from '@shoal/query';
import type { CompileContext } from '../../context/compile-context.ts';
import { refuseExpensive } from '../../context/refuse-expensive.ts';
import { NONE_WEIGHT } from '../../weight/weight.ts';
import { type QueryBehaviour, showsScores } from '../query-behaviour.ts';
import { amongKinds, kindsWeight, type Relation } from './join-kinds.ts';
import { type Join, joinWeight } from './join-weight.ts';
import type { JoinSide } from './joined-ids.ts';
import { RelatedDocs } from './related-docs.ts';

interface RelationQuery extends QueryNode {
  /** What the documents of the other side match. */
  readonly query: QueryNode;
  readonly innerHits: InnerHits | null;
}

export interface RelationSides<Q> {
  /** null where the shard need not know the relation, and does not. */
  relation(ctx: CompileContext, query: Q): Relation | null;
  /** Kind of the documents that the query inside finds. */
  foundKind(query: Q): string;
  /** Kinds of the documents that match. */
  matchingKinds(query: Q, relation: Relation): readonly string[];
  /** How scores are joined where they are wanted. */
  mode(query: Q): JoinSide['mode'];
  accepts(query: Q): Join['accepts'];
}

export function relationQuery<Q extends RelationQuery>(sides: RelationSides<Q>): QueryBehaviour<Q> {
  return {
    compile(ctx, query, use, compileInner) {
      refuseExpensive(ctx, 'joining');
      const relation = sides.relation(ctx, query);
      if (relation === null) return NONE_WEIGHT;
      const { join, ids } = relation;
      const mode = use.isScored ? sides.mode(query) : 'none';
      const inner = compileInner({ ...ctx, nestedPath: '' }, query.query, { ...use, isScored: mode !== 'none' });
      return joinWeight(ctx, {
        from: { weight: amongKinds(inner, join, [sides.foundKind(query)]), ids, mode },
        to: kindsWeight(join, sides.matchingKinds(query, relation)),
        accepts: sides.accepts(query),
        boost: use.boost,
        text: `GlobalOrdinalsQuery{joinField=${ids}}`,
        plainText: `LateParsingQuery {joinField=${ids}}`,
      });
    },
    innerHits(ctx, query, compileInner) {
      const { innerHits: hits } = query;
      const relation = hits === null ? null : sides.relation(ctx, query);
      if (hits === null || relation === null) return null;
      const kind = sides.foundKind(query);
      const inner = { ...ctx, nestedPath: '' };
      const isScored = showsScores(hits);
      const matches = amongKinds(compileInner(inner, query.query, { boost: 1, isScored }), relation.join, [kind]);
      const docs = new RelatedDocs(ctx.searcher.views, matches, relation.ids, isScored);
      return { name: hits.name ?? kind, hits, query: query.query, ctx: inner, docs };
    },
    describe: ({ query }, textOf) => ({ type: 'GlobalOrdinalsQuery', text: `GlobalOrdinalsQuery(${textOf(query)})` }),
    canMatch: (_ctx, { query }, canInnerMatch) => canInnerMatch(query),
    // What is asked of related documents stands in no document that is shown.
    mark: () => {},
  };
}
