/**
 * Space on the data path that only the cluster state and a start may use: `_state/reserve`, a file of real bytes that is cut
 * shorter each time the disk is full.
 *
 * Without it a full disk could not be freed from within: deleting an index is a change of the cluster state, which must be
 * written first. It is given back piece by piece, because what is free is anybody's: a shard that is written to, or copied here again,
 * may be quicker than the cluster state. It is filled again when there is room for it twice.
 */
import { type Cancel, type Disk, DiskError, type Log, type Runtime } from '@shoal/runtime';

const FIRST_FILL_MS = 1_000;
const FILL_INTERVAL_MS = 10_000;
/** The reserve takes at most this share of the disk. */
const DISK_SHARE = 1 / 16;
/** Below this a reserve is of no use. */
const BYTES_MIN = 64 * 1024;
const CHUNK_BYTES = 64 * 1024;
/** Pieces in which a reserve of many chunks is given back. */
const PIECES = 8;

function reservePath(stateFolder: string): string {
  return `${stateFolder}/reserve`;
}

/** Cuts the reserve to so many bytes; false when it had no more. */
async function cut(disk: Disk, path: string, bytesLeft: number): Promise<boolean> {
  if (!(await disk.exists(path))) return false;
  const file = await disk.open(path, 'update');
  try {
    const isCut = (await file.sizeBytes()) > bytesLeft;
    if (isCut) await file.truncate(bytesLeft);
    return isCut;
  } finally {
    await file.close();
  }
}

/** For a start that finds the disk full: the reserve of the process before is used up first. */
export async function makeRoomForStart(disk: Disk, stateFolder: string, log: Log): Promise<void> {
  const path = reservePath(stateFolder);
  if (!(await disk.exists(path))) return;
  const [{ sizeBytes }, { freeBytes }] = [await disk.stat(path), await disk.space(stateFolder)];
  if (freeBytes >= sizeBytes || !(await cut(disk, path, 0))) return;
  log.warn('the disk is full: the node starts in the space that it had kept for this', { path, bytes: sizeBytes });
}

export class SpaceReserve {
  readonly #runtime: Pick<Runtime, 'disk' | 'sched' | 'log'>;
  readonly #folder: string;
  readonly #bytesMax: number;
  /** Bytes of the file that are still to be given back. */
  #bytes = 0;
  /** When it was filled last; 0: it never was. */
  #wholeBytes = 0;
  #isClosed = false;
  #busy: Promise<void> = Promise.resolve();
  #stopTimer: Cancel;

  /** @param bytesMax 0: no reserve is made */
  constructor(runtime: Pick<Runtime, 'disk' | 'sched' | 'log'>, stateFolder: string, bytesMax: number) {
    this.#runtime = runtime;
    this.#folder = stateFolder;
    this.#bytesMax = bytesMax;
    this.#stopTimer = bytesMax === 0 ? () => {} : runtime.sched.after(FIRST_FILL_MS, () => this.#tick());
  }

  /** Nothing is left to be released. */
  get isSpent(): boolean {
    return this.#bytes === 0;
  }

  /** Gives a piece of the space back to the disk; false when there is none to give. */
  async release(): Promise<boolean> {
    let hasReleased = false;
    await this.#alone(async () => {
      if (this.#bytes === 0) return;
      const pieceBytes = Math.ceil(this.#wholeBytes / PIECES / CHUNK_BYTES) * CHUNK_BYTES;
      const left = Math.max(0, this.#bytes - pieceBytes);
      hasReleased = await cut(this.#runtime.disk, reservePath(this.#folder), left);
      this.#bytes = left;
    });
    const bytesLeft = this.#bytes;
    if (hasReleased)
      this.#runtime.log.warn('the disk is full: space kept for the cluster state is used', { bytesLeft });
    return hasReleased;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopTimer();
    await this.#busy;
  }

  #tick(): void {
    void this.#alone(() => this.#fill()).then(() => {
      if (!this.#isClosed) this.#stopTimer = this.#runtime.sched.after(FILL_INTERVAL_MS, () => this.#tick());
    });
  }

  /** One step after the other. A disk that fails leaves the reserve as it is: it is made to be done without. */
  #alone(work: () => Promise<void>): Promise<void> {
    this.#busy = this.#busy.then(work).catch((error: unknown) => {
      if (!(error instanceof DiskError)) throw error;
    });
    return this.#busy;
  }

  async #fill(): Promise<void> {
    const isWhole = this.#bytes > 0 && this.#bytes === this.#wholeBytes;
    if (isWhole || this.#isClosed) return;
    const { disk } = this.#runtime;
    const { totalBytes, freeBytes } = await disk.space(this.#folder);
    const bytes = Math.floor(Math.min(this.#bytesMax, totalBytes * DISK_SHARE) / CHUNK_BYTES) * CHUNK_BYTES;
    if (bytes < BYTES_MIN || freeBytes < 2 * bytes) return;
    const path = reservePath(this.#folder);
    this.#bytes = 0;
    const file = await disk.open(path, 'create');
    try {
      for (let at = 0; at < bytes; at += CHUNK_BYTES) await file.write(noise(at), at);
      await file.sync();
      this.#bytes = bytes;
      this.#wholeBytes = bytes;
    } catch (error) {
      await file.truncate(0);
      throw error;
    } finally {
      await file.close();
    }
  }
}

/** Bytes that no file system stores in less space. */
function noise(seed: number): Uint8Array {
  const words = new Uint32Array(CHUNK_BYTES / 4);
  let state = (seed + 0x9e37_79b9) >>> 0;
  for (let i = 0; i < words.length; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[i] = state;
  }
  return new Uint8Array(words.buffer);
}
