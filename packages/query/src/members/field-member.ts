/**
 * `{"field": value, "boost": 2}`: the form that queries on one field share.
 */
import { illegalArgument, type JsonMember, type JsonNode, parsingException } from '@shoal/core';
import { readNumber, readObject, readString } from './request-values.ts';

/** The one member that names a field; `boost` and `_name` beside it are taken as well. */
export interface FieldMember {
  readonly field: string;
  readonly value: JsonNode;
  readonly boost: number;
  readonly name: string | null;
}

export function readFieldMember(node: JsonNode, query: string): FieldMember {
  let found: JsonMember | null = null;
  let boost = 1;
  let name: string | null = null;
  for (const member of readObject(node, query).members) {
    if (member.name === 'boost' && isScalar(member.value)) boost = readNumber(member.value, 'boost');
    else if (member.name === '_name' && isScalar(member.value)) name = readString(member.value, '_name');
    else if (found) {
      throw parsingException(
        `[${query}] query doesn't support multiple fields, found [${found.name}] and [${member.name}]`,
        member.value.at,
      );
    } else found = member;
  }
  if (!found && query === 'match') throw parsingException('No text specified for text query', node.at);
  if (!found || (found.name === '' && !query.startsWith('match'))) throw illegalArgument(withoutField(query));
  return { field: found.name, value: found.value, boost, name };
}

function withoutField(query: string): string {
  if (query.startsWith('match')) return `[${query}] requires fieldName`;
  return query === 'fuzzy' ? 'field name cannot be null or empty' : 'field name is null or empty';
}

function isScalar(node: JsonNode): boolean {
  return node.kind !== 'object' && node.kind !== 'array';
}
