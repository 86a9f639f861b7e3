/**
 * Stored scripts in requests: where a request names one by its id, the text that is stored takes its place, before anybody reads
 * the request. Shards then know nothing of stored scripts.
 */
import type { JsonMember, JsonNode, JsonObjectNode } from '@shoal/core';
import type { StoredScript } from '@shoal/protocol';

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

function resolved(member: JsonMember, scripts: StoredScripts): JsonMember {
  const { name, value } = member;
  if (SCRIPT_MEMBERS.has(name) && value.kind === 'object') {
    const written = writtenOut(value, scripts);
    if (written !== null) return { ...member, value: written };
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
  return { ...node, members: [text('source', stored.source), text('lang', stored.lang), ...rest] };
}
