/**
 * Queries that carry a `_name`: hits say which of them they match.
 */
import type { QueryNode } from '../node/query-node.ts';
import { asQuery, innerQueries, type Query } from './query.ts';

/** Every query with a name, the outer before the inner; where two have one name, the last. */
export function namedQueries(query: QueryNode): ReadonlyMap<string, Query> {
  const named = new Map<string, Query>();
  collect(asQuery(query), named);
  return named;
}

function collect(query: Query, into: Map<string, Query>): void {
  if (query.name !== null) into.set(query.name, query);
  for (const inner of innerQueries(query)) collect(asQuery(inner), into);
}
