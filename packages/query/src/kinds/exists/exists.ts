/**
 * `exists`: documents that have a value of a field.
 */
import { illegalArgument, type JsonNode, parsingException } from '@shoal/core';
import { checkTokens } from '../../members/member-tokens.ts';
import { readNumber, readObject, readString, unsupported } from '../../members/request-values.ts';
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import { type QueryNode, readBase } from '../../node/query-node.ts';

export interface ExistsQuery extends QueryNode {
  readonly kind: 'exists';
  readonly field: string;
}

function parseExists(node: JsonNode, query: string): ExistsQuery {
  let field: string | null = null;
  let boost = 1;
  let name: string | null = null;
  const { members } = readObject(node, query);
  checkTokens(query, members);
  for (const member of members) {
    if (member.name === 'field') field = readString(member.value, 'field');
    else if (member.name === 'boost') boost = readNumber(member.value, 'boost');
    else if (member.name === '_name') name = readString(member.value, '_name');
    else throw unsupported(query, member);
  }
  if (field === null) throw parsingException('[exists] must be provided with a [field]', node.at);
  if (field === '') throw illegalArgument('field name is null or empty');
  return { kind: 'exists', field, boost, name };
}

export const exists: QueryKind<ExistsQuery> = {
  kind: 'exists',
  parse: parseExists,
  read: (r) => ({ kind: 'exists', field: r.string('field'), ...readBase(r) }),
  inner: noInner,
};
