/**
 * The folder of a shard must outlive a crash under its own name: data path / indices / index / shard.
 */
import { type Disk, finalSyncDir } from '@shoal/runtime';

const PARENTS_SYNCED = 3;

export async function syncParents(disk: Disk, path: string): Promise<void> {
  let at = path;
  for (let level = 0; level < PARENTS_SYNCED; level++) {
    at = at.slice(0, Math.max(at.lastIndexOf('/'), 0));
    if (at === '') return;
    await finalSyncDir(disk, at);
  }
}
