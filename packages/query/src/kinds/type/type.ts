/**
 * `type`: documents of a mapping type. An index has one, `_doc`: all of its documents, or none.
 */
import { type JsonNode, parsingException } from '@shoal/core';
import { readNumber, readObject, readString, unsupported } from '../../members/request-values.ts';
import type { QueryAlias } from '../../node/query-kind.ts';
import type { QueryNode } from '../../node/query-node.ts';

const ONLY_TYPE = '_doc';

function parseType(node: JsonNode, query: string): QueryNode {
  let type: string | null = null;
  let name: string | null = null;
  let boost = 1;
  for (const member of readObject(node, query).members) {
    const { value } = member;
    if (value.kind === 'object' || value.kind === 'array') throw unsupported(query, member);
    if (member.name === 'value') type = readString(value, member.name);
    else if (member.name === 'boost') boost = readNumber(value, member.name);
    else if (member.name === '_name') name = readString(value, member.name);
    else throw unsupported(query, member);
  }
  if (type === null) {
    throw parsingException('[type] filter needs to be provided with a value for the type', node.at);
  }
  return { kind: type === ONLY_TYPE ? 'matchAll' : 'matchNone', boost, name };
}

export const type: QueryAlias = { kind: null, parse: parseType };
