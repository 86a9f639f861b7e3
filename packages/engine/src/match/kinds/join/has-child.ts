/**
 * has_child on a shard.
 */
import type { HasChildQuery } from '@shoal/query';
import type { QueryBehaviour } from '../query-behaviour.ts';
import { relationOfChild } from './join-kinds.ts';
import { relationQuery } from './relation-query.ts';

export const hasChild: QueryBehaviour<HasChildQuery> = relationQuery({
  relation: (ctx, { type, ignoreUnmapped }) =>
    relationOfChild(ctx, 'has_child', { child: type, ignoresUnmapped: ignoreUnmapped }),
  foundKind: ({ type }) => type,
  matchingKinds: (_query, { parent }) => [parent],
  mode: ({ scoreMode }) => scoreMode,
  accepts:
    ({ minChildren, maxChildren }) =>
    ({ count }) =>
      count >= minChildren && count <= maxChildren,
});
