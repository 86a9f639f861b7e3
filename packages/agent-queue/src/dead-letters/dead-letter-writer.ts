/**
 * Writes a pipeline's dead letter queue: segments in one folder, the oldest ones given up by policy.
 *
 * Writes follow one another. A failure of the disk is counted and logged; it never stops the pipeline, which would lose more
 * than the one event.
 */
import { messageOf } from '@shoal/core';
import { type Cancel, DiskError, type File, type Runtime } from '@shoal/runtime';
import { type DeadLetterEntry, readDeadLetter, segmentNames, writeDeadLetter } from './dead-letter-entry.ts';

const SEGMENT_BYTES = 10 * 1024 * 1024;

export interface DeadLetterOptions {
  readonly directory: string;
  readonly bytesMax: number;
  readonly flushIntervalMs: number;
  readonly storagePolicy: 'drop_newer' | 'drop_older';
  /** null: kept for ever. */
  readonly retainAgeMs: number | null;
}

export interface DeadLetterStats {
  readonly queueBytes: number;
  readonly bytesMax: number;
  readonly droppedCount: number;
  readonly expiredCount: number;
  readonly lastError: string;
  readonly storagePolicy: string;
}

interface Segment {
  readonly number: number;
  bytes: number;
  count: number;
  newestMs: number;
}

export class DeadLetterWriter {
  readonly #runtime: Runtime;
  readonly #options: DeadLetterOptions;
  readonly #sealed: Segment[];
  #open: { readonly file: File; readonly segment: Segment } | null = null;
  #nextNumber: number;
  #droppedCount = 0;
  #expiredCount = 0;
  #lastError = 'no errors';
  /** The last entry could not be written. */
  #isFailing = false;
  #tail: Promise<void> = Promise.resolve();
  #sealTimer: Cancel | null = null;

  private constructor(runtime: Runtime, options: DeadLetterOptions, sealed: Segment[]) {
    this.#runtime = runtime;
    this.#options = options;
    this.#sealed = sealed;
    this.#nextNumber = 1 + Math.max(0, ...sealed.map((segment) => segment.number));
  }

  static async open(runtime: Runtime, options: DeadLetterOptions): Promise<DeadLetterWriter> {
    await runtime.disk.mkdir(options.directory);
    return new DeadLetterWriter(runtime, options, await sealLeftovers(runtime, options.directory));
  }

  stats(): DeadLetterStats {
    return {
      queueBytes: this.#bytes(),
      bytesMax: this.#options.bytesMax,
      droppedCount: this.#droppedCount,
      expiredCount: this.#expiredCount,
      lastError: this.#lastError,
      storagePolicy: this.#options.storagePolicy,
    };
  }

  /** Resolves with false when the entry was given up. */
  write(entry: DeadLetterEntry): Promise<boolean> {
    const done = this.#tail.then(() => this.#write(entry));
    this.#tail = done.then(() => {});
    return done;
  }

  async close(): Promise<void> {
    this.#sealTimer?.();
    await this.#tail;
    await this.#seal();
  }

  async #write(entry: DeadLetterEntry): Promise<boolean> {
    const bytes = writeDeadLetter(entry);
    try {
      await this.#expire(entry.entryTimeMs);
      if (!(await this.#makeRoom(bytes.byteLength))) {
        this.#droppedCount++;
        this.#lastError = `dead letter queue is full (${this.#options.bytesMax} bytes): event dropped`;
        return false;
      }
      const { file, segment } = this.#open ?? (await this.#start());
      await file.write(bytes, segment.bytes);
      segment.bytes += bytes.byteLength;
      segment.count++;
      this.#isFailing = false;
      segment.newestMs = Math.max(segment.newestMs, entry.entryTimeMs);
      if (segment.bytes >= SEGMENT_BYTES) await this.#seal();
      else this.#armSeal();
      return true;
    } catch (error) {
      this.#droppedCount++;
      this.#lastError = messageOf(error);
      // Once for a disk that stays full: the count says how many there were.
      if (!this.#isFailing)
        this.#runtime.log.error('dead letter not written', { pluginId: entry.pluginId, error: this.#lastError });
      this.#isFailing = true;
      return false;
    }
  }

  #bytes(): number {
    return this.#sealed.reduce((sum, segment) => sum + segment.bytes, this.#open?.segment.bytes ?? 0);
  }

  async #makeRoom(bytes: number): Promise<boolean> {
    if (this.#bytes() + bytes > this.#options.bytesMax) await this.#forgetConsumed();
    while (this.#bytes() + bytes > this.#options.bytesMax) {
      if (this.#options.storagePolicy === 'drop_newer') return false;
      if (this.#sealed.length === 0) await this.#seal();
      const oldest = this.#sealed[0];
      if (oldest === undefined) return false;
      await this.#remove(oldest);
      this.#droppedCount += oldest.count;
    }
    return true;
  }

  /** A reader may delete segments that it has read. */
  async #forgetConsumed(): Promise<void> {
    const { disk } = this.#runtime;
    for (const segment of [...this.#sealed]) {
      const isThere = await disk.exists(`${this.#options.directory}/${segment.number}.log`);
      if (!isThere) this.#sealed.splice(this.#sealed.indexOf(segment), 1);
    }
  }

  async #expire(nowMs: number): Promise<void> {
    const { retainAgeMs } = this.#options;
    if (retainAgeMs === null) return;
    for (const segment of [...this.#sealed]) {
      if (segment.newestMs >= nowMs - retainAgeMs) continue;
      await this.#remove(segment);
      this.#expiredCount += segment.count;
    }
  }

  async #remove(segment: Segment): Promise<void> {
    this.#sealed.splice(this.#sealed.indexOf(segment), 1);
    try {
      await this.#runtime.disk.unlink(`${this.#options.directory}/${segment.number}.log`);
    } catch (error) {
      if (!(error instanceof DiskError) || error.kind !== 'notFound') throw error;
    }
  }

  async #start(): Promise<{ readonly file: File; readonly segment: Segment }> {
    const segment: Segment = { number: this.#nextNumber++, bytes: 0, count: 0, newestMs: 0 };
    const file = await this.#runtime.disk.open(`${this.#options.directory}/${segment.number}.log.tmp`, 'create');
    this.#open = { file, segment };
    return this.#open;
  }

  #armSeal(): void {
    this.#sealTimer?.();
    this.#sealTimer = this.#runtime.sched.after(this.#options.flushIntervalMs, () => {
      this.#sealTimer = null;
      this.#tail = this.#tail.then(() => this.#seal());
    });
  }

  async #seal(): Promise<void> {
    const open = this.#open;
    if (open === null) return;
    this.#open = null;
    const path = `${this.#options.directory}/${open.segment.number}.log`;
    try {
      try {
        await open.file.sync();
      } finally {
        await open.file.close();
      }
      await this.#runtime.disk.rename(`${path}.tmp`, path);
      await this.#runtime.disk.syncDir(this.#options.directory);
      this.#sealed.push(open.segment);
      await this.#forgetConsumed();
    } catch (error) {
      this.#lastError = messageOf(error);
      this.#runtime.log.error('dead letter segment not sealed', { path, error: this.#lastError });
    }
  }
}

/** Segments of earlier processes; one that was being written is cut to its whole records and sealed. */
async function sealLeftovers(runtime: Runtime, directory: string): Promise<Segment[]> {
  const { disk, log } = runtime;
  const segments: Segment[] = [];
  for (const { number, name } of segmentNames(await disk.list(directory))) {
    const path = `${directory}/${name}`;
    const bytes = await disk.readFile(path);
    const segment: Segment = { number, bytes: 0, count: 0, newestMs: 0 };
    for (let read = readDeadLetter(bytes, 0); read !== null; read = readDeadLetter(bytes, segment.bytes)) {
      segment.bytes = read.end;
      segment.count++;
      segment.newestMs = Math.max(segment.newestMs, read.entry.entryTimeMs);
    }
    if (segment.bytes < bytes.byteLength) {
      log.warn('damaged end of a dead letter segment cut', { path, keptBytes: segment.bytes });
      const file = await disk.open(path, 'update');
      await file.truncate(segment.bytes);
      await file.sync();
      await file.close();
    }
    if (name.endsWith('.tmp')) await disk.rename(path, `${directory}/${number}.log`);
    segments.push(segment);
  }
  return segments;
}
