/**
 * The source of a document as scripts see it: `params._source`.
 */
import { ANY_TOKENS, JsonTokens, parseJsonTree } from '@shoal/core';
import { fromJsonNode, JavaMap } from '@shoal/script';

/** @param bytes JSON of a document; null or empty where the mapping keeps none */
export function scriptSource(bytes: Uint8Array | null): JavaMap {
  const isKept = bytes !== null && bytes.length > 0;
  const node = isKept ? parseJsonTree(bytes, { tokens: new JsonTokens(ANY_TOKENS) }) : null;
  const value = node === null ? null : fromJsonNode(node);
  return value instanceof JavaMap ? value : new JavaMap();
}
