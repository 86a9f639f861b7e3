/**
 * Stored scripts of updates: written out before the updates leave for their shards, which know of none.
 */
import { isShoalError, type JsonNode, parseJsonTree } from '@shoal/core';
import { jsonText } from '@shoal/script';
import type { CoordinatorContext } from '../context/coordinator-context.ts';
import type { UpdateScripts } from './shard-group.ts';

const ID_MEMBER = Buffer.from('"id"');
const SCRIPT_MEMBER = 'script';

/** null where no script is stored. */
export function storedUpdateScripts({ cluster, trees }: CoordinatorContext): UpdateScripts | null {
  if (cluster.state().metadata.storedScripts.size === 0) return null;
  return (body) => {
    if (!Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes(ID_MEMBER)) return null;
    const tree = treeOf(body);
    if (tree?.kind !== 'object') return null;
    // Documents may have scripts in them: those are data.
    const members = tree.members.map((member) => {
      if (member.name !== SCRIPT_MEMBER) return member;
      const written = trees.resolved({ ...tree, members: [member] });
      return written?.kind === 'object' ? (written.members[0] ?? member) : member;
    });
    const isSame = members.every((member, i) => member === tree.members[i]);
    return isSame ? null : Buffer.from(jsonText({ ...tree, members }), 'utf8');
  };
}

/** null for what is no JSON: its shard refuses the item. */
function treeOf(body: Uint8Array): JsonNode | null {
  try {
    return parseJsonTree(body);
  } catch (error) {
    if (isShoalError(error)) return null;
    throw error;
  }
}
