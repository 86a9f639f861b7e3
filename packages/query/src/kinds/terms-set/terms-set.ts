/**
 * `terms_set`: documents that hold at least as many of a list of terms as a number field of theirs says.
 */
import { type JsonMember, type JsonNode, parsingException, ValueReader } from '@shoal/core';
import { parseScript, readScript, type ScriptRequest } from '@shoal/script';
import { readNumber, readObject, readQueryValue, readString, unsupported } from '../../members/request-values.ts';
import type { Mutable } from '../../node/mutable.ts';
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import { LIST_ENTRIES_MAX, type QueryNode, type QueryValue, readBase } from '../../node/query-node.ts';

export interface TermsSetQuery extends QueryNode {
  readonly kind: 'termsSet';
  readonly field: string;
  /** A value given twice counts twice. */
  readonly values: readonly QueryValue[];
  /** Field whose value is the number of terms that a document must hold; null when not given. */
  readonly minimumField: string | null;
  /** Script that gives that number; null when not given. */
  readonly minimumScript: ScriptRequest | null;
}

function parseTermsSet(node: JsonNode, query: string): TermsSetQuery {
  const [member, extra] = readObject(node, query).members;
  if (!member) throw parsingException(`[${query}] unknown token [END_OBJECT]`, node.at);
  if (member.value.kind !== 'object') throw parsingException(`[${query}] unknown token`, member.value.at);
  const result: Mutable<TermsSetQuery> = {
    kind: 'termsSet',
    field: member.name,
    values: [],
    minimumField: null,
    minimumScript: null,
    boost: 1,
    name: null,
  };
  for (const option of member.value.members) parseOption(result, option, query);
  if (extra) throw parsingException(`[${query}] unknown token [FIELD_NAME]`, extra.at);
  return result;
}

function parseOption(result: Mutable<TermsSetQuery>, member: JsonMember, query: string): void {
  const { name, value } = member;
  if (name === 'terms' && value.kind === 'array') {
    result.values = value.items.map((item) => {
      if (item.kind === 'null') throw parsingException('No value specified for terms query', item.at);
      return readQueryValue(item, query);
    });
  } else if (name === 'minimum_should_match_script') {
    result.minimumScript = parseScript(value);
  } else if (value.kind === 'object' || value.kind === 'array') throw unsupported(query, member);
  else if (name === 'minimum_should_match_field') result.minimumField = readString(value, name);
  else if (name === 'boost') result.boost = readNumber(value, name);
  else if (name === '_name') result.name = readString(value, name);
  else throw unsupported(query, member);
}

export const termsSet: QueryKind<TermsSetQuery> = {
  kind: 'termsSet',
  parse: parseTermsSet,
  read: (r) => ({
    kind: 'termsSet',
    field: r.string('field'),
    values: r.list('values', ValueReader.asScalar, LIST_ENTRIES_MAX),
    minimumField: r.optionalString('minimumField'),
    minimumScript: r.optional('minimumScript', (value, path) => readScript(ValueReader.of(value, path))),
    ...readBase(r),
  }),
  inner: noInner,
};
