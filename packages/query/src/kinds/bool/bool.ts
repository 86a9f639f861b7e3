/**
 * `bool`: queries that must, should or must not match.
 */
import type { JsonMember, JsonNode } from '@shoal/core';
import { BOOLEANS, type NodeKinds, NUMBERS, readField, STRINGS, unknownField } from '../../members/content-errors.ts';
import { parseClauses } from '../../members/inner-queries.ts';
import {
  readBoolean,
  readMinimumShouldMatch,
  readNumber,
  readObject,
  readString,
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

const CLAUSES: NodeKinds = ['object', 'array', 'null'];
const VALUES: NodeKinds = ['string', 'number', 'boolean', 'null'];
const MEMBERS: readonly string[] = [
  'must',
  'filter',
  'should',
  'must_not',
  'mustNot',
  'minimum_should_match',
  'boost',
  '_name',
  'adjust_pure_negative',
];

const NOTHING: QueryNode = { kind: 'matchNone', boost: 1, name: null };

function readClauses(name: string, member: JsonMember, parseInner: ParseInner): QueryNode[] {
  const { value } = member;
  return readField(name, member, () => (value.kind === 'null' ? [] : parseClauses(value, parseInner)), CLAUSES);
}

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
        bool[member.name] = readClauses(name, member, parseInner);
        break;
      case 'must_not':
      case 'mustNot':
        bool.mustNot = readClauses(name, member, parseInner);
        break;
      case 'minimum_should_match':
        bool.minimumShouldMatch = readField(name, member, () => readMinimumShouldMatch(value), VALUES);
        break;
      case 'boost':
        bool.boost = readField(name, member, () => readNumber(value, 'boost'), NUMBERS);
        break;
      case '_name':
        bool.name = readField(name, member, () => readString(value, '_name'), STRINGS);
        break;
      case 'adjust_pure_negative':
        adjustsPureNegative = readField(name, member, () => readBoolean(value, member.name), BOOLEANS);
        break;
      default:
        throw unknownField(name, member, MEMBERS);
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

/** Matches of a query, with its scores, that match all filters too. */
export function filteredQuery(query: QueryNode, filter: readonly QueryNode[]): BoolQuery {
  const none = { should: [], mustNot: [], minimumShouldMatch: null };
  return { kind: 'bool', must: [query], filter, ...none, boost: 1, name: null };
}
