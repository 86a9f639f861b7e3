/**
 * `terms`: documents that hold any of a list of values of a field.
 */
import { illegalArgument, type JsonNode, parsingException, ValueReader } from '@shoal/core';
import { readFieldMember } from '../../members/field-member.ts';
import { readQueryValue } from '../../members/request-values.ts';
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import { LIST_ENTRIES_MAX, type QueryNode, type QueryValue, readBase } from '../../node/query-node.ts';

export interface TermsQuery extends QueryNode {
  readonly kind: 'terms';
  readonly field: string;
  readonly values: readonly QueryValue[];
}

function parseTerms(node: JsonNode, query: string): TermsQuery {
  const { field, value, boost, name } = readFieldMember(node, query);
  if (value.kind === 'object') throw illegalArgument('[terms] lookup of terms in another document is not supported');
  if (value.kind !== 'array') throw parsingException(`[terms] query does not support [${field}]`, value.at);
  const values = value.items.map((item) => {
    if (item.kind === 'null') throw parsingException('No value specified for terms query', item.at);
    return readQueryValue(item, query);
  });
  return { kind: 'terms', field, values, boost, name };
}

export const terms: QueryKind<TermsQuery> = {
  kind: 'terms',
  parse: parseTerms,
  read: (r) => ({
    kind: 'terms',
    field: r.string('field'),
    values: r.list('values', ValueReader.asScalar, LIST_ENTRIES_MAX),
    ...readBase(r),
  }),
  inner: noInner,
};
