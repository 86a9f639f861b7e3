/**
 * Queries of a search that look at its hits alone: what is wrong with them is told by a shard without hits too.
 */
import type { SearchRequest } from '@shoal/query';
import { asQueryShardError, type CompileContext } from '../../match/context/compile-context.ts';
import { compileQuery } from '../../match/registry/compile-query.ts';

/** @throws ShoalError for a query that fields do not allow, and for an expensive one where these are forbidden */
export function checkQueriesOfHits(ctx: CompileContext, { highlight, rescore }: SearchRequest): void {
  const unscored = { boost: 1, isScored: false };
  for (const { options } of highlight?.fields ?? []) {
    if (options.highlightQuery !== null) compileQuery(ctx, options.highlightQuery, unscored);
  }
  if (ctx.refusesExpensive !== true) return;
  for (const { query } of rescore) asQueryShardError(ctx.shard, () => compileQuery(ctx, query, unscored));
}
