/**
 * Copies of files that are read already: what rotation with `copytruncate` leaves, and files that were moved to another disk.
 *
 * A copy is one by its content up to the position of its original. Beside an original that is still whole only a name that
 * begins with the original's makes a copy (`app.log.1` of `app.log`): other files may well hold the same on purpose.
 */
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  bytesAt,
  type Digest,
  digestOf,
  type Fingerprint,
  HEAD_BYTES,
  matches,
  type ReadableFile,
  tailOf,
} from './file-fingerprint.ts';
import { fileIdentity, type Sincedb } from './file-sincedb.ts';

/** Files of which less was read are too easily alike. */
const COPY_BYTES_MIN = 64;
/** Files of a folder that are looked at for the copy of one. */
const CANDIDATES_MAX = 1_000;

/** `wait`: a copy beside an original that is whole. What is new shows once that is cut or gone. */
export type CopyVerdict =
  | { readonly kind: 'own' }
  | { readonly kind: 'wait' }
  | { readonly kind: 'copy'; readonly position: number; readonly fingerprint: Fingerprint };

/** What a file is of which nothing is known but its content. */
export async function copyVerdict(path: string, file: ReadableFile, sincedb: Sincedb): Promise<CopyVerdict> {
  const before = await file.stat();
  const verdict = await verdictBy(path, file, before.size, sincedb);
  if (verdict.kind !== 'own' || !isNamedAfterAny(path, sincedb)) return verdict;
  // A copy is not made in one step: what was looked at may be no moment of the file.
  const after = await file.stat();
  return after.size === before.size && after.mtimeMs === before.mtimeMs ? verdict : { kind: 'wait' };
}

async function verdictBy(path: string, file: ReadableFile, size: number, sincedb: Sincedb): Promise<CopyVerdict> {
  const start = await bytesAt(file, 0, HEAD_BYTES);
  // Nearly all records have heads of one length: one digest is compared with all of them.
  const heads = new Map<number, string>();
  const hasHead = ({ length, hash }: Digest): boolean => {
    if (length > start.length) return false;
    const own = heads.get(length) ?? digestOf(start.subarray(0, length), length).hash;
    heads.set(length, own);
    return own === hash;
  };
  for (const [identity, record] of sincedb.positions) {
    const fingerprint = sincedb.fingerprints.get(identity);
    if (fingerprint?.tail == null || fingerprint.tail.end < COPY_BYTES_MIN) continue;
    const { head, tail } = fingerprint;
    const isNamedAfter = isRotationOf(path, record.path);
    // Perhaps the first moment of a copy; nothing is missed meanwhile.
    if (size === 0 && isNamedAfter) return { kind: 'wait' };
    // A short copy may be of a time when less of the head was there.
    if (!hasHead(head) && !(isNamedAfter && size < head.length)) continue;
    const isLonger = size >= tail.end;
    if (await holds(record.path, identity, tail.end)) {
      if (!isNamedAfter) continue;
      const isAlike = isLonger ? await matches(file, tail) : await isStartOf(file, size, record.path);
      // Cut since it was asked, the original says nothing about a shorter copy.
      if (isAlike || !(await holds(record.path, identity, tail.end))) return { kind: 'wait' };
    } else if (isLonger && hasHead(head) && (await matches(file, tail)))
      return { kind: 'copy', position: record.position, fingerprint };
  }
  return { kind: 'own' };
}

function isNamedAfterAny(path: string, { positions }: Sincedb): boolean {
  return [...positions.values()].some((record) => isRotationOf(path, record.path));
}

/** Whether the last of `size` bytes stand at the same place of another file: a copy that is being made. */
async function isStartOf(file: ReadableFile, size: number, original: string): Promise<boolean> {
  const digest = await tailOf(file, size);
  const other = await open(original, 'r');
  try {
    return digest !== null && (await matches(other, digest));
  } finally {
    await other.close();
  }
}

/** The copy beside `path`, open, that holds what was read of it and perhaps more; null when there is none. */
export async function openCopyOf(path: string, { head, tail }: Fingerprint): Promise<OpenCopy | null> {
  if (tail === null || tail.end < COPY_BYTES_MIN) return null;
  const folder = dirname(path);
  const names = (await readdir(folder)).filter((name) => isRotationOf(join(folder, name), path));
  for (const name of names.slice(0, CANDIDATES_MAX)) {
    const candidate = join(folder, name);
    const found = await stat(candidate).catch(() => null);
    if (found === null || !found.isFile() || found.size < tail.end) continue;
    const handle = await open(candidate, 'r');
    if ((await matches(handle, head)) && (await matches(handle, tail)))
      return { path: candidate, handle, identity: fileIdentity(await handle.stat()) };
    await handle.close();
  }
  return null;
}

export interface OpenCopy {
  readonly path: string;
  readonly handle: FileHandle;
  readonly identity: string;
}

function isRotationOf(path: string, original: string): boolean {
  const [name, of] = [basename(path), basename(original)];
  return dirname(path) === dirname(original) && name.length > of.length && name.startsWith(of);
}

async function holds(path: string, identity: string, size: number): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && fileIdentity(found) === identity && found.size >= size;
}
