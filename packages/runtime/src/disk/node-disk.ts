/**
 * The file system behind the `Disk` interface. Every failure becomes a `DiskError` that names the path.
 *
 * A trip through the thread pool costs ten times what the kernel needs to open a file or to read a small one, and a shard that opens makes dozens
 * of them. Worker threads, which may block, do without: see `NodeDiskOptions.blocks`.
 */
import { closeSync, constants, fstatSync, open as openCallback, openSync, readdirSync, statSync } from 'node:fs';
import { access, mkdir, readdir, readFile, rename, rm, stat, statfs, unlink } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import type { Disk, OpenMode } from '../interfaces/disk.ts';
import { diskError } from './disk-errors.ts';
import { NodeFile, readUpTo, SHORT_BYTES } from './node-file.ts';
import { acquireProcessLock } from './process-lock.ts';

/** `append` has no O_APPEND: the kernel would then ignore the offset of each write. */
const OPEN_FLAGS: Readonly<Record<OpenMode, number>> = {
  read: constants.O_RDONLY,
  update: constants.O_RDWR,
  append: constants.O_RDWR | constants.O_CREAT,
  create: constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC,
};

const opened = promisify(openCallback);

export interface NodeDiskOptions {
  /**
   * Worker threads only: what the kernel answers from its memory as a rule blocks the calling thread: opening what is there, closing, listing,
   * reading up to `SHORT_BYTES`. What waits for the disk (writes, syncs, new names, long reads) never does. Default: nothing blocks.
   */
  readonly blocks?: boolean;
}

/** Relative paths are under `root`, which must be absolute. */
export function createNodeDisk(root: string, { blocks = false }: NodeDiskOptions = {}): Disk {
  const at = (path: string): string => (isAbsolute(path) ? path : join(root, path));

  async function run<T>(path: string, work: (absolute: string) => Promise<T>): Promise<T> {
    const absolute = at(path);
    try {
      return await work(absolute);
    } catch (error) {
      throw diskError(error, absolute);
    }
  }

  return {
    open: (path, mode) =>
      run(path, async (p) => {
        const flags = OPEN_FLAGS[mode];
        const isThere = mode === 'read' || mode === 'update';
        return new NodeFile(p, blocks && isThere ? openSync(p, flags) : await opened(p, flags), blocks);
      }),
    readFile: (path) =>
      run(path, async (p) => {
        const short = blocks ? readShortSync(p) : null;
        if (short !== null) return short;
        // Not a Buffer, whose `slice` shares memory where that of a Uint8Array copies.
        const found = await readFile(p);
        return new Uint8Array(found.buffer, found.byteOffset, found.byteLength);
      }),
    mkdir: (path) => run(path, async (p) => void (await mkdir(p, { recursive: true }))),
    stat: (path) =>
      run(path, async (p) => {
        const found = await stat(p);
        return { sizeBytes: found.size, isDirectory: found.isDirectory(), modifiedMs: Math.floor(found.mtimeMs) };
      }),
    exists: async (path) => {
      try {
        if (blocks) return statSync(at(path), { throwIfNoEntry: false }) !== undefined;
        await access(at(path));
        return true;
      } catch (error) {
        const failed = diskError(error, at(path));
        if (failed.kind === 'notFound') return false;
        throw failed;
      }
    },
    lock: (path) => run(path, acquireProcessLock),
    rename: (from, to) => run(from, (p) => rename(p, at(to))),
    list: (directory) =>
      run(directory, async (p) =>
        (blocks ? readdirSync(p) : await readdir(p)).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
      ),
    unlink: (path) => run(path, unlink),
    removeTree: (path) => run(path, (p) => rm(p, { recursive: true, force: true })),
    syncDir: (directory) => run(directory, (p) => syncDir(p, blocks)),
    space: (path) =>
      run(path, async (p) => {
        const found = await statfs(p);
        return { totalBytes: found.blocks * found.bsize, freeBytes: found.bavail * found.bsize };
      }),
  };
}

async function syncDir(directory: string, blocks: boolean): Promise<void> {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY;
  const folder = new NodeFile(directory, blocks ? openSync(directory, flags) : await opened(directory, flags), blocks);
  try {
    await folder.syncAll();
  } finally {
    await folder.close();
  }
}

/** The whole file; null: it is longer than `SHORT_BYTES`. */
function readShortSync(path: string): Uint8Array | null {
  const fd = openSync(path, OPEN_FLAGS.read);
  try {
    const { size } = fstatSync(fd);
    return size > SHORT_BYTES ? null : readUpTo(fd, new Uint8Array(size), 0);
  } finally {
    closeSync(fd);
  }
}
