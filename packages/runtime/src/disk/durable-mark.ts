/**
 * Durable mark of a log: how much of which generation was synced, in a small file beside the log.
 *
 * A log whose last records do not read is ambiguous: a crash tore writes that nobody was promised, or the disk lost what was.
 * The mark decides: what it covers was durable, so that a bad record there is damage. It is written after each sync of the log
 * without a sync of its own, which survives the death of the process; `sync` makes it survive that of the machine. A mark
 * that is old, missing or itself damaged claims less and never too much.
 */
import { crc32 } from 'node:zlib';
import { type Disk, DiskError, type File } from '../interfaces/disk.ts';
import { readFileOrNull } from './read-file-or-null.ts';

const MAGIC = 'SHOALMRK';
const BODY_BYTES = 24;
const MARK_BYTES = BODY_BYTES + 4;

export interface LogMark {
  readonly generation: number;
  /** Bytes of that generation, from its start, that were durable. */
  readonly sizeBytes: number;
}

/** The mark at `path`; null when there is none, or it is not whole. */
export async function readLogMark(disk: Disk, path: string): Promise<LogMark | null> {
  const found = await readFileOrNull(disk, path);
  if (found === null) return null;
  const bytes = Buffer.from(found.buffer, found.byteOffset, found.byteLength);
  if (bytes.length !== MARK_BYTES || bytes.toString('latin1', 0, 8) !== MAGIC) return null;
  if (crc32(bytes.subarray(0, BODY_BYTES)) !== bytes.readUInt32LE(BODY_BYTES)) return null;
  return { generation: bytes.readDoubleLE(8), sizeBytes: bytes.readDoubleLE(16) };
}

export class DurableMark {
  /** null: it could not be opened, and claims nothing. */
  readonly #file: File | null;
  readonly #bytes = Buffer.alloc(MARK_BYTES);
  #isSynced = true;

  private constructor(file: File | null) {
    this.#file = file;
    this.#bytes.write(MAGIC, 0, 'latin1');
  }

  /** The folder must exist. */
  static async open(disk: Disk, path: string): Promise<DurableMark> {
    let file: File | null = null;
    try {
      file = await disk.open(path, 'append');
    } catch (error) {
      ignoreDisk(error);
    }
    return new DurableMark(file);
  }

  /** Notes what was synced; blocks for one small write to the memory of the operating system. */
  note(mark: LogMark): void {
    this.#encode(mark);
    try {
      this.#file?.writeSync(this.#bytes, 0);
    } catch (error) {
      ignoreDisk(error);
    }
  }

  /** `note` for threads that must not block. */
  async noteLater(mark: LogMark): Promise<void> {
    this.#encode(mark);
    try {
      await this.#file?.write(this.#bytes, 0);
    } catch (error) {
      ignoreDisk(error);
    }
  }

  async sync(): Promise<void> {
    if (this.#isSynced) return;
    this.#isSynced = true;
    try {
      await this.#file?.sync();
    } catch (error) {
      ignoreDisk(error);
    }
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }

  #encode({ generation, sizeBytes }: LogMark): void {
    const bytes = this.#bytes;
    bytes.writeDoubleLE(generation, 8);
    bytes.writeDoubleLE(sizeBytes, 16);
    bytes.writeUInt32LE(crc32(bytes.subarray(0, BODY_BYTES)), BODY_BYTES);
    this.#isSynced = false;
  }
}

/** The log is durable without its mark, and a mark that is not written claims less: nothing is lost but the diagnosis. */
function ignoreDisk(error: unknown): void {
  if (!(error instanceof DiskError)) throw error;
}
