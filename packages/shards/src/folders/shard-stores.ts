/**
 * What the disk of this node says about a shard, read without opening it: for the cluster manager, which looks for the
 * copy that holds every acknowledged write.
 */
import { asShoalError, isAssertionFailure, ShoalError } from '@shoal/core';
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

/**
 * A primary leads with what is in its folder only when that is the copy that the cluster manager saw there: meanwhile the node may have
 * begun to recover another copy in it, which has given up what the one before had.
 *
 * @throws illegal_state_exception
 */
export async function checkOwnStore(
  runtime: Runtime,
  folders: ShardFolders,
  at: { readonly indexUuid: string; readonly shard: number; readonly allocationId: string },
): Promise<void> {
  const found = await allocationIdOnDisk(runtime, folders, at);
  if (found === at.allocationId) return;
  const reason = `the folder of copy [${at.allocationId}] holds copy [${found}]`;
  throw new ShoalError('illegal_state_exception', 500, reason);
}
