/**
 * An answer taken apart, for `filter_path` and YAML, which look into it: objects become maps, documents that pass through
 * as bytes are parsed. What is neither map nor list is a leaf that `writeJson` prints.
 *
 * Numbers of documents keep their text, so that `1.0` does not come out as `1`.
 */
import { ANY_TOKENS, DoubleNumber, FloatNumber, type JsonNode, JsonTokens, parseJsonTree, RawJson } from '@shoal/core';

/** Entries in their order; plain objects would move keys that look like numbers to the front. */
export type TreeMap = ReadonlyMap<string, unknown>;

/** Deepest answer: a document of the greatest depth that is indexed, inside hits of inner hits. */
const LEVELS_AROUND = 32;

/** Tree of a value; undefined entries are left out, which `writeJson` does too. */
export function answerTree(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (value instanceof RawJson) return treeOfDocument(value);
  if (value instanceof FloatNumber || value instanceof DoubleNumber) return value;
  if (Array.isArray(value)) return value.map(answerTree);
  const pairs: Iterable<readonly [unknown, unknown]> = value instanceof Map ? value.entries() : Object.entries(value);
  const tree = new Map<string, unknown>();
  for (const [key, entry] of pairs) {
    if (entry !== undefined) tree.set(String(key), answerTree(entry));
  }
  return tree;
}

/** One level of a tree: the entries of an object stay as they were, a document is parsed whole. */
export function openedTree(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value ?? null;
  if (value instanceof RawJson || value instanceof FloatNumber || value instanceof DoubleNumber)
    return answerTree(value);
  const pairs: Iterable<readonly [unknown, unknown]> = value instanceof Map ? value.entries() : Object.entries(value);
  const tree = new Map<string, unknown>();
  for (const [key, entry] of pairs) if (entry !== undefined) tree.set(String(key), entry);
  return tree;
}

export function isTreeMap(value: unknown): value is TreeMap {
  return value instanceof Map;
}

function treeOfDocument(raw: RawJson): unknown {
  const node = parseJsonTree(raw.bytes, { levelsAround: LEVELS_AROUND, tokens: new JsonTokens(ANY_TOKENS) });
  return node === null ? null : treeOfNode(node);
}

function treeOfNode(node: JsonNode): unknown {
  switch (node.kind) {
    case 'object':
      return new Map(node.members.map((member) => [member.name, treeOfNode(member.value)]));
    case 'array':
      return node.items.map(treeOfNode);
    case 'number':
      return String(node.value) === node.text ? node.value : new RawJson(new TextEncoder().encode(node.text));
    case 'null':
      return null;
    default:
      return node.value;
  }
}
