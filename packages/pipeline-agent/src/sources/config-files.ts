/**
 * The files that `path.config` means: a file, all files of a folder, or what a pattern matches; always in the same order.
 */
import { GLOB_CHARACTERS, nameMatcher } from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';
import type { Disk } from '@shoal/runtime';
import type { ConfigText } from './pipeline-source.ts';

const FILES_MAX = 10_000;
const BYTE_ORDER_MARK = '\ufeff';
/** Editors' leftovers in a folder: taking them would run a pipeline twice. */
const LEFTOVER = /(~|\.bak|\.swp|\.orig|\.rpmsave|\.dpkg-old)$/;

export async function readConfigFiles(disk: Disk, path: string): Promise<readonly ConfigText[]> {
  const files = await filesOf(disk, path);
  if (files.length === 0) throw new ShoalError('config_exception', 400, `no configuration file matches [${path}]`);
  const texts: ConfigText[] = [];
  for (const name of files) {
    const text = new TextDecoder().decode(await disk.readFile(name));
    texts.push({ name, text: text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text });
  }
  return texts;
}

async function filesOf(disk: Disk, path: string): Promise<readonly string[]> {
  if (await disk.exists(path)) {
    if (!(await disk.stat(path)).isDirectory) return [path];
    const folder = path.replace(/\/+$/, '');
    const names = (await disk.list(folder)).filter((name) => !name.startsWith('.') && !LEFTOVER.test(name));
    return onlyFiles(
      disk,
      names.map((name) => `${folder}/${name}`),
    );
  }
  if (!GLOB_CHARACTERS.test(path)) {
    throw new ShoalError('config_exception', 400, `the configuration [${path}] does not exist`);
  }
  const start = path.startsWith('/') ? ['/'] : ['.'];
  const found = await matching(
    disk,
    start,
    path.split('/').filter((part) => part !== ''),
  );
  return onlyFiles(disk, found.map((name) => name.replace(/^\.\//, '')).sort());
}

async function onlyFiles(disk: Disk, paths: readonly string[]): Promise<readonly string[]> {
  const files: string[] = [];
  for (const path of paths) if (!(await disk.stat(path)).isDirectory) files.push(path);
  if (files.length > FILES_MAX)
    throw new ShoalError('config_exception', 400, `more than ${FILES_MAX} configuration files`);
  return files;
}

async function matching(disk: Disk, folders: readonly string[], parts: readonly string[]): Promise<readonly string[]> {
  let found: readonly string[] = folders;
  for (const part of parts) {
    const next: string[] = [];
    for (const folder of found) {
      const base = folder === '/' ? '' : folder;
      if (!GLOB_CHARACTERS.test(part)) {
        if (await disk.exists(`${base}/${part}`)) next.push(`${base}/${part}`);
        continue;
      }
      if (!(await disk.stat(folder)).isDirectory) continue;
      const matches = nameMatcher(part);
      for (const name of await disk.list(folder)) if (matches(name)) next.push(`${base}/${name}`);
    }
    found = next;
  }
  return found;
}
