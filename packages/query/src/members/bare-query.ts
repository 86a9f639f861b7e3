/**
 * Queries that have nothing but a factor and a name: match_all and match_none.
 */
import { type JsonMember, type JsonNode, ShoalError, unknownMember } from '@shoal/core';
import { readNumber, readObject, readString, unsupported } from './request-values.ts';

export function parseBare(node: JsonNode, query: string): { readonly boost: number; readonly name: string | null } {
  let boost = 1;
  let name: string | null = null;
  for (const member of readObject(node, query).members) {
    if (member.name === 'boost') boost = readNumber(member.value, 'boost');
    else if (member.name === '_name') name = readString(member.value, '_name');
    else throw query === 'match_all' ? unknownOption(query, member) : unsupported(query, member);
  }
  return { boost, name };
}

/** 400: what a parser of objects says, in an error of queries that is the root cause itself. */
function unknownOption(query: string, member: JsonMember): ShoalError {
  const causedBy = unknownMember(query, member, ['boost', '_name']);
  const { line, col } = member.value.at;
  return new ShoalError('parsing_exception', 400, causedBy.reason, { metadata: { line, col }, causedBy });
}
