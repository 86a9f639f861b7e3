/**
 * What is remembered of the content of the files that are read, and asked of it.
 */
import type { Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { type Digest, lookAtHead, matches } from './file-fingerprint.ts';
import { fileIdentity, type Sincedb } from './file-sincedb.ts';

/** null for what is no file, is gone, or cannot be reached now. */
export async function statOf(path: string): Promise<Stats | null> {
  try {
    const found = await stat(path);
    return found.isFile() ? found : null;
  } catch {
    return null;
  }
}

/** Whether a file is the one that was read under its inode. */
export async function holdsWhatWasRead(sincedb: Sincedb, path: string, found: Stats): Promise<boolean> {
  const fingerprint = sincedb.fingerprints.get(fileIdentity(found));
  return fingerprint === undefined || withFile(path, (handle) => matches(handle, fingerprint.head));
}

/** For a file that is read as a whole. */
export function rememberHead(sincedb: Sincedb, path: string, identity: string): Promise<void> {
  return withFile(path, (handle) => rememberRead(sincedb, handle, identity, null));
}

/** @param tail of what was read of it */
export async function rememberRead(
  sincedb: Sincedb,
  handle: FileHandle,
  identity: string,
  tail: Digest | null,
): Promise<void> {
  const { head } = await lookAtHead(handle);
  if (head !== null) sincedb.fingerprints.set(identity, { head, tail });
}

async function withFile<Result>(path: string, use: (handle: FileHandle) => Promise<Result>): Promise<Result> {
  const handle = await open(path, 'r');
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}
