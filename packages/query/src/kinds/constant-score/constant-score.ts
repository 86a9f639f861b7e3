/**
 * `constant_score`: documents of a filter, each with the same score.
 */
import { type JsonNode, parsingException } from '@shoal/core';
import { readNumber, readObject, readString, unsupported } from '../../members/request-values.ts';
import type { ParseInner, QueryKind } from '../../node/query-kind.ts';
import { type QueryNode, readBase } from '../../node/query-node.ts';

export interface ConstantScoreQuery extends QueryNode {
  readonly kind: 'constantScore';
  readonly filter: QueryNode;
}

function parseConstantScore(node: JsonNode, query: string, parseInner: ParseInner): ConstantScoreQuery {
  let filter: QueryNode | null = null;
  let boost = 1;
  let name: string | null = null;
  for (const member of readObject(node, query).members) {
    if (member.name === 'filter') filter = parseInner(member.value);
    else if (member.name === 'boost') boost = readNumber(member.value, 'boost');
    else if (member.name === '_name') name = readString(member.value, '_name');
    else throw unsupported(query, member);
  }
  if (!filter) throw parsingException("[constant_score] requires a 'filter' element", node.at);
  return { kind: 'constantScore', filter, boost, name };
}

export const constantScore: QueryKind<ConstantScoreQuery> = {
  kind: 'constantScore',
  parse: parseConstantScore,
  read: (r, readInner) => ({ kind: 'constantScore', filter: r.item('filter', readInner), ...readBase(r) }),
  inner: ({ filter }) => [filter],
};
