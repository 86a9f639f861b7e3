/** A file that may not be there, read in one access of the disk. */
import { type Disk, DiskError } from '../interfaces/disk.ts';

/** The whole file; null when there is none. */
export async function readFileOrNull(disk: Pick<Disk, 'readFile'>, path: string): Promise<Uint8Array | null> {
  try {
    return await disk.readFile(path);
  } catch (error) {
    if (error instanceof DiskError && error.kind === 'notFound') return null;
    throw error;
  }
}
