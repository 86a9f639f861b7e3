/**
 * nested on a shard.
 */
import { ShoalError } from '@shoal/core';
import type { NestedQuery } from '@shoal/query';
import { NESTED_PATH_FIELD } from '../../../format/metadata-fields.ts';
import { cachedFilterWeight, filterKey } from '../../context/cached-filters.ts';
import type { ClauseUse } from '../../context/clause-use.ts';
import type { CompileContext } from '../../context/compile-context.ts';
import { refuseExpensive } from '../../context/refuse-expensive.ts';
import { booleanWeight } from '../../scorers/boolean-weight.ts';
import { NONE_WEIGHT, type Weight } from '../../weight/weight.ts';
import {
  type CompileInner,
  type InnerHitsSource,
  type QueryBehaviour,
  showsScores,
  UNSCORED,
} from '../query-behaviour.ts';
import { BlockDocs } from './block-docs.ts';
import { docsOfPath } from './nested-docs.ts';
import { toParentWeight } from './to-parent-weight.ts';

function compileNested(ctx: CompileContext, query: NestedQuery, use: ClauseUse, compileInner: CompileInner): Weight {
  refuseExpensive(ctx, 'joining');
  if (!isNested(ctx, query)) return NONE_WEIGHT;
  const { scoreMode } = query;
  const isScored = use.isScored && scoreMode !== 'none';
  const { inner, children } = childWeights(ctx, query, { ...use, isScored }, compileInner);
  return toParentWeight({ children, query: inner, path: ctx.nestedPath ?? '', mode: scoreMode });
}

/** False where the path is no nested object, and need not be. */
function isNested(ctx: CompileContext, { path, ignoreUnmapped }: NestedQuery): boolean {
  const object = ctx.mapping.objects.get(path);
  if (object?.nested) return true;
  if (ignoreUnmapped) return false;
  const why = object ? 'nested object under path' : 'failed to find nested object under path';
  throw new ShoalError(
    'illegal_state_exception',
    400,
    `[nested] ${why} [${path}]${object ? ' is not of nested type' : ''}`,
  );
}

/** The query inside, and the same over the objects of the path alone. */
function childWeights(
  ctx: CompileContext,
  { path, query }: NestedQuery,
  use: ClauseUse,
  compileInner: CompileInner,
): { readonly inner: Weight; readonly children: Weight } {
  const inner = compileInner({ ...ctx, nestedPath: path }, query, use);
  const filter = [pathWeight(ctx, path)];
  const children = booleanWeight({ must: [inner], filter, should: [], mustNot: [], minimumShouldMatch: 0 });
  return { inner, children };
}

function innerHits(ctx: CompileContext, query: NestedQuery, compileInner: CompileInner): InnerHitsSource | null {
  const { path, innerHits: hits } = query;
  if (hits === null || !isNested(ctx, query)) return null;
  // Their scores are those of the query inside: what the whole is worth counts for the document around them alone.
  const use = { boost: 1, isScored: showsScores(hits) };
  const { children } = childWeights(ctx, query, use, compileInner);
  return {
    name: hits.name ?? path,
    hits,
    query: query.query,
    ctx: { ...ctx, nestedPath: path },
    docs: new BlockDocs(children, ctx.nestedPath ?? '', use.isScored),
  };
}

function pathWeight(ctx: CompileContext, path: string): Weight {
  const key = filterKey('term', NESTED_PATH_FIELD, [path]);
  return cachedFilterWeight(ctx, key, (view) => docsOfPath(view, path), UNSCORED, `${NESTED_PATH_FIELD}:${path}`);
}

export const nested: QueryBehaviour<NestedQuery> = {
  compile: compileNested,
  innerHits,
  describe: ({ query }, textOf) => ({
    type: 'ToParentBlockJoinQuery',
    text: `ToParentBlockJoinQuery (${textOf(query)})`,
  }),
  canMatch: (ctx, { query, path, ignoreUnmapped }, canInnerMatch) =>
    ctx.mapping.objects.get(path)?.nested ? canInnerMatch(query) : !ignoreUnmapped,
  mark: ({ query }, _sink, markInner) => markInner(query),
};
