/**
 * Queries that have nothing but a factor and a name: match_all and match_none.
 */
import type { JsonNode } from '@shoal/core';
import { readNumber, readObject, readString, unsupported } from './request-values.ts';

export function parseBare(node: JsonNode, query: string): { readonly boost: number; readonly name: string | null } {
  let boost = 1;
  let name: string | null = null;
  for (const member of readObject(node, query).members) {
    if (member.name === 'boost') boost = readNumber(member.value, 'boost');
    else if (member.name === '_name') name = readString(member.value, '_name');
    else throw unsupported(query, member);
  }
  return { boost, name };
}
