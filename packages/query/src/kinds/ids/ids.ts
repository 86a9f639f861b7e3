/**
 * `ids`: documents by their ids.
 */
import { type JsonNode, ShoalError, tokenName, ValueReader } from '@shoal/core';
import { readNumber, readObject, readString, readStrings, unsupported } from '../../members/request-values.ts';
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import { LIST_ENTRIES_MAX, type QueryNode, readBase } from '../../node/query-node.ts';

export interface IdsQuery extends QueryNode {
  readonly kind: 'ids';
  readonly values: readonly string[];
}

function parseIds(node: JsonNode, query: string): IdsQuery {
  let values: readonly string[] = [];
  let boost = 1;
  let name: string | null = null;
  for (const member of readObject(node, query).members) {
    if (member.name === 'values') values = readIds(member.value);
    else if (member.name === 'boost') boost = readNumber(member.value, 'boost');
    else if (member.name === '_name') name = readString(member.value, '_name');
    else if (member.name !== 'type') throw unsupported(query, member);
  }
  return { kind: 'ids', values, boost, name };
}

function readIds(node: JsonNode): readonly string[] {
  if (node.kind === 'string' || node.kind === 'array') return readStrings(node, 'values');
  const { line, col } = node.at;
  const reason = `[${line}:${col}] [ids] values doesn't support values of type: ${tokenName(node)}`;
  throw new ShoalError('x_content_parse_exception', 400, reason);
}

export const ids: QueryKind<IdsQuery> = {
  kind: 'ids',
  parse: parseIds,
  read: (r) => ({ kind: 'ids', values: r.list('values', ValueReader.asString, LIST_ENTRIES_MAX), ...readBase(r) }),
  inner: noInner,
};
