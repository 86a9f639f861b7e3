/**
 * Compressed files in read mode: read as a whole or not at all, since a position inside one means nothing.
 */
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import type { Log } from '@shoal/runtime';
import { type FileReading, RefusedPush } from './file-reading.ts';

export function isArchive(path: string): boolean {
  return /\.gz(ip)?$/.test(path);
}

/** Resolves with false when it was stopped in between: it has to be read again. */
export async function readArchive(
  path: string,
  reading: FileReading,
  { log, isStopping }: { readonly log: Log; readonly isStopping: () => boolean },
): Promise<boolean> {
  try {
    for await (const chunk of createReadStream(path).pipe(createGunzip())) {
      if (isStopping()) return false;
      await reading.take(chunk as Uint8Array);
    }
  } catch (error) {
    if (error instanceof RefusedPush) throw error;
    // Again it would be damaged again, and what was good in it would come twice.
    log.warn('an archive is damaged: its rest is lost', { path, error: String(error) });
  }
  await reading.finish();
  return true;
}

export async function isWholeArchive(path: string): Promise<boolean> {
  try {
    for await (const _chunk of createReadStream(path).pipe(createGunzip()));
    return true;
  } catch {
    return false;
  }
}
