/**
 * has_parent on a shard.
 */
import type { HasParentQuery } from '@shoal/query';
import type { QueryBehaviour } from '../query-behaviour.ts';
import { relationOfParent } from './join-kinds.ts';
import { relationQuery } from './relation-query.ts';

export const hasParent: QueryBehaviour<HasParentQuery> = relationQuery({
  relation: (ctx, { parentType, ignoreUnmapped }) =>
    relationOfParent(ctx, 'has_parent', { parent: parentType, ignoresUnmapped: ignoreUnmapped }),
  foundKind: ({ parentType }) => parentType,
  matchingKinds: (_query, { join, parent }) => join.relations.get(parent) ?? [],
  mode: ({ takesScore }) => (takesScore ? 'max' : 'none'),
  accepts: () => () => true,
});
