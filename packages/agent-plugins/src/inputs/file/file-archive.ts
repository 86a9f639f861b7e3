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

/** An archive that is `damaged` gave what could be read of it; one that was `stopped` in between has to be read again. */
export async function readArchive(
  path: string,
  reading: FileReading,
  { log, isStopping }: { readonly log: Log; readonly isStopping: () => boolean },
): Promise<'whole' | 'damaged' | 'stopped'> {
  let outcome: 'whole' | 'damaged' = 'whole';
  try {
    for await (const chunk of createReadStream(path).pipe(createGunzip())) {
      if (isStopping()) return 'stopped';
      await reading.take(chunk as Uint8Array);
    }
  } catch (error) {
    if (error instanceof RefusedPush) throw error;
    // Again it would be damaged again, and what was good in it would come twice.
    log.warn('an archive is damaged: its rest is not read, and it stays', { path, error: String(error) });
    outcome = 'damaged';
  }
  await reading.finish();
  return outcome;
}

export async function isWholeArchive(path: string): Promise<boolean> {
  try {
    for await (const _chunk of createReadStream(path).pipe(createGunzip()));
    return true;
  } catch {
    return false;
  }
}
