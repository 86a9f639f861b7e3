/**
 * The operation log of a shard: appended in memory at once, made durable by one fdatasync for all who wait.
 *
 * Order on disk is order of `append`. Room for a record is taken before its operation is executed (`makeRoom`), so that a full
 * disk refuses what has not happened yet. A write or a sync that fails is final: what the file holds is unknown then, and
 * operations that were executed cannot be taken back.
 */
import { assert, ByteSink, ShoalError } from '@shoal/core';
import { type Cancel, type Disk, DurableMark, finalSyncDir, type Scheduler } from '@shoal/runtime';
import type { HistoryOperation } from '@shoal/shard-api';
import { PIECE_BYTES, PiecePool, type PieceSource } from '../../bytes/piece-pool.ts';
import { type GenerationTrim, type LogTrim, trimsOf } from '../history/generation-trims.ts';
import { type EndedGeneration, firstGenerationAbove, highestSeqNo } from '../history/history-retention.ts';
import type { HistoryState } from '../history/history-state.ts';
import type { LocalCheckpoint } from '../history/local-checkpoint.ts';
import { GenerationFile } from './generation-file.ts';
import type { LogNote } from './log-note.ts';
import { SaidState } from './said-state.ts';
import { historyGone, isFull, writeFailure } from './translog-failure.ts';
import { readHistory } from './translog-history.ts';
import type { TranslogOptions } from './translog-options.ts';
import type { Step, Waiter } from './translog-queue.ts';
import { listGenerations, translogFileName, translogMarkPath } from './translog-reader.ts';
import { encodeRecord, noteBytesMax, recordBytesMax, TRANSLOG_HEADER_BYTES } from './translog-record.ts';

/** Time without writes after which the mark of what is durable is synced too. */
const MARK_SYNC_AFTER_MS = 500;

export class Translog {
  private readonly disk: Disk;
  private readonly folder: string;
  private readonly onFailure: (error: ShoalError) => void;
  private readonly pieces: PieceSource;
  private readonly sched: Scheduler;
  /** Operations that are durable. */
  readonly persisted: LocalCheckpoint;
  /** Generations that are kept and written no more, ascending. */
  ended: readonly EndedGeneration[];
  /** Highest number of the generation that is appended to; -1: none. */
  private currentMax = -1;
  /** Trims of generations that are kept, or of the current one. */
  trims: readonly GenerationTrim[];
  readonly state: SaidState;
  /** Highest number of what is gone. */
  private trimmedSeqNo: number;
  /** First generations that somebody reads, one a reader. */
  private readonly readers = new Set<{ readonly generation: number }>();
  /** Tells a torn end from damage, where no later record does. */
  private readonly mark: DurableMark;
  private stopMarkTimer: Cancel | null = null;
  private markSyncing: Promise<void> | null = null;
  /** File that is written. */
  private file: GenerationFile;
  /** File that appended operations go to: of the newest generation. */
  private target: GenerationFile;
  /** File of the next generation, while it has not begun. */
  private next: GenerationFile | null = null;
  private readonly queue: Step[] = [];
  private waiters: Waiter[] = [];
  private appends = 0;
  private durableAppends = 0;
  private pumping: Promise<void> | null = null;
  private isDraining = false;
  private failure: ShoalError | null = null;
  /** Since the last roll. */
  operationCount = 0;
  sizeBytes = 0;

  private constructor(
    options: TranslogOptions,
    { file, mark }: { readonly file: GenerationFile; readonly mark: DurableMark },
  ) {
    this.disk = options.disk;
    this.sched = options.sched;
    this.mark = mark;
    this.folder = options.folder;
    this.onFailure = options.onFailure;
    this.persisted = options.persisted;
    this.ended = options.older;
    this.trimmedSeqNo = options.trimmedSeqNo;
    this.trims = options.trims ?? [];
    this.state = new SaidState(options.sched, options.said ?? null, () => void this.sync().catch(() => this.failure));
    this.pieces = options.pieces ?? new PiecePool(PIECE_BYTES);
    this.file = file;
    this.target = file;
  }

  /** Generation that appended operations go to. */
  get generation(): number {
    return this.target.generation;
  }

  static async open(options: TranslogOptions): Promise<Translog> {
    const { disk, folder, begin } = options;
    // Before the generation, with which its name becomes durable.
    const mark = await DurableMark.open(disk, translogMarkPath(folder));
    const { reopen, createBegun } = GenerationFile;
    const opening = begin.kind === 'continued' ? reopen(disk, folder, begin) : createBegun(disk, folder, begin);
    const file = await opening.catch(async (error: unknown) => {
      await mark.close();
      throw error;
    });
    const translog = new Translog(options, { mark, file });
    // The mark of a generation that goes on says what it would say again.
    if (begin.kind === 'new') translog.noteDurable();
    return translog;
  }

  /** An operation whose record takes at most so many bytes can be appended now. */
  hasRoomFor(recordBytes: number): boolean {
    return this.target.hasRoomFor(recordBytes);
  }

  /** Takes room on disk for a record of so many bytes; why there is none, or null. Nothing that was appended is in danger. */
  async makeRoom(recordBytes: number): Promise<ShoalError | null> {
    while (this.failure === null && !this.hasRoomFor(recordBytes)) {
      try {
        await this.target.extend(recordBytes);
      } catch (error) {
        if (isFull(error)) return writeFailure(error);
        this.fail(error);
      }
    }
    return this.failure;
  }

  append(operation: HistoryOperation): void {
    assert(this.failure === null, 'append to a failed translog');
    assert(operation.seqNo >= 0, `operation ${operation.seqNo} is appended`);
    this.target.claim(this.record(operation, recordBytesMax(operation), operation.seqNo));
    this.operationCount++;
  }

  /** @returns bytes of the record, for which there is room */
  private record(content: HistoryOperation | LogNote, room: number, seqNo: number | null): number {
    let step = this.queue[this.queue.length - 1];
    if (
      step === undefined ||
      step.kind !== 'data' ||
      step.isTaken ||
      step.sink.length + room > step.sink.bytes.length
    ) {
      const sink = new ByteSink(this.pieces.take(Math.max(room, PIECE_BYTES)));
      step = { kind: 'data', sink, runs: [], lastAppend: 0, isTaken: false };
      this.queue.push(step);
    }
    const before = step.sink.length;
    // What is durable of an older generation says nothing about this file.
    encodeRecord(step.sink, content, this.file === this.target ? this.file.syncedBytes : 0);
    const bytes = step.sink.length - before;
    assert(bytes <= room, `a record of ${bytes} bytes, reckoned with ${room}`);
    step.lastAppend = ++this.appends;
    if (seqNo !== null) this.note(seqNo, step.runs);
    this.sizeBytes += bytes;
    return bytes;
  }

  private async sayState(state: HistoryState): Promise<void> {
    const room = noteBytesMax(state.leases);
    // On a full disk it is said another time: nothing depends on it but how much is sent again.
    while (!this.hasRoomFor(room)) if ((await this.makeRoom(room)) !== null) return;
    if (this.state.next !== state) return;
    this.state.said(state);
    this.target.claim(this.record({ kind: 'state', ...state }, room, null));
  }

  /** Drops operations of all generations before the one that was just begun. */
  trim({ above, belowTerm }: LogTrim): void {
    assert(this.target.finalBytes === TRANSLOG_HEADER_BYTES, `a trim within generation ${this.generation}`);
    this.trims = [...this.trims, { above, belowTerm, generation: this.generation }];
    this.target.claim(this.record({ kind: 'trim', above, belowTerm }, noteBytesMax(new Map()), null));
  }

  /** Highest number that any of its files has. */
  get highestSeqNo(): number {
    return highestSeqNo(this.ended, Math.max(this.currentMax, this.trimmedSeqNo));
  }

  private note(seqNo: number, runs: number[]): void {
    const last = runs.length - 1;
    if (last > 0 && runs[last] === seqNo - 1) runs[last] = seqNo;
    else runs.push(seqNo, seqNo);
    if (seqNo > this.currentMax) this.currentMax = seqNo;
  }

  /** The oldest generation with an operation above `seqNo`; the newest one when there is none. */
  firstGenerationAbove(seqNo: number): number {
    return firstGenerationAbove(this.ended, this.generation, seqNo);
  }

  /** Resolves when everything appended so far is durable. */
  async sync(): Promise<void> {
    if (this.failure !== null) throw this.failure;
    const { next } = this.state;
    if (next !== null) await this.sayState(next);
    if (this.failure !== null) throw this.failure;
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

  /** Makes the file of the next generation. Before `roll`, so that a full disk has changed nothing when it refuses. */
  async prepareRoll(): Promise<void> {
    if (this.failure !== null) throw this.failure;
    try {
      this.next ??= await GenerationFile.create(this.disk, this.folder, this.generation + 1);
      // A generation may begin with what a new primary drops, and nothing can refuse that once it has begun.
      await this.next.ensureRoomFor(noteBytesMax(new Map()));
    } catch (error) {
      if (isFull(error)) throw writeFailure(error);
      this.fail(error);
      throw this.failure ?? error;
    }
  }

  /** Starts a new generation: operations appended from now on go there. Durable once `sync` resolves. */
  roll(nowMs: number): void {
    const { next, target, currentMax: maxSeqNo } = this;
    assert(next !== null && next.generation === this.generation + 1, `no file for generation ${this.generation + 1}`);
    this.next = null;
    const { generation, finalBytes: sizeBytes } = target;
    this.ended = [...this.ended, { generation, maxSeqNo, sizeBytes, endedMs: nowMs }];
    this.currentMax = -1;
    this.target = next;
    // Counts as an append, so that `sync` waits for it.
    this.queue.push({ kind: 'roll', next, lastAppend: ++this.appends });
    this.operationCount = 0;
    this.sizeBytes = 0;
  }

  /** Every operation above it is here; -1: all are. */
  get completeAbove(): number {
    return this.trimmedSeqNo;
  }

  /**
   * Operations from a number to the highest one of now, in batches; what it reads stays until it ends.
   *
   * @throws translog_corrupted_exception for damage, illegal_state_exception where some of them are gone
   */
  async *read(from: number, to: number, batchBytesMax: number): AsyncGenerator<readonly HistoryOperation[], void> {
    if (from <= this.trimmedSeqNo) throw historyGone(from, this.trimmedSeqNo + 1);
    const reader = { generation: this.firstGenerationAbove(from - 1) };
    this.readers.add(reader);
    try {
      // What is read may be sent to others: it must not be lost here.
      do await this.sync();
      while (this.file !== this.target);
      const older = this.ended
        .filter(({ generation }) => generation >= reader.generation)
        .map(({ generation, sizeBytes }) => {
          return { path: this.pathOf(generation), sizeBytes, trims: trimsOf(this.trims, generation) };
        });
      const current = { path: this.file.path, sizeBytes: this.file.syncedBytes, trims: [] };
      yield* readHistory(this.disk, [...older, current], { from, to, batchBytesMax });
    } finally {
      this.readers.delete(reader);
    }
  }

  private pathOf(generation: number): string {
    return `${this.folder}/${translogFileName(generation)}`;
  }

  /** Removes generations before `wanted`, as far as nobody reads them: their operations are in a commit. */
  async trimBelow(wanted: number): Promise<void> {
    assert(wanted <= this.generation, `generations below ${wanted} are trimmed, the newest is ${this.generation}`);
    const generation = Math.min(wanted, ...[...this.readers].map((reader) => reader.generation));
    const gone = this.ended.filter((ended) => ended.generation < generation);
    this.trimmedSeqNo = highestSeqNo(gone, this.trimmedSeqNo);
    this.ended = this.ended.filter((kept) => kept.generation >= generation);
    this.trims = trimsOf(this.trims, this.ended[0]?.generation ?? this.generation);
    let isChanged = false;
    for (const old of await listGenerations(this.disk, this.folder)) {
      if (old >= generation || old >= this.file.generation) continue;
      await this.disk.unlink(this.pathOf(old));
      isChanged = true;
    }
    if (isChanged) await finalSyncDir(this.disk, this.folder);
  }

  /** Writes what is queued when it can, and closes the files. */
  async close(): Promise<void> {
    if (this.failure === null) {
      await this.sync().catch(() => {
        // Nobody waits for these operations any more: whoever did was answered with this error.
      });
    }
    this.failure ??= new ShoalError('already_closed_exception', 500, 'translog is already closed');
    await this.pumping?.catch(() => {});
    this.stopMarkTimer?.();
    this.state.stop();
    await this.markSyncing;
    await this.mark.close();
    for (const file of new Set([this.file, this.target, this.next])) await file?.close();
  }

  private noteDurable(): void {
    this.mark.note({ generation: this.file.generation, sizeBytes: this.file.syncedBytes });
    // A generation without records has nothing that a mark could vouch for: shards that nobody writes to cost no sync.
    if (this.file.syncedBytes > TRANSLOG_HEADER_BYTES) this.stopMarkTimer ??= this.syncMarkLater();
  }

  /** While writes go on, each group's records say that the groups before are durable: only the last group needs the mark. */
  private syncMarkLater(): Cancel {
    const { file } = this;
    const { syncedBytes } = file;
    return this.sched.after(MARK_SYNC_AFTER_MS, () => {
      const isQuiet = this.file === file && file.syncedBytes === syncedBytes;
      this.stopMarkTimer = isQuiet ? null : this.syncMarkLater();
      if (isQuiet) this.markSyncing = this.mark.sync();
    });
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
    while (this.failure === null && (this.queue.length > 0 || this.waiters.length > 0)) {
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
    const runs: (readonly number[])[] = [];
    let lastAppend = this.durableAppends;
    for (let i = 0; i < count; i++) {
      const step = this.queue[0];
      if (step === undefined) break;
      if (step.kind === 'data') {
        step.isTaken = true;
        await this.file.write(step.sink.written());
        this.pieces.give(step.sink.bytes);
        runs.push(step.runs);
      } else {
        await this.startGeneration(step.next);
      }
      lastAppend = step.lastAppend;
      this.queue.shift();
    }
    await this.syncFile();
    this.durableAppends = Math.max(this.durableAppends, lastAppend);
    assert(this.durableAppends <= this.appends, `append ${this.durableAppends} is durable, ${this.appends} were made`);
    const { writtenBytes, syncedBytes } = this.file;
    assert(syncedBytes === writtenBytes, `answers for ${writtenBytes} bytes, ${syncedBytes} are synced`);
    for (const run of runs) {
      for (let at = 0; at < run.length; at += 2) this.persisted.markRange(run[at] as number, run[at + 1] as number);
    }
    const served = this.waiters.filter((waiter) => waiter.append <= this.durableAppends);
    this.waiters = this.waiters.filter((waiter) => waiter.append > this.durableAppends);
    for (const waiter of served) waiter.resolve();
  }

  private async startGeneration(next: GenerationFile): Promise<void> {
    const old = this.file;
    assert(next.generation === old.generation + 1, `generation ${next.generation} follows ${old.generation}`);
    await this.syncFile();
    await next.begin(old.writtenBytes);
    this.file = next;
    this.noteDurable();
    await old.close();
  }

  private async syncFile(): Promise<void> {
    if (await this.file.sync()) this.noteDurable();
  }

  private fail(error: unknown): void {
    if (this.failure !== null) return;
    const shown = writeFailure(error);
    this.failure = shown;
    const waiting = this.waiters;
    this.waiters = [];
    for (const waiter of waiting) waiter.reject(shown);
    this.onFailure(shown);
  }
}
