/**
 * The operation log of a shard: appended in memory at once, made durable by one fdatasync for all who wait.
 *
 * Order on disk is order of `append`. A full disk fails those who wait and keeps the bytes queued, so that sequence
 * numbers never get holes; the next write tries again first. A failed sync is final: what the file holds is unknown then.
 */
import { asShoalError, assert, ByteSink, ShoalError } from '@shoal/core';
import {
  type Cancel,
  type Disk,
  DiskError,
  DurableMark,
  type File,
  finalSync,
  finalSyncDir,
  type Scheduler,
} from '@shoal/runtime';
import { PIECE_BYTES, PiecePool, type PieceSource } from '../../bytes/piece-pool.ts';
import { listGenerations, translogFileName, translogMarkPath } from './translog-reader.ts';
import {
  encodeHeader,
  encodeRecord,
  recordBytesMax,
  TRANSLOG_HEADER_BYTES,
  type TranslogOperation,
} from './translog-record.ts';

/** Time without writes after which the mark of what is durable is synced too. */
const MARK_SYNC_AFTER_MS = 500;

/** One step of the queue: bytes of a generation, or the start of the next generation. */
type Step =
  | { readonly kind: 'data'; readonly sink: ByteSink; lastAppend: number; isTaken: boolean }
  | { readonly kind: 'roll'; readonly generation: number; readonly lastAppend: number };

interface Waiter {
  readonly append: number;
  resolve(): void;
  reject(error: ShoalError): void;
}

export interface TranslogOptions {
  readonly disk: Disk;
  readonly sched: Scheduler;
  readonly folder: string;
  /** First generation to write; its file is made by `open`. */
  readonly generation: number;
  /** Size of the generation before, -1 without. */
  readonly previousBytes: number;
  /** What operations wait in until they are written; null or left out: the log keeps a piece of its own. */
  readonly pieces?: PieceSource | null;
  /** Called once when the log can never be written again. */
  readonly onFailure: (error: ShoalError) => void;
}

export class Translog {
  private readonly disk: Disk;
  private readonly folder: string;
  private readonly onFailure: (error: ShoalError) => void;
  private readonly pieces: PieceSource;
  private readonly sched: Scheduler;
  /** Tells a torn end from damage, where no later record does. */
  private readonly mark: DurableMark;
  private stopMarkTimer: Cancel | null = null;
  private markSyncing: Promise<void> | null = null;
  private file: File;
  private fileGeneration: number;
  private writtenBytes = TRANSLOG_HEADER_BYTES;
  private syncedBytes = TRANSLOG_HEADER_BYTES;
  private readonly queue: Step[] = [];
  private waiters: Waiter[] = [];
  private appends = 0;
  private durableAppends = 0;
  private pumping: Promise<void> | null = null;
  private isDraining = false;
  private failure: ShoalError | null = null;
  /** Set while bytes could not be written for want of room. */
  private shortage: ShoalError | null = null;
  /** Generation that appended operations go to. */
  generation: number;
  /** Since the last roll. */
  operationCount = 0;
  sizeBytes = 0;

  private constructor(options: TranslogOptions, { file, mark }: { readonly file: File; readonly mark: DurableMark }) {
    this.disk = options.disk;
    this.sched = options.sched;
    this.mark = mark;
    this.folder = options.folder;
    this.onFailure = options.onFailure;
    this.pieces = options.pieces ?? new PiecePool(PIECE_BYTES);
    this.file = file;
    this.fileGeneration = options.generation;
    this.generation = options.generation;
  }

  static async open(options: TranslogOptions): Promise<Translog> {
    const { disk, folder, generation, previousBytes } = options;
    // Before the generation, with which its name becomes durable.
    const mark = await DurableMark.open(disk, translogMarkPath(folder));
    try {
      const translog = new Translog(options, {
        mark,
        file: await createGeneration(disk, folder, generation, previousBytes),
      });
      translog.noteDurable();
      return translog;
    } catch (error) {
      await mark.close();
      throw error;
    }
  }

  /** Why nothing can be appended now; null when it can. Tries first to write what is still queued. */
  async ready(): Promise<ShoalError | null> {
    if (this.failure === null && this.shortage !== null) {
      this.shortage = null;
      await this.pump();
    }
    return this.failure ?? this.shortage;
  }

  /** True when `ready` would answer null without doing anything. */
  get isReady(): boolean {
    return this.failure === null && this.shortage === null;
  }

  append(operation: TranslogOperation): void {
    assert(this.failure === null, 'append to a failed translog');
    assert(operation.seqNo >= 0, `operation ${operation.seqNo} is appended`);
    const room = recordBytesMax(operation);
    let step = this.queue[this.queue.length - 1];
    if (
      step === undefined ||
      step.kind !== 'data' ||
      step.isTaken ||
      step.sink.length + room > step.sink.bytes.length
    ) {
      const sink = new ByteSink(this.pieces.take(Math.max(room, PIECE_BYTES)));
      step = { kind: 'data', sink, lastAppend: 0, isTaken: false };
      this.queue.push(step);
    }
    const before = step.sink.length;
    // What is durable of an older generation says nothing about this file.
    encodeRecord(step.sink, operation, this.fileGeneration === this.generation ? this.syncedBytes : 0);
    assert(step.sink.length - before <= room, `a record of ${step.sink.length - before} bytes, reckoned with ${room}`);
    step.lastAppend = ++this.appends;
    this.operationCount++;
    this.sizeBytes += step.sink.length - before;
  }

  /** Resolves when everything appended so far is durable. Rejects while there is no room; `ready` tries again. */
  async sync(): Promise<void> {
    const refusal = this.failure ?? this.shortage;
    if (refusal !== null) throw refusal;
    if (this.durableAppends === this.appends && this.queue.length === 0) return;
    const done = new Promise<void>((resolve, reject) => {
      this.waiters.push({ append: this.appends, resolve, reject });
    });
    const pumped = this.pump();
    await done;
    await pumped.catch(() => {
      // The failure reached every waiter already; this one was served before it.
    });
  }

  /** Starts a new generation: operations appended from now on go there. Durable once `sync` resolves. */
  roll(): number {
    this.generation++;
    // Counts as an append, so that `sync` waits for it.
    this.queue.push({ kind: 'roll', generation: this.generation, lastAppend: ++this.appends });
    this.operationCount = 0;
    this.sizeBytes = 0;
    return this.generation;
  }

  /** Removes generations before `generation`: their operations are in a commit. */
  async trimBelow(generation: number): Promise<void> {
    assert(
      generation <= this.generation,
      `generations below ${generation} are trimmed, the newest is ${this.generation}`,
    );
    let isChanged = false;
    for (const old of await listGenerations(this.disk, this.folder)) {
      if (old >= generation || old >= this.fileGeneration) continue;
      await this.disk.unlink(`${this.folder}/${translogFileName(old)}`);
      isChanged = true;
    }
    if (isChanged) await finalSyncDir(this.disk, this.folder);
  }

  /** Writes what is queued when it can, and closes the file. */
  async close(): Promise<void> {
    if ((await this.ready()) === null) {
      await this.sync().catch(() => {
        // Nobody waits for these operations any more: whoever did was answered with this error.
      });
    }
    this.failure ??= new ShoalError('already_closed_exception', 500, 'translog is already closed');
    await this.pumping?.catch(() => {});
    this.stopMarkTimer?.();
    await this.markSyncing;
    await this.mark.close();
    await this.file.close();
  }

  private noteDurable(): void {
    this.mark.note({ generation: this.fileGeneration, sizeBytes: this.syncedBytes });
    this.stopMarkTimer ??= this.syncMarkLater();
  }

  /** While writes go on, each group's records say that the groups before are durable: only the last group needs the mark. */
  private syncMarkLater(): Cancel {
    const { fileGeneration, syncedBytes } = this;
    return this.sched.after(MARK_SYNC_AFTER_MS, () => {
      const isQuiet = this.fileGeneration === fileGeneration && this.syncedBytes === syncedBytes;
      this.stopMarkTimer = isQuiet ? null : this.syncMarkLater();
      if (isQuiet) this.markSyncing = this.mark.sync();
    });
  }

  private get filePath(): string {
    return `${this.folder}/${translogFileName(this.fileGeneration)}`;
  }

  private pump(): Promise<void> {
    if (this.pumping !== null) return this.pumping;
    const run = this.drain();
    // One that had nothing to do has ended already.
    if (this.isDraining) this.pumping = run;
    return run;
  }

  private async drain(): Promise<void> {
    assert(!this.isDraining, 'two pumps write the translog');
    this.isDraining = true;
    while (this.failure === null && this.shortage === null && (this.queue.length > 0 || this.waiters.length > 0)) {
      try {
        await this.writeQueued();
      } catch (error) {
        this.fail(error);
      }
    }
    // In the same turn as the last look at the queue: who comes later must not wait for a pump that has ended.
    this.isDraining = false;
    this.pumping = null;
  }

  /** Everything queued, one sync, then the answers. */
  private async writeQueued(): Promise<void> {
    const count = this.queue.length;
    let lastAppend = this.durableAppends;
    for (let i = 0; i < count; i++) {
      const step = this.queue[0];
      if (step === undefined) break;
      if (step.kind === 'data') {
        step.isTaken = true;
        await this.file.write(step.sink.written(), this.writtenBytes);
        this.writtenBytes += step.sink.length;
        this.pieces.give(step.sink.bytes);
      } else {
        await this.startGeneration(step.generation);
      }
      lastAppend = step.lastAppend;
      this.queue.shift();
    }
    await this.syncFile();
    this.durableAppends = Math.max(this.durableAppends, lastAppend);
    assert(this.durableAppends <= this.appends, `append ${this.durableAppends} is durable, ${this.appends} were made`);
    assert(
      this.syncedBytes === this.writtenBytes,
      `answers for ${this.writtenBytes} bytes, ${this.syncedBytes} are synced`,
    );
    const served = this.waiters.filter((waiter) => waiter.append <= this.durableAppends);
    this.waiters = this.waiters.filter((waiter) => waiter.append > this.durableAppends);
    for (const waiter of served) waiter.resolve();
  }

  private async startGeneration(generation: number): Promise<void> {
    assert(generation === this.fileGeneration + 1, `generation ${generation} follows ${this.fileGeneration}`);
    await this.syncFile();
    const next = await createGeneration(this.disk, this.folder, generation, this.writtenBytes);
    const old = this.file;
    this.file = next;
    this.fileGeneration = generation;
    this.writtenBytes = TRANSLOG_HEADER_BYTES;
    this.syncedBytes = TRANSLOG_HEADER_BYTES;
    this.noteDurable();
    await old.close();
  }

  private async syncFile(): Promise<void> {
    const size = this.writtenBytes;
    assert(size >= this.syncedBytes, `${size} bytes are written, ${this.syncedBytes} synced`);
    if (size === this.syncedBytes) return;
    await finalSync(this.file, this.filePath);
    this.syncedBytes = size;
    this.noteDurable();
  }

  private fail(error: unknown): void {
    const cause = asShoalError(error);
    const isShortage = error instanceof DiskError && error.kind === 'full';
    const shown = new ShoalError(
      'translog_exception',
      isShortage ? 503 : 500,
      isShortage ? 'failed to write to the translog: no space left on device' : 'failed to write to the translog',
      { causedBy: cause },
    );
    if (isShortage) this.shortage = shown;
    else this.failure = shown;
    const waiting = this.waiters;
    this.waiters = [];
    for (const waiter of waiting) waiter.reject(shown);
    if (!isShortage) this.onFailure(shown);
  }
}

async function createGeneration(disk: Disk, folder: string, generation: number, previousBytes: number): Promise<File> {
  const path = `${folder}/${translogFileName(generation)}`;
  const file = await disk.open(path, 'create');
  try {
    await file.write(encodeHeader(generation, previousBytes), 0);
    await finalSync(file, path);
    await finalSyncDir(disk, folder);
  } catch (error) {
    await file.close();
    throw error;
  }
  return file;
}
