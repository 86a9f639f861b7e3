/**
 * The queue on disk: what `push` acknowledged survives the process, and with a sync at each write the machine.
 *
 * Order of what reaches the disk: a page's content is synced before the page after it is made and before a checkpoint
 * that speaks of it is written, so that a checkpoint never knows more than the pages.
 *
 * One loop does all writing (`#writeLoop`); readers only read what it has finished.
 */

import type { LineBlock, LogEvent } from '@shoal/agent-event';
import { assert, messageOf, ShoalError } from '@shoal/core';
import { type Cancel, DiskError, type Runtime } from '@shoal/runtime';
import { cutEvents, cutLines, recutChunks } from '../queue/cut-chunks.ts';
import {
  closedError,
  type EventChunk,
  type EventQueue,
  type QueuedBatch,
  type QueueSizes,
} from '../queue/event-queue.ts';
import { writeCheckpoint } from './checkpoint.ts';
import { PAGE_HEAD_BYTES, RECORD_EVENTS_MAX } from './page-format.ts';
import { PageWriter } from './page-writer.ts';
import { type QueueCompression, unpackPayload } from './payload-compression.ts';
import { bytesOf, type PendingRecord, pendingRecords } from './pending-records.ts';
import { RecordReader } from './record-reader.ts';
import { type RecoveredPages, recoverPages } from './recover-pages.ts';

/** Records gathered into one write. */
const WRITE_BYTES_MAX = 1024 * 1024;
const DISK_FULL_RETRY_MS = 1_000;

export interface PersistedQueueOptions {
  readonly directory: string;
  readonly pageBytes: number;
  readonly bytesMax: number;
  /** 0: no limit. */
  readonly eventsMax: number;
  readonly checkpointWrites: number;
  readonly checkpointAcks: number;
  readonly checkpointIntervalMs: number;
  /** Events of one record: the size of a batch. */
  readonly recordEventsMax: number;
  readonly compression: QueueCompression;
}

interface InFlight {
  readonly id: number;
  readonly nextSeq: number;
  isDone: boolean;
}

export class PersistedQueue implements EventQueue {
  readonly carriedOverCount: number;
  readonly #runtime: Runtime;
  readonly #options: PersistedQueueOptions;
  readonly #pages: PageWriter;
  readonly #reader: RecordReader;
  #ackedSeq: number;
  #checkpointedSeq: number;
  #unreadCount: number;
  #acceptedCount = 0;
  /** Events that cannot be read any more, since the start of the process; those found at the start included. */
  #lostCount: number;
  /** Those of them that were counted as unread before. */
  #lostUnreadCount = 0;
  #pending: PendingRecord[] = [];
  #inFlight: InFlight[] = [];
  #nextBatchId = 0;
  #failure: Error | null = null;
  #isClosed = false;
  #refuses = false;
  #running: Promise<void> | null = null;
  #timer: Cancel | null = null;
  #isTimeUp = false;
  #retry: Cancel | null = null;
  /** What the queue waits for or failed over; null while it works. */
  #trouble: string | null = null;
  #failed: (error: Error) => void = () => {};
  #readable: () => void = () => {};

  private constructor(runtime: Runtime, options: PersistedQueueOptions, found: RecoveredPages) {
    this.#runtime = runtime;
    this.#options = options;
    this.#pages = new PageWriter(runtime.disk, options.directory, found.pages);
    this.#ackedSeq = found.ackedSeq;
    this.#checkpointedSeq = found.ackedSeq;
    this.#unreadCount = found.unfinishedCount;
    this.carriedOverCount = found.unfinishedCount;
    this.#lostCount = found.lostCount;
    this.#reader = new RecordReader(runtime, this.#pages, (count) => this.#lose(count));
  }

  static async open(runtime: Runtime, options: PersistedQueueOptions): Promise<PersistedQueue> {
    assert(options.recordEventsMax >= 1, `records of ${options.recordEventsMax} events`);
    await runtime.disk.mkdir(options.directory);
    return new PersistedQueue(runtime, options, await recoverPages(runtime, options.directory));
  }

  push(events: readonly LogEvent[]): Promise<void> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    if (this.#refuses) return Promise.reject(closedError());
    if (events.length === 0) return Promise.resolve();
    return this.#pushChunks(cutEvents(events, this.#recordSize()));
  }

  async pushLines(block: LineBlock): Promise<number> {
    if (this.#failure !== null) throw this.#failure;
    if (this.#refuses) throw closedError();
    const chunks = cutLines(block, this.#recordSize());
    if (chunks.length > 0) await this.#pushChunks(chunks);
    return chunks.reduce((sum, { count }) => sum + count, 0);
  }

  async pushChunks(chunks: readonly EventChunk[]): Promise<void> {
    if (this.#failure !== null) throw this.#failure;
    if (this.#refuses) throw closedError();
    if (chunks.length > 0) await this.#pushChunks(recutChunks(chunks, this.#recordSize()));
  }

  #recordSize(): number {
    const { recordEventsMax, eventsMax } = this.#options;
    return Math.min(recordEventsMax, RECORD_EVENTS_MAX, eventsMax > 0 ? eventsMax : Number.POSITIVE_INFINITY);
  }

  #pushChunks(chunks: readonly EventChunk[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#pending.push(...pendingRecords(chunks, this.#options.compression, { resolve, reject }));
      this.#wakeWriter();
    });
  }

  async take(countMax: number): Promise<QueuedBatch | null> {
    const chunks: EventChunk[] = [];
    let count = 0;
    let nextSeq = 0;
    while (count < countMax && !this.#isClosed) {
      const record = await this.#reader.peek();
      if (record === null) break;
      if (count > 0 && count + record.count > countMax) break;
      await this.#reader.skip();
      // Done already: a page is kept whole until its last event is.
      if (record.firstSeq < this.#ackedSeq) continue;
      chunks.push({ bytes: unpackPayload(record), count: record.count });
      count += record.count;
      nextSeq = record.firstSeq + record.count;
    }
    if (count === 0) return null;
    this.#unreadCount -= count;
    assert(this.#unreadCount >= 0, `batch of ${count} events from a queue with ${this.#unreadCount + count} unread`);
    const id = this.#nextBatchId++;
    this.#inFlight.push({ id, nextSeq, isDone: false });
    // There is room for pushes again, if it was the number of events that they waited for.
    if (this.#options.eventsMax > 0) this.#wakeWriter();
    return { id, count, chunks };
  }

  acknowledge(batch: QueuedBatch): void {
    const entry = this.#inFlight.find((candidate) => candidate.id === batch.id);
    assert(entry !== undefined && !entry.isDone, `batch ${batch.id} is acknowledged twice or was never taken`);
    entry.isDone = true;
    const before = this.#ackedSeq;
    while (this.#inFlight[0]?.isDone) this.#ackedSeq = this.#inFlight.shift()?.nextSeq ?? this.#ackedSeq;
    assert(
      this.#ackedSeq >= before,
      `batch ${batch.id} moves the acknowledged position from ${before} to ${this.#ackedSeq}`,
    );
    this.#wakeWriter();
  }

  onReadable(handler: () => void): void {
    this.#readable = handler;
  }

  onFailed(handler: (error: Error) => void): void {
    this.#failed = handler;
  }

  sizes(): QueueSizes {
    return {
      type: 'persisted',
      unreadCount: this.#unreadCount,
      acceptedCount: this.#acceptedCount,
      bytes: this.#pages.totalBytes,
      bytesMax: this.#options.bytesMax,
      lostCount: this.#lostCount,
      lostUnreadCount: this.#lostUnreadCount,
      trouble: this.#trouble,
    };
  }

  refusePushes(): void {
    this.#refuses = true;
    const pending = this.#pending;
    this.#pending = [];
    for (const record of pending) record.settle?.reject(closedError());
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.refusePushes();
    this.#isClosed = true;
    this.#timer?.();
    this.#retry?.();
    await this.#running;
    try {
      if (this.#failure === null) await this.#checkpoint();
    } catch (error) {
      if (!(error instanceof DiskError) || error.kind !== 'full') throw error;
      const about = { directory: this.#options.directory, error: error.message };
      this.#runtime.log.warn('queue checkpoint not written: events that are done may come again', about);
    } finally {
      await this.#pages.close();
    }
  }

  #lose(count: number): void {
    const lost = Math.min(count, this.#unreadCount);
    this.#unreadCount -= lost;
    this.#lostUnreadCount += lost;
    this.#lostCount += lost;
  }

  #wakeWriter(): void {
    if (this.#running !== null || this.#isClosed || this.#failure !== null) return;
    this.#running = this.#writeLoop()
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#running = null;
        if (this.#hasWork()) this.#wakeWriter();
      });
  }

  #hasWork(): boolean {
    return this.#canWrite() || this.#pages.isFirstRemovable(this.#ackedSeq) || this.#isCheckpointDue();
  }

  async #writeLoop(): Promise<void> {
    while (!this.#isClosed) {
      try {
        if (this.#isCheckpointDue()) await this.#checkpoint();
        else if (this.#pages.isFirstRemovable(this.#ackedSeq)) await this.#pages.removeFirst(this.#ackedSeq);
        else if (this.#canWrite()) await this.#writePending();
        else break;
      } catch (error) {
        if (!(error instanceof DiskError) || error.kind !== 'full') throw error;
        await this.#waitForSpace(error);
      }
    }
    this.#armTimer();
  }

  /** Makes what was written and acknowledged durable after an interval, although the counts are not reached. */
  #armTimer(): void {
    const isDirty = this.#pages.unsyncedEvents > 0 || this.#ackedSeq > this.#checkpointedSeq;
    if (!isDirty || this.#timer !== null || this.#isClosed) return;
    this.#timer = this.#runtime.sched.after(this.#options.checkpointIntervalMs, () => {
      this.#timer = null;
      this.#isTimeUp = true;
      this.#wakeWriter();
    });
  }

  #isCheckpointDue(): boolean {
    if (this.#retry !== null) return false;
    if (this.#isTimeUp) return true;
    return this.#ackedSeq - this.#checkpointedSeq >= this.#options.checkpointAcks;
  }

  #canWrite(): boolean {
    const first = this.#pending[0];
    if (first === undefined || this.#retry !== null) return false;
    return this.#hasRoomForFirst(first) || this.#pages.isHeadDone(this.#ackedSeq);
  }

  /** An empty queue takes any record: one above the limits would wait for ever otherwise. */
  #hasRoomForFirst(record: PendingRecord): boolean {
    const isEmpty = this.#unreadCount === 0 && this.#inFlight.length === 0 && this.#pages.isEmpty;
    return isEmpty || this.#hasRoom(bytesOf(record), record.count);
  }

  #hasRoom(bytes: number, count: number): boolean {
    const { bytesMax, eventsMax } = this.#options;
    if (eventsMax > 0 && this.#unreadCount + count > eventsMax) return false;
    return this.#pages.bytesWith(bytes) <= bytesMax;
  }

  async #writePending(): Promise<void> {
    const first = this.#pending[0];
    if (first === undefined) return;
    const firstBytes = bytesOf(first);
    const { head } = this.#pages;
    const isFull = head.bytes > PAGE_HEAD_BYTES && head.bytes + firstBytes > this.#options.pageBytes;
    if (isFull || !this.#hasRoomForFirst(first)) {
      await this.#pages.addPage(this.#ackedSeq);
      return;
    }
    const records = this.#pending.splice(0, this.#fittingCount());
    try {
      const count = await this.#pages.append(records, this.#ackedSeq);
      this.#unreadCount += count;
      this.#acceptedCount += count;
      if (this.#pages.unsyncedEvents >= this.#options.checkpointWrites) await this.#pages.syncHead();
    } catch (error) {
      this.#pending.unshift(...records);
      throw error;
    }
    this.#hasSpaceAgain();
    for (const record of records) record.settle?.resolve();
    this.#readable();
  }

  /** Number of waiting records that fit the page, the limits and one write; at least one. */
  #fittingCount(): number {
    const { head } = this.#pages;
    let fitting = 0;
    let bytes = 0;
    let count = 0;
    for (const record of this.#pending) {
      const size = bytesOf(record);
      const fits =
        head.bytes + bytes + size <= this.#options.pageBytes &&
        bytes + size <= WRITE_BYTES_MAX &&
        this.#hasRoom(bytes + size, count + record.count);
      if (fitting > 0 && !fits) break;
      fitting++;
      bytes += size;
      count += record.count;
    }
    return fitting;
  }

  /** A full disk is waited for: inputs stand meanwhile, and nothing is lost. */
  async #waitForSpace(error: DiskError): Promise<void> {
    if (this.#trouble === null) {
      const about = { directory: this.#options.directory, error: error.message };
      this.#runtime.log.warn('queue waits for space on the disk', about);
    }
    this.#trouble = `the disk of the queue is full: ${error.message}`;
    this.#retry = this.#runtime.sched.after(DISK_FULL_RETRY_MS, () => {
      this.#retry = null;
      this.#wakeWriter();
    });
    await this.#pages.cutHead();
  }

  #hasSpaceAgain(): void {
    if (this.#trouble === null) return;
    this.#trouble = null;
    this.#runtime.log.info('queue has space on the disk again', { directory: this.#options.directory });
  }

  async #checkpoint(): Promise<void> {
    this.#isTimeUp = false;
    const ackedSeq = this.#ackedSeq;
    await this.#pages.syncHead();
    assert(ackedSeq >= this.#checkpointedSeq, `acknowledged ${ackedSeq} below checkpoint ${this.#checkpointedSeq}`);
    if (ackedSeq > this.#checkpointedSeq) {
      const { disk } = this.#runtime;
      await writeCheckpoint(disk, this.#options.directory, { ackedSeq, lastPage: this.#pages.head.number });
      this.#hasSpaceAgain();
    }
    this.#checkpointedSeq = ackedSeq;
  }

  /** Content of unknown durability must not be built upon: the pipeline ends, and a restart reads what is there. */
  #fail(error: unknown): void {
    const text = messageOf(error);
    this.#failure = new ShoalError('illegal_state_exception', 500, `the queue can no longer be written: ${text}`);
    this.#runtime.log.error('queue failed', { directory: this.#options.directory, error: text });
    const pending = this.#pending;
    this.#pending = [];
    for (const record of pending) record.settle?.reject(this.#failure);
    this.#trouble = this.#failure.message;
    this.#failed(this.#failure);
  }
}
