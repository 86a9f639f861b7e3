/**
 * parent_id on a shard.
 */
import type { ParentIdQuery } from '@shoal/query';
import { joinFieldOf, parentIdField, parentKind } from '@shoal/schema';
import { termLevelWeight } from '../../compile/compile-term-level.ts';
import type { ClauseUse } from '../../context/clause-use.ts';
import { type CompileContext, queryShardError } from '../../context/compile-context.ts';
import { refuseExpensive } from '../../context/refuse-expensive.ts';
import { NONE_WEIGHT, type Weight } from '../../weight/weight.ts';
import type { QueryBehaviour } from '../query-behaviour.ts';
import { amongKinds } from './join-kinds.ts';

function compileParentId(ctx: CompileContext, { type, id, ignoreUnmapped }: ParentIdQuery, use: ClauseUse): Weight {
  refuseExpensive(ctx, 'joining');
  const join = joinFieldOf(ctx.mapping);
  if (join === null) {
    if (ignoreUnmapped) return NONE_WEIGHT;
    throw queryShardError(ctx.shard, `[parent_id] no join field found for index [${ctx.shard.index}]`);
  }
  const parent = parentKind(join, type);
  const ids = parent === null ? null : parentIdField(join, parent);
  if (ids === null) {
    if (ignoreUnmapped) return NONE_WEIGHT;
    throw queryShardError(ctx.shard, `[parent_id] no relation found for child [${type}]`);
  }
  return amongKinds(termLevelWeight(ctx, ids.path, id, use), join, [type]);
}

export const parentId: QueryBehaviour<ParentIdQuery> = {
  compile: compileParentId,
  describe: ({ type, id }) => ({ type: 'BooleanQuery', text: `+${id} #${type}` }),
  mark: () => {},
};
