/**
 * Files of a commit as one copy of a shard names them to another: what they are, and in how many pieces they are sent.
 *
 * Files are immutable and have checksums inside: the end of each says what all of it is. So a copy lists its files without reading
 * them, and two copies that name the same file with the same checksum need not send it.
 */
import { createHash } from 'node:crypto';
import { type Disk, DiskError } from '@shoal/runtime';

/** Bytes of a file that are sent at once. */
export const RECOVERY_CHUNK_BYTES: number = 512 * 1024;

/** Bytes from the end of a file that stand for all of it: those of a segment have its directory there. */
const IDENTITY_BYTES = 64 * 1024;

export interface CommitFile {
  readonly name: string;
  readonly bytes: number;
  /** Pieces in which it is sent; at least 1. */
  readonly chunks: number;
  /** SHA-256 of its size and its end, hexadecimal. */
  readonly checksum: string;
}

/** null when there is no such file. */
export async function describeCommitFile(disk: Disk, folder: string, name: string): Promise<CommitFile | null> {
  let file: Awaited<ReturnType<Disk['open']>>;
  try {
    file = await disk.open(`${folder}/${name}`, 'read');
  } catch (error) {
    if (error instanceof DiskError && error.kind === 'notFound') return null;
    throw error;
  }
  try {
    const bytes = await file.sizeBytes();
    const from = Math.max(bytes - IDENTITY_BYTES, 0);
    const end = await file.read(from, bytes - from);
    const checksum = createHash('sha256').update(`${bytes} `).update(end).digest('hex');
    return { name, bytes, chunks: Math.max(Math.ceil(bytes / RECOVERY_CHUNK_BYTES), 1), checksum };
  } finally {
    await file.close();
  }
}

export function isSameFile(a: CommitFile | null, b: CommitFile): boolean {
  return a !== null && a.name === b.name && a.bytes === b.bytes && a.checksum === b.checksum;
}

/** Bytes of all files together. */
export function bytesOfFiles(files: readonly CommitFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
