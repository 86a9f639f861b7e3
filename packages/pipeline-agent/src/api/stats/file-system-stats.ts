/**
 * The file system that a folder lies on: how much room there is, and of what kind it is.
 */
import { resolve } from 'node:path';
import type { Runtime } from '@shoal/runtime';

export interface FileSystemStats {
  readonly freeBytes: number;
  /** Such as `ext4`; `unknown` where the system does not say. */
  readonly type: string;
}

const MOUNTS = '/proc/self/mountinfo';
const UNKNOWN = 'unknown';

/** null for a folder that is not there. */
export async function readFileSystemStats(runtime: Runtime, folder: string): Promise<FileSystemStats | null> {
  try {
    const { freeBytes } = await runtime.disk.space(folder);
    return { freeBytes, type: await typeOf(runtime, resolve(folder)) };
  } catch {
    return null; // Not made yet, or gone: nothing can be said of it.
  }
}

async function typeOf(runtime: Runtime, folder: string): Promise<string> {
  let text: string;
  try {
    text = new TextDecoder().decode(await runtime.disk.readFile(MOUNTS));
  } catch {
    return UNKNOWN;
  }
  let best = { length: -1, type: UNKNOWN };
  for (const line of text.split('\n')) {
    const mount = line.split(' ')[4];
    const type = / - (\S+) /.exec(line)?.[1];
    if (mount === undefined || type === undefined) continue;
    const isAbove = mount === '/' || folder === mount || folder.startsWith(`${mount}/`);
    // When two are mounted on one folder the later one covers the earlier.
    if (isAbove && mount.length >= best.length) best = { length: mount.length, type };
  }
  return best.type;
}
