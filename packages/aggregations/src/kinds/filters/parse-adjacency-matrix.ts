/**
 * Parses `adjacency_matrix`: a bucket for every filter, and for every two of them together.
 */
import { illegalArgument, type JsonMember } from '@shoal/core';
import { parseQuery, type Query, readField } from '@shoal/query';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import { type BucketFilter, compareFilters, type FiltersAggregation, filterOf } from './filters-request.ts';

const FILTERS_MAX = 100;

export const parseAdjacencyMatrix: AggregationParser<FiltersAggregation> = (named, options) => {
  const node = options.take('filters');
  const separator = options.string('separator') ?? '&';
  if (node?.kind !== 'object') throw illegalArgument(`[filters] cannot be null: [${named.name}]`);
  const own = readField('adjacency_matrix', { name: 'filters', value: node, at: node.at }, () =>
    node.members.map(namedFilter),
  ).sort(compareFilters);
  if (own.length > FILTERS_MAX) {
    throw illegalArgument(
      `Number of filters is too large, must be less than or equal to: [${FILTERS_MAX}] but was [${own.length}].`,
    );
  }
  const both = own.flatMap((a, i) =>
    own.slice(i + 1).map((b) => filterOf(`${a.key}${separator}${b.key}`, allOf([a.query, b.query]))),
  );
  const filters = [...own, ...both];
  return {
    ...named,
    kind: 'filters',
    type: 'adjacency_matrix',
    filters,
    isKeyed: false,
    hasListedKeys: true,
    otherKey: null,
  };
};

function namedFilter(member: JsonMember): BucketFilter {
  return readField('filters', member, () => filterOf(member.name, parseQuery(member.value)));
}

function allOf(filter: readonly Query[]): Query {
  return { kind: 'bool', must: [], filter, should: [], mustNot: [], minimumShouldMatch: null, boost: 1, name: null };
}
