/**
 * Files whose paths match a pattern, with `**` for any depth of folders.
 *
 * Folders are walked part by part, so that `/var/log/*.log` never looks into anything but `/var/log`.
 */
import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expandBraces, GLOB_CHARACTERS, partPattern } from './glob-pattern.ts';

/** A pattern that finds more was not meant. */
const PATHS_MAX = 200_000;
const DEPTH_MAX = 64;

/** Files (not folders) that match, in no order. Folders that cannot be read hold nothing. */
export async function expandGlob(pattern: string): Promise<string[]> {
  const found = new Set<string>();
  for (const alternative of expandBraces(pattern)) {
    const parts = alternative.split('/').filter((part) => part !== '');
    await walk('/', parts, 0, found);
  }
  return [...found];
}

async function walk(folder: string, parts: readonly string[], depth: number, found: Set<string>): Promise<void> {
  const [part, ...rest] = parts;
  if (part === undefined || found.size >= PATHS_MAX || depth > DEPTH_MAX) return;
  if (!GLOB_CHARACTERS.test(part)) {
    const path = join(folder, part);
    if (rest.length > 0) await walk(path, rest, depth + 1, found);
    else if (await isFile(path)) found.add(path);
    return;
  }
  if (part === '**' && rest.length > 0) await walk(folder, rest, depth + 1, found);
  const regex = part === '**' ? /^[^.]/ : partPattern(part);
  for (const entry of await entriesOf(folder)) {
    if (!regex.test(entry.name)) continue;
    const path = join(folder, entry.name);
    if (part === '**' && entry.isDirectory()) await walk(path, parts, depth + 1, found);
    if (rest.length > 0) {
      if (part !== '**' && !entry.isFile()) await walk(path, rest, depth + 1, found);
    } else if (entry.isFile() || (entry.isSymbolicLink() && (await isFile(path)))) found.add(path);
  }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch {
    // Not there yet, or not ours to read: it may be later.
    return [];
  }
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
