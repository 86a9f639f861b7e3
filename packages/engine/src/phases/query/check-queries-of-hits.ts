/**
 * Queries of a search that look at its hits alone: forbidden ones are refused on a shard without hits too.
 */
import type { SearchRequest } from '@shoal/query';
import { asQueryShardError, type CompileContext } from '../../match/context/compile-context.ts';
import { compileQuery } from '../../match/registry/compile-query.ts';

/** @throws ShoalError for an expensive query where these are forbidden */
export function checkQueriesOfHits(ctx: CompileContext, { highlight, rescore }: SearchRequest): void {
  if (ctx.refusesExpensive !== true) return;
  const unscored = { boost: 1, isScored: false };
  for (const { query } of rescore) asQueryShardError(ctx.shard, () => compileQuery(ctx, query, unscored));
  for (const { options } of highlight?.fields ?? []) {
    if (options.highlightQuery !== null) compileQuery(ctx, options.highlightQuery, unscored);
  }
}
