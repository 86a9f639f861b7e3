/**
 * Numbers that a document writes with a point or an exponent, which a parsed double no longer shows: 1.0 maps a new field as a
 * float, 1 as a long.
 */
import { ANY_TOKENS, type JsonNode, JsonTokens, parseJsonTree } from '@shoal/core';

export function fractionPaths(source: Uint8Array): ReadonlySet<string> {
  const paths = new Set<string>();
  const visit = (node: JsonNode, path: string): void => {
    if (node.kind === 'object') {
      for (const member of node.members) visit(member.value, path === '' ? member.name : `${path}.${member.name}`);
    } else if (node.kind === 'array') {
      for (const item of node.items) visit(item, path);
    } else if (node.kind === 'number' && /[.eE]/.test(node.text)) {
      paths.add(path);
    }
  };
  const tree = parseJsonTree(source, { tokens: new JsonTokens(ANY_TOKENS) });
  if (tree) visit(tree, '');
  return paths;
}
