/**
 * One file that gathers events until it is uploaded. What was written stays when the process is killed: a compressed file
 * ends behind every write where a reader can end too.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { constants, createGzip, type Gzip } from 'node:zlib';

export interface WorkspaceFileStart {
  readonly bucket: string;
  readonly key: string;
  readonly folder: string;
  readonly path: string;
  readonly nowMs: number;
  readonly isGzip: boolean;
}

export class WorkspaceFile {
  readonly bucket: string;
  readonly key: string;
  readonly folder: string;
  readonly path: string;
  readonly createdMs: number;
  writtenMs: number;
  /** Bytes of the file that count. */
  size = 0;
  private readonly handle: FileHandle;
  private readonly gzip: Compressor | null;

  private constructor(start: WorkspaceFileStart, handle: FileHandle) {
    this.bucket = start.bucket;
    this.key = start.key;
    this.folder = start.folder;
    this.path = start.path;
    this.createdMs = start.nowMs;
    this.writtenMs = start.nowMs;
    this.handle = handle;
    this.gzip = start.isGzip ? new Compressor() : null;
  }

  static async create(start: WorkspaceFileStart): Promise<WorkspaceFile> {
    return new WorkspaceFile(start, await open(start.path, 'wx'));
  }

  /** Bytes of the file for these contents. They must all be written, in this order. */
  async encoded(bytes: Uint8Array): Promise<Uint8Array> {
    return this.gzip === null ? bytes : this.gzip.compress(bytes);
  }

  /** May be called again with the same bytes when it failed: what part of them was written is written over. */
  async write(encoded: Uint8Array, nowMs: number): Promise<void> {
    for (let done = 0; done < encoded.length; ) {
      const { bytesWritten } = await this.handle.write(encoded, done, encoded.length - done, this.size + done);
      done += bytesWritten;
    }
    this.size += encoded.length;
    this.writtenMs = nowMs;
  }

  /** @returns what ends a compressed file, which is to be written before it is closed */
  async ending(): Promise<Uint8Array> {
    return this.gzip === null ? new Uint8Array(0) : this.gzip.end();
  }

  async close(): Promise<void> {
    this.gzip?.drop();
    await this.handle.close();
  }
}

class Compressor {
  private readonly gzip: Gzip = createGzip();
  private chunks: Buffer[] = [];

  constructor() {
    this.gzip.on('data', (chunk: Buffer) => this.chunks.push(chunk));
  }

  async compress(bytes: Uint8Array): Promise<Uint8Array> {
    await new Promise<void>((resolve, reject) =>
      this.gzip.write(bytes, (error) => (error ? reject(error) : resolve())),
    );
    await new Promise<void>((resolve) => this.gzip.flush(constants.Z_SYNC_FLUSH, resolve));
    return this.taken();
  }

  async end(): Promise<Uint8Array> {
    const ended = new Promise<void>((resolve, reject) => this.gzip.once('end', resolve).once('error', reject));
    this.gzip.end();
    await ended;
    return this.taken();
  }

  drop(): void {
    this.gzip.destroy();
  }

  private taken(): Uint8Array {
    const whole = Buffer.concat(this.chunks);
    this.chunks = [];
    return whole;
  }
}
