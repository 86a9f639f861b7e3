/**
 * Parses `filter`, `missing` and `global`: one bucket, of the documents that a query matches.
 */
import { MATCH_ALL, parseQuery, type Query } from '@shoal/query';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import type { OptionReader } from '../../request/option-reader.ts';
import { parseFieldSource } from '../../request/values-source.ts';
import { type FiltersAggregation, filterOf } from './filters-request.ts';

function singleFilter(
  type: 'filter' | 'missing' | 'global',
  queryOf: (options: OptionReader) => Query,
): AggregationParser<FiltersAggregation> {
  return (named, options) => {
    const filters = [filterOf('', queryOf(options))];
    return { ...named, kind: 'filters', type, filters, isKeyed: false, hasListedKeys: false, otherKey: null };
  };
}

export const parseFilter: AggregationParser<FiltersAggregation> = singleFilter('filter', (options) => {
  options.ignore(...options.node.members.map(({ name }) => name));
  return options.node.members.length === 0 ? MATCH_ALL : parseQuery(options.node);
});

export const parseMissing: AggregationParser<FiltersAggregation> = singleFilter('missing', (options) => {
  options.refuse('script');
  const { field, missing } = parseFieldSource(options);
  const exists: Query = { kind: 'exists', field, boost: 1, name: null };
  return {
    kind: 'bool',
    // A value that takes the place of none leaves no document without one.
    must: missing === null ? [] : [{ kind: 'matchNone', boost: 1, name: null }],
    filter: [],
    should: [],
    mustNot: [exists],
    minimumShouldMatch: null,
    boost: 1,
    name: null,
  };
});

export const parseGlobal: AggregationParser<FiltersAggregation> = singleFilter('global', () => MATCH_ALL);
