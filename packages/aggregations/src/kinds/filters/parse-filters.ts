/**
 * Parses `filters`: a bucket for each query, and one for the rest if wanted.
 */
import { illegalArgument, type JsonNode, type JsonObjectNode, parsingException, tokenName } from '@shoal/core';
import { parseQuery } from '@shoal/query';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import { compareFilters, type FiltersAggregation, filterOf } from './filters-request.ts';

const OTHER_KEY_DEFAULT = '_other_';

/** Kinds of values that each member may have. */
const MEMBERS: ReadonlyMap<string, readonly JsonNode['kind'][]> = new Map([
  ['filters', ['object', 'array']],
  ['other_bucket', ['boolean']],
  ['other_bucket_key', ['string']],
  ['keyed', ['boolean']],
]);

/** @throws ShoalError for what may not stand there: members are read by the token behind their names */
function checkMembers(aggregation: string, { members }: JsonObjectNode): void {
  for (const { name, value } of members) {
    if (MEMBERS.get(name)?.includes(value.kind)) continue;
    throw parsingException(`Unknown key for a ${tokenName(value)} in [${aggregation}]: [${name}].`, value.at);
  }
}

export const parseFilters: AggregationParser<FiltersAggregation> = (named, options) => {
  checkMembers(named.name, options.node);
  const node = options.take('filters');
  const wantsOther = options.boolean('other_bucket', false);
  const otherKey = options.string('other_bucket_key');
  const keyed = options.boolean('keyed', true);
  if (node === null) throw illegalArgument(`[filters] cannot be empty.`);
  const isNamed = node.kind === 'object';
  const isKeyed = isNamed && keyed;
  const filters =
    node.kind === 'object'
      ? node.members.map(({ name, value }) => filterOf(name, parseQuery(value))).sort(compareFilters)
      : node.kind === 'array'
        ? node.items.map((item, i) => filterOf(String(i), parseQuery(item)))
        : [];
  if (filters.length === 0) throw illegalArgument('[filters] cannot be empty.');
  const other = otherKey ?? (wantsOther ? OTHER_KEY_DEFAULT : null);
  const hasListedKeys = isNamed && !keyed;
  return { ...named, kind: 'filters', type: 'filters', filters, isKeyed, hasListedKeys, otherKey: other };
};
