/**
 * A whole file that a user names, relative to where the process was started.
 */
import { readFile, stat } from 'node:fs/promises';
import { diskError } from '../disk/disk-errors.ts';
import { DiskError } from '../interfaces/disk.ts';

/** Largest file that is read into memory at once. */
const BYTES_MAX = 512 * 1024 * 1024;

/** Rejects with a `DiskError` that names the path. */
export async function readUserFile(path: string | URL): Promise<Uint8Array> {
  const shown = String(path);
  try {
    const { size } = await stat(path);
    if (size > BYTES_MAX)
      throw new DiskError('io', shown, `${shown}: [${size}] bytes, at most [${BYTES_MAX}] are read`);
    return await readFile(path);
  } catch (error) {
    throw error instanceof DiskError ? error : diskError(error, shown);
  }
}
