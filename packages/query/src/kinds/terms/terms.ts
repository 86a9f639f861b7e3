/**
 * `terms`: documents that hold any of a list of values of a field.
 */
import { illegalArgument, type JsonNode, type JsonObjectNode, parsingException, ValueReader } from '@shoal/core';
import { type NodeKinds, NUMBERS, STRINGS, unknownField, wrongKind } from '../../members/content-errors.ts';
import { readNumber, readObject, readQueryValue, readString, unsupported } from '../../members/request-values.ts';
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import { LIST_ENTRIES_MAX, type QueryNode, type QueryValue, readBase } from '../../node/query-node.ts';

const REQUIRED_MEMBERS = ['index', 'id', 'path'];
const LOOKUP_MEMBERS = [...REQUIRED_MEMBERS, 'routing'];
const WANTED = 'a field name, followed by array of terms or a document lookup specification';

export interface TermsQuery extends QueryNode {
  readonly kind: 'terms';
  readonly field: string;
  readonly values: readonly QueryValue[];
}

function parseTerms(node: JsonNode, query: string): TermsQuery {
  let field: string | null = null;
  let values: readonly QueryValue[] = [];
  let boost = 1;
  let name: string | null = null;
  for (const member of readObject(node, query).members) {
    const { value } = member;
    if (value.kind === 'array') {
      if (field !== null) throw parsingException(`[${query}] query does not support multiple fields`, value.at);
      field = member.name;
      values = readValues(value.items, query);
    } else if (value.kind === 'object') {
      if (field === null) throw lookupLeft(value);
      const reason = `[${query}] query does not support more than one field. Already got: [${field}] but also found [${member.name}]`;
      throw parsingException(reason, value.at);
    } else if (value.kind === 'null') {
      throw parsingException(`[${query}] unknown token [VALUE_NULL] after [${member.name}]`, value.at);
    } else if (member.name === 'boost') boost = readNumber(value, 'boost');
    else if (member.name === '_name') name = readString(value, '_name');
    else throw unsupported(query, member);
  }
  if (field === null) throw parsingException(`[${query}] query requires ${WANTED}`, node.at);
  if (field === '') throw illegalArgument('field name cannot be null.');
  return { kind: 'terms', field, values, boost, name };
}

function readValues(items: readonly JsonNode[], query: string): readonly QueryValue[] {
  return items.map((item) => {
    if (item.kind === 'null') throw parsingException('No value specified for terms query', item.at);
    return readQueryValue(item, query);
  });
}

/** Lookups are read and replaced before queries are parsed: one that is left is wrong, or stands where none can be looked up. */
function lookupLeft({ members }: JsonObjectNode): Error {
  const unknown = members.find(({ name }) => !LOOKUP_MEMBERS.includes(name));
  if (unknown !== undefined) return unknownField('terms_lookup', unknown, LOOKUP_MEMBERS);
  const missing = REQUIRED_MEMBERS.filter((required) => !members.some(({ name }) => name === required));
  if (missing.length > 0) return illegalArgument(`Required [${missing.join(', ')}]`);
  const kinds = (name: string): NodeKinds => (name === 'id' ? NUMBERS : STRINGS);
  const wrong = members.find(({ name, value }) => !kinds(name).includes(value.kind));
  if (wrong !== undefined) return wrongKind('terms_lookup', wrong);
  return illegalArgument('[terms] lookup of terms in another document is not supported');
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
