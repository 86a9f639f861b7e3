/**
 * Queries that carry a `_name`: hits say which of them they match.
 */
import { unreachable } from '@shoal/core';
import type { Query } from './query-tree.ts';

/** Every query with a name, the outer before the inner; of one name the last counts. */
export function namedQueries(query: Query): ReadonlyMap<string, Query> {
  const named = new Map<string, Query>();
  collect(query, named);
  return named;
}

function collect(query: Query, into: Map<string, Query>): void {
  if (query.name !== null) into.set(query.name, query);
  for (const inner of innerQueries(query)) collect(inner, into);
}

function innerQueries(query: Query): readonly Query[] {
  switch (query.kind) {
    case 'bool':
      return [...query.must, ...query.filter, ...query.should, ...query.mustNot];
    case 'constantScore':
      return [query.filter];
    case 'disMax':
      return query.queries;
    case 'boosting':
      return [query.positive, query.negative];
    case 'functionScore':
      return [query.query, ...query.functions.map(({ filter }) => filter).filter((filter) => filter !== null)];
    case 'matchAll':
    case 'matchNone':
    case 'term':
    case 'terms':
    case 'range':
    case 'exists':
    case 'prefix':
    case 'wildcard':
    case 'regexp':
    case 'fuzzy':
    case 'ids':
    case 'match':
    case 'matchBoolPrefix':
    case 'matchPhrase':
    case 'matchPhrasePrefix':
    case 'multiMatch':
    case 'queryString':
    case 'simpleQueryString':
    case 'span':
    case 'intervals':
    case 'distanceFeature':
      return [];
    default:
      return unreachable(query);
  }
}
