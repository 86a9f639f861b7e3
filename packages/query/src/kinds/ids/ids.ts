/**
 * `ids`: documents by their ids.
 */
import {
  isShoalError,
  type JsonNode,
  type JsonObjectNode,
  parsingException,
  ShoalError,
  ValueReader,
} from '@shoal/core';
import { type NodeKinds, NUMBERS, readField, STRINGS, unknownField } from '../../members/content-errors.ts';
import { readNumber, readObject, readString, readStrings } from '../../members/request-values.ts';
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import { LIST_ENTRIES_MAX, type QueryNode, readBase } from '../../node/query-node.ts';

export interface IdsQuery extends QueryNode {
  readonly kind: 'ids';
  readonly values: readonly string[];
}

const VALUES: NodeKinds = ['string', 'array'];
const MEMBERS: readonly string[] = ['values', 'boost', '_name'];

function parseIds(node: JsonNode, query: string): IdsQuery {
  const object = readObject(node, query);
  try {
    return readIds(object, query);
  } catch (error) {
    if (!isShoalError(error)) throw error;
    throw parsingException(error.reason ?? '', object.at, error);
  }
}

function readIds({ members }: JsonObjectNode, query: string): IdsQuery {
  let values: readonly string[] = [];
  let boost = 1;
  let name: string | null = null;
  for (const member of members) {
    const { value } = member;
    if (member.name === 'values') values = readField(query, member, () => readValues(value), VALUES);
    else if (member.name === 'boost') boost = readField(query, member, () => readNumber(value, 'boost'), NUMBERS);
    else if (member.name === '_name') name = readField(query, member, () => readString(value, '_name'), STRINGS);
    else if (member.name !== 'type') throw unknownField(query, member, MEMBERS);
  }
  return { kind: 'ids', values, boost, name };
}

function readValues(node: JsonNode): readonly string[] {
  const empty = node.kind === 'array' ? node.items.find(({ kind }) => kind === 'null') : undefined;
  if (empty === undefined) return readStrings(node, 'values');
  const { line, col } = empty.at;
  throw new ShoalError('illegal_state_exception', 400, `Can't get text on a VALUE_NULL at ${line}:${col}`);
}

export const ids: QueryKind<IdsQuery> = {
  kind: 'ids',
  parse: parseIds,
  read: (r) => ({ kind: 'ids', values: r.list('values', ValueReader.asString, LIST_ENTRIES_MAX), ...readBase(r) }),
  inner: noInner,
};
