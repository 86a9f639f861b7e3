/**
 * `dis_max`: documents of any of several queries, with the best of their scores and a share of the others.
 */
import { type JsonNode, parsingException } from '@shoal/core';
import { parseClauses } from '../../members/inner-queries.ts';
import { readNumber, readObject, readString, unsupported } from '../../members/request-values.ts';
import type { ParseInner, QueryKind } from '../../node/query-kind.ts';
import { LIST_ENTRIES_MAX, type QueryNode, readBase } from '../../node/query-node.ts';

export interface DisMaxQuery extends QueryNode {
  readonly kind: 'disMax';
  readonly queries: readonly QueryNode[];
  /** Share of the scores beside the best one, 0 to 1. */
  readonly tieBreaker: number;
}

function parseDisMax(node: JsonNode, query: string, parseInner: ParseInner): DisMaxQuery {
  let queries: readonly QueryNode[] | null = null;
  let tieBreaker = 0;
  let boost = 1;
  let name: string | null = null;
  for (const member of readObject(node, query).members) {
    if (member.name === 'queries') queries = parseClauses(member.value, parseInner);
    else if (member.name === 'tie_breaker') tieBreaker = readNumber(member.value, 'tie_breaker');
    else if (member.name === 'boost') boost = readNumber(member.value, 'boost');
    else if (member.name === '_name') name = readString(member.value, '_name');
    else throw unsupported(query, member);
  }
  if (!queries) throw parsingException("[dis_max] requires 'queries' field with at least one clause", node.at);
  return { kind: 'disMax', queries, tieBreaker, boost, name };
}

export const disMax: QueryKind<DisMaxQuery> = {
  kind: 'disMax',
  parse: parseDisMax,
  read: (r, readInner) => ({
    kind: 'disMax',
    queries: r.list('queries', readInner, LIST_ENTRIES_MAX),
    tieBreaker: r.number('tieBreaker'),
    ...readBase(r),
  }),
  inner: ({ queries }) => queries,
};
