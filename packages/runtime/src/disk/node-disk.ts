/**
 * The file system behind the `Disk` interface. Every failure becomes a `DiskError` that names the path.
 */
import { constants, fstatSync, readSync, writeSync } from 'node:fs';
import {
  access,
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  unlink,
} from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { type Disk, DiskError, type File, type OpenMode } from '../interfaces/disk.ts';
import { diskError } from './disk-errors.ts';
import { acquireProcessLock } from './process-lock.ts';

/** `append` has no O_APPEND: the kernel would then ignore the offset of each write. */
const OPEN_FLAGS: Readonly<Record<OpenMode, number>> = {
  read: constants.O_RDONLY,
  update: constants.O_RDWR,
  append: constants.O_RDWR | constants.O_CREAT,
  create: constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC,
};

/** Relative paths are under `root`, which must be absolute. */
export function createNodeDisk(root: string): Disk {
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
    open: (path, mode) => run(path, async (p) => new NodeFile(p, await open(p, OPEN_FLAGS[mode]))),
    readFile: (path) =>
      run(path, async (p) => {
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
    list: (directory) => run(directory, async (p) => (await readdir(p)).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))),
    unlink: (path) => run(path, unlink),
    removeTree: (path) => run(path, (p) => rm(p, { recursive: true, force: true })),
    syncDir: (directory) => run(directory, syncDir),
    space: (path) =>
      run(path, async (p) => {
        const found = await statfs(p);
        return { totalBytes: found.blocks * found.bsize, freeBytes: found.bavail * found.bsize };
      }),
  };
}

async function syncDir(directory: string): Promise<void> {
  const handle = await open(directory, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

class NodeFile implements File {
  readonly #path: string;
  readonly #handle: FileHandle;

  constructor(path: string, handle: FileHandle) {
    this.#path = path;
    this.#handle = handle;
  }

  async write(bytes: Uint8Array, offset: number): Promise<void> {
    let done = 0;
    while (done < bytes.byteLength) {
      const written = await this.#run(() => this.#handle.write(bytes, done, bytes.byteLength - done, offset + done));
      this.#mustAdvance(written.bytesWritten);
      done += written.bytesWritten;
    }
  }

  async read(offset: number, count: number): Promise<Uint8Array> {
    // Not more than the file has: the count may come from a damaged header.
    const available = Math.max(0, Math.min(count, (await this.sizeBytes()) - offset));
    const target = new Uint8Array(available);
    let done = 0;
    while (done < available) {
      const got = await this.#run(() => this.#handle.read(target, done, available - done, offset + done));
      if (got.bytesRead === 0) break;
      done += got.bytesRead;
    }
    return done === available ? target : target.subarray(0, done);
  }

  readIntoSync(target: Uint8Array, offset: number): number {
    try {
      let done = 0;
      while (done < target.byteLength) {
        const got = readSync(this.#handle.fd, target, done, target.byteLength - done, offset + done);
        if (got === 0) break;
        done += got;
      }
      return done;
    } catch (error) {
      throw diskError(error, this.#path);
    }
  }

  writeSync(bytes: Uint8Array, offset: number): void {
    try {
      let done = 0;
      while (done < bytes.byteLength) {
        const written = writeSync(this.#handle.fd, bytes, done, bytes.byteLength - done, offset + done);
        this.#mustAdvance(written);
        done += written;
      }
    } catch (error) {
      throw diskError(error, this.#path);
    }
  }

  sync(): Promise<void> {
    return this.#run(() => this.#handle.datasync());
  }

  truncate(sizeBytes: number): Promise<void> {
    return this.#run(() => this.#handle.truncate(sizeBytes));
  }

  sizeBytes(): Promise<number> {
    // Answered by the kernel's memory: a trip through the thread pool would cost more than the call.
    return this.#run(async () => fstatSync(this.#handle.fd).size);
  }

  close(): Promise<void> {
    return this.#run(() => this.#handle.close());
  }

  #mustAdvance(written: number): void {
    if (written === 0) throw new DiskError('io', this.#path, `${this.#path}: a write took no byte`);
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw diskError(error, this.#path);
    }
  }
}
