/**
 * A node without the data role that finds shards on its disk: it must not start, or nobody would miss them until needed.
 */
import { ShoalError } from '@shoal/core';
import type { ShardFolders } from '@shoal/shards';

/** Folders named in the refusal. */
const NAMED_FOLDERS_MAX = 5;

export async function refuseShardData(folders: ShardFolders): Promise<void> {
  const found: string[] = [];
  for (const uuid of await folders.listIndices()) {
    if ((await folders.listShards(uuid)).length > 0) found.push(folders.ofIndex(uuid));
  }
  if (found.length === 0) return;
  const shown = found.slice(0, NAMED_FOLDERS_MAX).join(', ');
  const more = found.length > NAMED_FOLDERS_MAX ? ` and ${found.length - NAMED_FOLDERS_MAX} more` : '';
  throw new ShoalError(
    'illegal_state_exception',
    500,
    `node does not have the [data] role but has shard data: [${shown}]${more}. Give it the role back, or move these folders away`,
  );
}
