/**
 * Queries that show documents inside their matches, or related to them.
 */
import { illegalArgument } from '@shoal/core';
import { innerQueries, type QueryNode } from '@shoal/query';
import type { CompileContext } from '../context/compile-context.ts';
import type { InnerHitsSource } from '../kinds/query-behaviour.ts';
import { compileQuery } from './compile-query.ts';
import { behaviourOf } from './query-behaviours.ts';

/**
 * Inner hits of queries, those inside a query with inner hits apart: these belong to the inner hits themselves.
 *
 * @throws ShoalError when two have one name, and what is wrong with their queries here
 */
export function innerHitsOf(ctx: CompileContext, queries: readonly QueryNode[]): readonly InnerHitsSource[] {
  const found = new Map<string, InnerHitsSource>();
  for (const query of queries) collect(ctx, query, found);
  return [...found.values()];
}

function collect(ctx: CompileContext, query: QueryNode, into: Map<string, InnerHitsSource>): void {
  const behaviour = behaviourOf(query);
  if (behaviour.innerHits === undefined) {
    for (const inner of innerQueries(query)) collect(ctx, inner, into);
    return;
  }
  const source = behaviour.innerHits(ctx, query, compileQuery);
  if (source === null) return;
  if (into.has(source.name)) throw illegalArgument(`[inner_hits] already contains an entry for key [${source.name}]`);
  into.set(source.name, source);
}
