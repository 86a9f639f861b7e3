/**
 * What the disk of this node says about a shard, read without opening it: for the cluster manager, which looks for the
 * copy that holds every acknowledged write.
 */
import { asShoalError, isAssertionFailure } from '@shoal/core';
import { readShardState } from '@shoal/engine';
import type { Runtime } from '@shoal/runtime';
import type { ShardFolders } from './shard-folders.ts';

/** Allocation id of the copy in the folder; null when there is none, or none that can be read. */
export async function allocationIdOnDisk(
  runtime: Runtime,
  folders: ShardFolders,
  at: { readonly indexUuid: string; readonly shard: number },
): Promise<string | null> {
  // The uuid comes from another node and becomes part of a path.
  if (!/^[A-Za-z0-9_-]+$/.test(at.indexUuid)) return null;
  const path = folders.ofShard(at.indexUuid, at.shard);
  try {
    const state = await readShardState(runtime.disk, path);
    return state?.indexUuid === at.indexUuid ? state.allocationId : null;
  } catch (error) {
    if (isAssertionFailure(error)) throw error;
    runtime.log.warn('shard folder cannot be read', { path, error: asShoalError(error).message });
    return null;
  }
}
