/**
 * Stored scripts in requests: where a request names one by its id, the text that is stored takes its place, before anybody reads
 * the request. Shards then know nothing of stored scripts.
 */

import type { StoredScript } from '@shoal/cluster-state';
import type { JsonMember, JsonNode, JsonObjectNode } from '@shoal/core';
import { CONTENT_TYPE } from '@shoal/script';

type StoredScripts = ReadonlyMap<string, StoredScript>;

/** Members of requests whose values are scripts. */
const SCRIPT_MEMBERS: ReadonlySet<string> = new Set([
  'script',
  'minimum_should_match_script',
  'init_script',
  'map_script',
  'combine_script',
  'reduce_script',
  'weight_script',
]);

/** Member of the phrase suggester whose `query` is a script. */
const COLLATE = 'collate';

/** The request with every stored script that it names written out. Names of scripts that are not stored stay as they are. */
export function withStoredScripts(node: JsonNode, scripts: StoredScripts): JsonNode {
  if (scripts.size === 0) return node;
  if (node.kind === 'array') {
    const items = node.items.map((item) => withStoredScripts(item, scripts));
    return items.every((item, i) => item === node.items[i]) ? node : { ...node, items };
  }
  if (node.kind !== 'object') return node;
  const members = node.members.map((member) => resolved(member, scripts));
  return members.every((member, i) => member === node.members[i]) ? node : { ...node, members };
}

/** A member whose value is a script, whatever its name. */
function withScript(member: JsonMember, scripts: StoredScripts): JsonMember {
  const written = member.value.kind === 'object' ? writtenOut(member.value, scripts) : null;
  return written === null ? member : { ...member, value: written };
}

function resolved(member: JsonMember, scripts: StoredScripts): JsonMember {
  const { name, value } = member;
  if (SCRIPT_MEMBERS.has(name)) {
    const written = withScript(member, scripts);
    if (written !== member) return written;
  }
  if (name === COLLATE && value.kind === 'object') {
    const members = value.members.map((inner) => (inner.name === 'query' ? withScript(inner, scripts) : inner));
    return { ...member, value: { ...value, members } };
  }
  const inner = withStoredScripts(value, scripts);
  return inner === value ? member : { ...member, value: inner };
}

/** null where the script is not a stored one. */
function writtenOut(node: JsonObjectNode, scripts: StoredScripts): JsonObjectNode | null {
  const id = node.members.find((member) => member.name === 'id');
  if (id === undefined || id.value.kind !== 'string') return null;
  // A request that says more than the id and its parameters is wrong, and told so by whoever reads it.
  if (node.members.some(({ name }) => name !== 'id' && name !== 'params')) return null;
  const stored = scripts.get(id.value.value);
  if (stored === undefined) return null;
  const { at } = id.value;
  const text = (name: string, value: string): JsonMember => ({ name, at: id.at, value: { kind: 'string', at, value } });
  const rest = node.members.filter((member) => member !== id);
  const contentType = stored.options[CONTENT_TYPE];
  const options: JsonNode = { kind: 'object', at, end: at, members: [text(CONTENT_TYPE, contentType ?? '')] };
  const written = [text('source', stored.source), text('lang', stored.lang), ...rest];
  return {
    ...node,
    members: contentType === undefined ? written : [...written, { name: 'options', at: id.at, value: options }],
  };
}
