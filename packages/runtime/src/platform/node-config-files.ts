/**
 * The configuration folder of a node on its file system.
 */
import { readFileSync, statSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import type { ConfigFile, ConfigFiles } from '@shoal/core';
import { diskError } from '../disk/disk-errors.ts';

/** Links in the folder may lead out of it: whoever made them may change the node anyway. A path must not. */
export function createNodeConfigFiles(folder: string): ConfigFiles {
  const root = resolve(folder);
  // Paths with a zero byte are none of any file.
  const isInside = (path: string): boolean => path.startsWith(join(root, sep)) && !path.includes('\0');
  return {
    read(path, bytesMax) {
      const absolute = resolve(root, path);
      if (!isInside(absolute)) return { kind: absolute === root ? 'unreadable' : 'outside', path: absolute };
      try {
        return readFile(absolute, bytesMax);
      } catch (error) {
        return { kind: diskError(error, absolute).kind === 'notFound' ? 'missing' : 'unreadable', path: absolute };
      }
    },
    modifiedMs(path) {
      const absolute = resolve(root, path);
      const stat = isInside(absolute) ? statSync(absolute, { throwIfNoEntry: false }) : undefined;
      return stat?.isFile() === true ? Math.floor(stat.mtimeMs) : null;
    },
  };
}

function readFile(path: string, bytesMax: number): ConfigFile {
  const stat = statSync(path);
  // To open a pipe would wait for somebody who writes.
  if (!stat.isFile()) return { kind: 'unreadable', path };
  if (stat.size > bytesMax) return { kind: 'tooLarge', path };
  return { kind: 'read', path, bytes: readFileSync(path) };
}
