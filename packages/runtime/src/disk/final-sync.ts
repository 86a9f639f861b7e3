/**
 * Syncs whose failure is final, whatever the operating system calls it.
 *
 * A full disk may be tried again before a sync, never after one that failed: the kernel may have dropped what it could not
 * write and calls the pages clean, so that the next sync succeeds over missing bytes (Rebello et al., "Can Applications
 * Recover from fsync Failures?", 2020). Callers that retry look for kind `full`, so no failed sync has that kind.
 */
import { type Disk, DiskError, type File } from '../interfaces/disk.ts';

/** Makes the content of a file durable; rejects with kind `io` where the disk ran full. */
export async function finalSync(file: Pick<File, 'sync'>, path: string): Promise<void> {
  try {
    await file.sync();
  } catch (error) {
    throw asFinal(error, path);
  }
}

/** Makes the names in a folder durable; rejects with kind `io` where the disk ran full. */
export async function finalSyncDir(disk: Pick<Disk, 'syncDir'>, folder: string): Promise<void> {
  try {
    await disk.syncDir(folder);
  } catch (error) {
    throw asFinal(error, folder);
  }
}

function asFinal(error: unknown, path: string): unknown {
  return error instanceof DiskError && error.kind === 'full' ? new DiskError('io', path, error.message) : error;
}
