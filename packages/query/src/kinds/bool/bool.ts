/**
 * `bool`: queries that must, should or must not match.
 */
import type { JsonNode } from '@shoal/core';
import { parseClauses } from '../../members/inner-queries.ts';
import {
  readBoolean,
  readMinimumShouldMatch,
  readNumber,
  readObject,
  readString,
  unsupported,
} from '../../members/request-values.ts';
import type { Mutable } from '../../node/mutable.ts';
import type { ParseInner, QueryKind } from '../../node/query-kind.ts';
import { LIST_ENTRIES_MAX, type QueryNode, readBase } from '../../node/query-node.ts';

export interface BoolQuery extends QueryNode {
  readonly kind: 'bool';
  readonly must: readonly QueryNode[];
  readonly filter: readonly QueryNode[];
  readonly should: readonly QueryNode[];
  readonly mustNot: readonly QueryNode[];
  /** Text of the request, such as `2`, `-1`, `75%` or `3<90%`; null when not given. */
  readonly minimumShouldMatch: string | null;
}

const NOTHING: QueryNode = { kind: 'matchNone', boost: 1, name: null };

function parseBool(node: JsonNode, name: string, parseInner: ParseInner): BoolQuery {
  const bool: Mutable<BoolQuery> = {
    kind: 'bool',
    must: [],
    filter: [],
    should: [],
    mustNot: [],
    minimumShouldMatch: null,
    boost: 1,
    name: null,
  };
  let adjustsPureNegative = true;
  for (const member of readObject(node, name).members) {
    const { value } = member;
    switch (member.name) {
      case 'must':
      case 'filter':
      case 'should':
        bool[member.name] = parseClauses(value, parseInner);
        break;
      case 'must_not':
      case 'mustNot':
        bool.mustNot = parseClauses(value, parseInner);
        break;
      case 'minimum_should_match':
        bool.minimumShouldMatch = readMinimumShouldMatch(value);
        break;
      case 'boost':
        bool.boost = readNumber(value, 'boost');
        break;
      case '_name':
        bool.name = readString(value, '_name');
        break;
      case 'adjust_pure_negative':
        adjustsPureNegative = readBoolean(value, member.name);
        break;
      default:
        throw unsupported(name, member);
    }
  }
  const { must, filter, should, mustNot } = bool;
  const isPureNegative = mustNot.length > 0 && must.length + filter.length + should.length === 0;
  // Left as it is, a query that only excludes finds nothing.
  if (isPureNegative && !adjustsPureNegative) bool.filter = [NOTHING];
  return bool;
}

export const bool: QueryKind<BoolQuery> = {
  kind: 'bool',
  parse: parseBool,
  read: (r, readInner) => ({
    kind: 'bool',
    must: r.list('must', readInner, LIST_ENTRIES_MAX),
    filter: r.list('filter', readInner, LIST_ENTRIES_MAX),
    should: r.list('should', readInner, LIST_ENTRIES_MAX),
    mustNot: r.list('mustNot', readInner, LIST_ENTRIES_MAX),
    minimumShouldMatch: r.optionalString('minimumShouldMatch'),
    ...readBase(r),
  }),
  inner: ({ must, filter, should, mustNot }) => [...must, ...filter, ...should, ...mustNot],
};
