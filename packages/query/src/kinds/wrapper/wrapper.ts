/**
 * `wrapper`: a query as base64 of its JSON. The tree holds the query inside it.
 */
import { illegalArgument, type JsonNode, parseJsonTree, parsingException } from '@shoal/core';
import { readObject, readString } from '../../members/request-values.ts';
import type { ParseInner, QueryAlias } from '../../node/query-kind.ts';
import type { QueryNode } from '../../node/query-node.ts';

function parseWrapper(node: JsonNode, name: string, parseInner: ParseInner): QueryNode {
  const [member, extra] = readObject(node, name).members;
  if (member?.name !== 'query') throw parsingException('[wrapper] query malformed', node.at);
  if (extra)
    throw parsingException('[wrapper] malformed query, expected [END_OBJECT] but found [FIELD_NAME]', extra.at);
  const inner = parseJsonTree(Buffer.from(readString(member.value, 'query'), 'base64'));
  if (inner === null) throw illegalArgument('query source text cannot be null or empty');
  return parseInner(inner);
}

export const wrapper: QueryAlias = { kind: null, parse: parseWrapper };
