/**
 * `term`: documents that hold one value of a field exactly as it is indexed.
 */
import { illegalArgument, type JsonNode, parsingException } from '@shoal/core';
import { readFieldMember } from '../../members/field-member.ts';
import { readBoolean, readNumber, readQueryValue, readString, unsupported } from '../../members/request-values.ts';
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import { type QueryNode, type QueryValue, readBase, readValue } from '../../node/query-node.ts';

export interface TermQuery extends QueryNode {
  readonly kind: 'term';
  readonly field: string;
  readonly value: QueryValue;
  readonly isCaseInsensitive: boolean;
}

function parseTerm(node: JsonNode, query: string): TermQuery {
  const { field, value: given, boost: outerBoost, name: outerName } = readFieldMember(node, query);
  let value: QueryValue | undefined;
  let boost = outerBoost;
  let name = outerName;
  let isCaseInsensitive = false;
  if (given.kind === 'array') throw parsingException('[term] query does not support array of values', given.at);
  if (given.kind !== 'object') value = readQueryValue(given, query);
  else {
    for (const member of given.members) {
      if (member.name === 'value' || member.name === 'term') value = readQueryValue(member.value, query);
      else if (member.name === 'boost') boost = readNumber(member.value, 'boost');
      else if (member.name === '_name') name = readString(member.value, '_name');
      else if (member.name === 'case_insensitive') isCaseInsensitive = readBoolean(member.value, member.name);
      else throw unsupported(query, member);
    }
  }
  if (value === undefined || value === null) throw illegalArgument('value cannot be null');
  return { kind: 'term', field, value, isCaseInsensitive, boost, name };
}

export const term: QueryKind<TermQuery> = {
  kind: 'term',
  parse: parseTerm,
  read: (r) => ({
    kind: 'term',
    field: r.string('field'),
    value: readValue(r, 'value'),
    isCaseInsensitive: r.boolean('isCaseInsensitive'),
    ...readBase(r),
  }),
  inner: noInner,
};
