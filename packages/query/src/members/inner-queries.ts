/**
 * One query or an array of queries, as clauses are written.
 */
import type { JsonNode } from '@shoal/core';
import type { ParseInner } from '../node/query-kind.ts';
import type { QueryNode } from '../node/query-node.ts';

export function parseClauses(node: JsonNode, parseInner: ParseInner): QueryNode[] {
  return node.kind === 'array' ? node.items.map(parseInner) : [parseInner(node)];
}
