/**
 * Queries as people read them in a profile: a name of their kind, and a line in the notation of query strings.
 */
import type { QueryNode } from '@shoal/query';
import type { QueryDescription } from '../kinds/query-behaviour.ts';
import { behaviourOf } from './query-behaviours.ts';

/** The text has the boost in it. */
export function describeQuery(query: QueryNode): QueryDescription {
  const { boost } = query;
  const { type, text } = behaviourOf(query).describe(query, (inner) => describeQuery(inner).text);
  return { type, text: boost === 1 ? text : `(${text})^${boost}` };
}
