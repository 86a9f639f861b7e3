/**
 * An open file of the operating system. Operations that run when it is closed end first: the number of a closed file is soon that of another one.
 */
import { close, closeSync, fdatasync, fstatSync, fsync, ftruncate, read, readSync, write, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { DiskError, type File } from '../interfaces/disk.ts';
import { diskError } from './disk-errors.ts';

/** Most bytes that are read in one go by who may block. */
export const SHORT_BYTES: number = 64 * 1024;
/** Number of a file that is closed: the operating system refuses it. */
const CLOSED = -1;
const running = {
  close: promisify(close),
  datasync: promisify(fdatasync),
  read: promisify(read),
  sync: promisify(fsync),
  truncate: promisify(ftruncate),
  write: promisify(write),
};

export class NodeFile implements File {
  readonly #path: string;
  readonly #blocks: boolean;
  #fd: number;
  #operations = 0;
  /** Called when no operation runs any more. */
  #whenIdle: (() => void) | null = null;
  #closing: Promise<void> | null = null;

  /**
   * @param fd open, and from now on this object's
   * @param blocks the calling thread may wait for short reads and for the file to be closed
   */
  constructor(path: string, fd: number, blocks: boolean) {
    this.#path = path;
    this.#fd = fd;
    this.#blocks = blocks;
  }

  async write(bytes: Uint8Array, offset: number): Promise<void> {
    let done = 0;
    while (done < bytes.byteLength) {
      const written = await this.#run((fd) => running.write(fd, bytes, done, bytes.byteLength - done, offset + done));
      this.#mustAdvance(written.bytesWritten);
      done += written.bytesWritten;
    }
  }

  async read(offset: number, count: number): Promise<Uint8Array> {
    // Not more than the file has: the count may come from a damaged header.
    const available = Math.max(0, Math.min(count, (await this.sizeBytes()) - offset));
    const target = new Uint8Array(available);
    if (this.#blocks && available <= SHORT_BYTES) return target.subarray(0, this.readIntoSync(target, offset));
    let done = 0;
    while (done < available) {
      const got = await this.#run((fd) => running.read(fd, target, done, available - done, offset + done));
      if (got.bytesRead === 0) break;
      done += got.bytesRead;
    }
    return done === available ? target : target.subarray(0, done);
  }

  readIntoSync(target: Uint8Array, offset: number): number {
    try {
      return readUpTo(this.#fd, target, offset).byteLength;
    } catch (error) {
      throw diskError(error, this.#path);
    }
  }

  writeSync(bytes: Uint8Array, offset: number): void {
    try {
      let done = 0;
      while (done < bytes.byteLength) {
        const written = writeSync(this.#fd, bytes, done, bytes.byteLength - done, offset + done);
        this.#mustAdvance(written);
        done += written;
      }
    } catch (error) {
      throw diskError(error, this.#path);
    }
  }

  sync(): Promise<void> {
    return this.#run(running.datasync);
  }

  /** Makes all that is known of the file durable, as folders need it. */
  syncAll(): Promise<void> {
    return this.#run(running.sync);
  }

  truncate(sizeBytes: number): Promise<void> {
    return this.#run((fd) => running.truncate(fd, sizeBytes));
  }

  sizeBytes(): Promise<number> {
    // Answered by the kernel's memory: a trip through the thread pool would cost more than the call.
    return this.#run(async (fd) => fstatSync(fd).size);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const fd = this.#fd;
    this.#fd = CLOSED;
    if (this.#operations > 0) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve;
      });
    }
    try {
      if (this.#blocks) closeSync(fd);
      else await running.close(fd);
    } catch (error) {
      throw diskError(error, this.#path);
    }
  }

  #mustAdvance(written: number): void {
    if (written === 0) throw new DiskError('io', this.#path, `${this.#path}: a write took no byte`);
  }

  async #run<T>(work: (fd: number) => Promise<T>): Promise<T> {
    this.#operations++;
    try {
      return await work(this.#fd);
    } catch (error) {
      throw diskError(error, this.#path);
    } finally {
      if (--this.#operations === 0) this.#whenIdle?.();
    }
  }
}

/** Fills `target` from an offset of the file. Blocks. @returns what there was */
export function readUpTo(fd: number, target: Uint8Array, offset: number): Uint8Array {
  let done = 0;
  while (done < target.byteLength) {
    const got = readSync(fd, target, done, target.byteLength - done, offset + done);
    if (got === 0) break;
    done += got;
  }
  return done === target.byteLength ? target : target.subarray(0, done);
}
