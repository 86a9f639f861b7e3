/**
 * `boosting`: documents of one query, with less score where another one matches too.
 */
import { type JsonNode, parsingException, type ValueReader } from '@shoal/core';
import { readNumber, readObject, readString, unsupported } from '../../members/request-values.ts';
import type { ParseInner, QueryKind, ReadInner } from '../../node/query-kind.ts';
import { type QueryNode, readBase } from '../../node/query-node.ts';

export interface BoostingQuery extends QueryNode {
  readonly kind: 'boosting';
  readonly positive: QueryNode;
  readonly negative: QueryNode;
  /** Factor on the score of documents that `negative` matches; at least 0. */
  readonly negativeBoost: number;
}

function parseBoosting(node: JsonNode, query: string, parseInner: ParseInner): BoostingQuery {
  let positive: QueryNode | null = null;
  let negative: QueryNode | null = null;
  let negativeBoost = -1;
  let boost = 1;
  let name: string | null = null;
  for (const member of readObject(node, query).members) {
    if (member.name === 'positive') positive = parseInner(member.value);
    else if (member.name === 'negative') negative = parseInner(member.value);
    else if (member.name === 'negative_boost') negativeBoost = readNumber(member.value, 'negative_boost');
    else if (member.name === 'boost') boost = readNumber(member.value, 'boost');
    else if (member.name === '_name') name = readString(member.value, '_name');
    else throw unsupported(query, member);
  }
  if (!positive) throw parsingException("[boosting] query requires 'positive' query to be set'", node.at);
  if (!negative) throw parsingException("[boosting] query requires 'negative' query to be set'", node.at);
  if (negativeBoost < 0) {
    throw parsingException("[boosting] query requires 'negative_boost' to be set to be a positive value'", node.at);
  }
  return { kind: 'boosting', positive, negative, negativeBoost, boost, name };
}

function readBoosting(r: ValueReader, readInner: ReadInner): BoostingQuery {
  const negativeBoost = r.number('negativeBoost');
  if (negativeBoost < 0) r.refuse('negativeBoost', 'a number of at least 0');
  const positive = r.item('positive', readInner);
  return { kind: 'boosting', positive, negative: r.item('negative', readInner), negativeBoost, ...readBase(r) };
}

export const boosting: QueryKind<BoostingQuery> = {
  kind: 'boosting',
  parse: parseBoosting,
  read: readBoosting,
  inner: ({ positive, negative }) => [positive, negative],
};
