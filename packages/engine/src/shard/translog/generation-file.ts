/**
 * One file of the translog, with room on disk for the records to come.
 *
 * Zeros are written ahead of the records, so that a record finds its blocks taken already: whoever executes an operation first sees
 * that its record has room, and a disk that runs full refuses operations before they are executed, never after. A file may
 * be made before its generation begins; until then it holds zeros only, and a reader drops it.
 */
import { assert } from '@shoal/core';
import { type Disk, DiskError, type File, finalSync, finalSyncDir } from '@shoal/runtime';
import { translogFileName } from './translog-reader.ts';
import { encodeHeader, TRANSLOG_HEADER_BYTES } from './translog-record.ts';

/** Room taken at first: most shards of a cluster with many of them are seldom written. */
const ROOM_BYTES_MIN = 4 * 1024;
/** Most room taken at a time; below it each one doubles the file. */
const ROOM_BYTES_MAX = 1024 * 1024;

/** Never written to, so that the system need not find memory for it. */
const ZEROS = new Uint8Array(ROOM_BYTES_MAX);

export class GenerationFile {
  readonly generation: number;
  readonly path: string;
  private readonly file: File;
  /** Bytes of header and records so far. */
  writtenBytes = 0;
  syncedBytes = 0;
  /** Bytes of header and records once everything that was appended is written. */
  private claimedBytes = TRANSLOG_HEADER_BYTES;
  /** Bytes that the file takes on disk: writing below them needs no room. */
  private allocatedBytes = 0;
  private extending: Promise<void> | null = null;

  private constructor(generation: number, path: string, file: File) {
    this.generation = generation;
    this.path = path;
    this.file = file;
  }

  /** An empty file; its name is durable. */
  static async create(disk: Disk, folder: string, generation: number): Promise<GenerationFile> {
    const path = `${folder}/${translogFileName(generation)}`;
    const file = await disk.open(path, 'create');
    try {
      await finalSyncDir(disk, folder);
    } catch (error) {
      await file.close();
      throw error;
    }
    return new GenerationFile(generation, path, file);
  }

  /** `create` and `begin` at once: a file system that writes a new name with the bytes behind it has nothing left to write for the folder. */
  static async createBegun(
    disk: Disk,
    folder: string,
    { generation, previousBytes }: { readonly generation: number; readonly previousBytes: number },
  ): Promise<GenerationFile> {
    const path = `${folder}/${translogFileName(generation)}`;
    const file = await disk.open(path, 'create');
    try {
      const begun = new GenerationFile(generation, path, file);
      await begun.begin(previousBytes);
      await finalSyncDir(disk, folder);
      return begun;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** A file that another start began. So many bytes of it are durable, as is its name, and nothing is behind them. */
  static async reopen(
    disk: Disk,
    folder: string,
    { generation, sizeBytes }: { readonly generation: number; readonly sizeBytes: number },
  ): Promise<GenerationFile> {
    const path = `${folder}/${translogFileName(generation)}`;
    const reopened = new GenerationFile(generation, path, await disk.open(path, 'update'));
    reopened.writtenBytes = sizeBytes;
    reopened.syncedBytes = sizeBytes;
    reopened.claimedBytes = sizeBytes;
    reopened.allocatedBytes = sizeBytes;
    return reopened;
  }

  /** Begins the generation. `previousBytes`: size of the one before, all of it durable; -1 without. */
  async begin(previousBytes: number): Promise<void> {
    assert(this.writtenBytes === 0, `generation ${this.generation} begins after ${this.writtenBytes} bytes`);
    await this.write(encodeHeader(this.generation, previousBytes));
    await this.sync();
  }

  /** Size of header and records once everything that was appended is written. */
  get finalBytes(): number {
    return this.claimedBytes;
  }

  /** Room for one more record of so many bytes. */
  hasRoomFor(bytes: number): boolean {
    return this.claimedBytes + bytes <= this.allocatedBytes;
  }

  /** Rejects with kind `full` without harm. */
  async ensureRoomFor(bytes: number): Promise<void> {
    if (!this.hasRoomFor(bytes)) await this.extend(bytes);
  }

  /** Takes room for at least so many bytes, unless somebody is taking some already; rejects with kind `full` without harm. */
  extend(bytes: number): Promise<void> {
    this.extending ??= this.extendNow(bytes).finally(() => {
      this.extending = null;
    });
    return this.extending;
  }

  private async extendNow(bytes: number): Promise<void> {
    const least = this.claimedBytes + bytes - this.allocatedBytes;
    const wanted = Math.max(least, Math.min(Math.max(this.allocatedBytes, ROOM_BYTES_MIN), ROOM_BYTES_MAX));
    try {
      await this.allocate(wanted);
    } catch (error) {
      if (!(error instanceof DiskError && error.kind === 'full') || least >= wanted) throw error;
      await this.allocate(least);
    }
  }

  private async allocate(bytes: number): Promise<void> {
    const end = this.allocatedBytes + bytes;
    while (this.allocatedBytes < end) {
      const count = Math.min(end - this.allocatedBytes, ZEROS.length);
      await this.file.write(ZEROS.subarray(0, count), this.allocatedBytes);
      this.allocatedBytes += count;
    }
  }

  /** A record is going to be written, for which there is room. */
  claim(bytes: number): void {
    this.claimedBytes += bytes;
    assert(this.claimedBytes <= this.allocatedBytes, `${this.claimedBytes} bytes in room for ${this.allocatedBytes}`);
  }

  async write(bytes: Uint8Array): Promise<void> {
    const at = this.writtenBytes;
    await this.file.write(bytes, at);
    this.writtenBytes = at + bytes.length;
    this.allocatedBytes = Math.max(this.allocatedBytes, this.writtenBytes);
    assert(this.writtenBytes <= this.claimedBytes, `${this.writtenBytes} bytes of ${this.claimedBytes} are written`);
  }

  /** Makes what was written before this call durable; false when it was already. */
  async sync(): Promise<boolean> {
    const size = this.writtenBytes;
    assert(size >= this.syncedBytes, `${size} bytes are written, ${this.syncedBytes} synced`);
    if (size === this.syncedBytes) return false;
    await finalSync(this.file, this.path);
    this.syncedBytes = size;
    return true;
  }

  /** Gives back the room that was not used. */
  async close(): Promise<void> {
    await this.extending?.catch(() => {
      // Whoever asked for room hears of it.
    });
    try {
      if (this.allocatedBytes > this.writtenBytes) await this.file.truncate(this.writtenBytes);
    } catch (error) {
      // A reader drops zeros behind the records as well.
      if (!(error instanceof DiskError)) throw error;
    } finally {
      await this.file.close();
    }
  }
}
