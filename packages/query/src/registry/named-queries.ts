/**
 * Queries that carry a `_name`: hits say which of them they match.
 */
import type { QueryNode } from '../node/query-node.ts';
import { asQuery, innerQueries, type Query } from './query.ts';

/** Every query with a name, the outer before the inner; where two have one name, the outer one, or the last of several. */
export function namedQueries(query: QueryNode): ReadonlyMap<string, Query> {
  const named = new Map<string, Query>();
  collect(asQuery(query), named);
  return named;
}

function collect(query: Query, into: Map<string, Query>): void {
  // What cannot match is no query any more when names are gathered, and what stands in it neither.
  if (isNothing(query)) return;
  if (query.name !== null) into.set(query.name, query);
  for (const inner of innerQueries(query)) collect(asQuery(inner), into);
  // Its place is in front of what stands in it; the name is its own all the same.
  if (query.name !== null) into.set(query.name, query);
}

/** Whether it matches nothing, whatever is in the index: an empty set of values, and a combination that needs one. */
function isNothing(query: Query): boolean {
  switch (query.kind) {
    case 'matchNone':
      return true;
    case 'bool':
      return [...query.must, ...query.filter].some((inner) => isNothing(asQuery(inner)));
    case 'terms':
      return query.values.length === 0;
    default:
      return false;
  }
}
