/**
 * nested on a shard.
 */
import { ShoalError } from '@shoal/core';
import type { NestedQuery } from '@shoal/query';
import { NESTED_PATH_FIELD } from '../../../format/metadata-fields.ts';
import { cachedFilterWeight, filterKey } from '../../context/cached-filters.ts';
import type { ClauseUse } from '../../context/clause-use.ts';
import type { CompileContext } from '../../context/compile-context.ts';
import { booleanWeight } from '../../scorers/boolean-weight.ts';
import { NONE_WEIGHT, type Weight } from '../../weight/weight.ts';
import { type CompileInner, type QueryBehaviour, UNSCORED } from '../query-behaviour.ts';
import { docsOfPath } from './nested-docs.ts';
import { toParentWeight } from './to-parent-weight.ts';

function compileNested(ctx: CompileContext, query: NestedQuery, use: ClauseUse, compileInner: CompileInner): Weight {
  const { path, scoreMode } = query;
  const object = ctx.mapping.objects.get(path);
  if (!object?.nested) {
    if (query.ignoreUnmapped) return NONE_WEIGHT;
    const why = object ? 'nested object under path' : 'failed to find nested object under path';
    throw new ShoalError(
      'illegal_state_exception',
      400,
      `[nested] ${why} [${path}]${object ? ' is not of nested type' : ''}`,
    );
  }
  const isScored = use.isScored && scoreMode !== 'none';
  const inner = compileInner({ ...ctx, nestedPath: path }, query.query, { ...use, isScored });
  const children = booleanWeight({
    must: [inner],
    filter: [pathWeight(ctx, path)],
    should: [],
    mustNot: [],
    minimumShouldMatch: 0,
  });
  return toParentWeight({ children, query: inner, path: ctx.nestedPath ?? '', mode: scoreMode });
}

function pathWeight(ctx: CompileContext, path: string): Weight {
  const key = filterKey('term', NESTED_PATH_FIELD, [path]);
  return cachedFilterWeight(ctx, key, (view) => docsOfPath(view, path), UNSCORED, `${NESTED_PATH_FIELD}:${path}`);
}

export const nested: QueryBehaviour<NestedQuery> = {
  compile: compileNested,
  describe: ({ query }, textOf) => ({
    type: 'ToParentBlockJoinQuery',
    text: `ToParentBlockJoinQuery (${textOf(query)})`,
  }),
  canMatch: (ctx, { query, path, ignoreUnmapped }, canInnerMatch) =>
    ctx.mapping.objects.get(path)?.nested ? canInnerMatch(query) : !ignoreUnmapped,
  mark: ({ query }, _sink, markInner) => markInner(query),
};
