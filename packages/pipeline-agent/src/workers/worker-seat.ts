/**
 * The main thread's side of one worker: what was asked of it, and what it still has.
 *
 * It sits in a thread with others. When that is blocked, or ends over another, the worker gives back what it has not begun.
 */

import type { QueuedBatch } from '@shoal/agent-queue';
import { assert, ShoalError } from '@shoal/core';
import type { BatchReport, DeliveryResult, FromWorker, ToWorker } from '../messages/worker-messages.ts';
import type { PipelineSource } from '../sources/pipeline-source.ts';
import type { PipelineThreads, SeatWishes } from './pipeline-threads.ts';
import type { Seat, SharedThread, Suspicion } from './shared-thread.ts';

export interface WorkerOwner {
  done(batches: readonly QueuedBatch[], report: BatchReport): void;
  /** Called with counts of work outside of batches, or of batches that are not done. */
  counted(report: BatchReport): void;
  deadLetter(message: Extract<FromWorker, { readonly kind: 'deadLetter' }>): Promise<boolean>;
  forward(message: Extract<FromWorker, { readonly kind: 'forward' }>): Promise<boolean>;
  deliver(message: Extract<FromWorker, { readonly kind: 'deliver' }>): Promise<DeliveryResult>;
  /**
   * It ended without having been asked to, with these batches unfinished. The one that it was in is only known when it had
   * come alone.
   */
  ended(
    worker: WorkerSeat,
    reason: string,
    batches: { readonly unfinished: readonly QueuedBatch[]; readonly blamed: QueuedBatch | null },
  ): void;
}

interface Expected {
  readonly kind: 'built' | 'started' | 'flushed' | 'stopped';
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** One batch is worked on while the next lies ready. */
const BATCHES_IN_FLIGHT_MAX = 2;
/** One message is worked on while the next lies ready; batches behind them wait, so that one message takes all of them. */
const MESSAGES_READY_MAX = 2;
/** Batches below this are done faster than messages go to and fro: several go in one. */
const FAST_BATCH_MS = 3;
const FAST_BATCHES_PER_MESSAGE = 8;

/** The last word on a message that was begun. */
const ANSWERS: ReadonlySet<FromWorker['kind']> = new Set(['built', 'started', 'failed', 'done', 'flushed', 'stopped']);

export class WorkerSeat {
  readonly name: string;
  canFlush = false;
  readonly #owner: WorkerOwner;
  readonly #seat: Seat;
  /** Batches of each message that was sent, in the order in which they are worked on. */
  readonly #sent: (readonly QueuedBatch[])[] = [];
  /** Batches for the next message. */
  #waiting: QueuedBatch[] = [];
  /**
   * Mean duration of a batch in the last report, without outputs that join batches; infinite at first: a worker is slow until it has
   * shown otherwise.
   */
  #batchMs = Number.POSITIVE_INFINITY;
  /** Duration that reports of unfinished batches have told so far. */
  #toldMs = 0;
  /** Messages that were begun, by their answers. */
  #answeredCount = 0;
  #expected: Expected[] = [];
  #isEnded = false;
  #isReady = false;
  #canMove = true;
  #isStopping = false;
  /** Its thread is about to be ended. */
  #mustLeave = false;
  /** It begins nothing more. */
  #isRevoked = false;
  #suspicion: Suspicion | null = null;
  #starting: Promise<void> | null = null;

  constructor(
    threads: PipelineThreads,
    name: string,
    parts: { readonly owner: WorkerOwner; readonly wishes: SeatWishes },
  ) {
    this.name = name;
    this.#owner = parts.owner;
    const occupant = {
      receive: (message: FromWorker) => this.#receive(message),
      leave: (isLast: boolean) => this.#askedToLeave(isLast),
      exited: (reason: string, suspicion: Suspicion) => this.#exit(reason, suspicion),
    };
    this.#seat = threads.seat(occupant, parts.wishes);
  }

  get thread(): SharedThread {
    return this.#seat.thread;
  }

  /** Number of its seat, which its plugins have in profiles of the thread. */
  get seatNumber(): number {
    return this.#seat.number;
  }

  /** It went over others in its thread, and can be had again elsewhere. */
  get isDisplaced(): boolean {
    return this.#suspicion === 'none';
  }

  /** Its thread ended, perhaps over its work. */
  get isSuspect(): boolean {
    return this.#suspicion !== null && this.#suspicion !== 'none';
  }

  async build(source: PipelineSource, isAlone: boolean): Promise<void> {
    await this.#ask('built', { kind: 'build', source, isAlone });
  }

  /** Once, however often it is asked for. */
  start(): Promise<void> {
    this.#starting ??= this.#ask('started', { kind: 'start' }).then(() => {
      this.#isReady = true;
    });
    return this.#starting;
  }

  get isReady(): boolean {
    return this.#isReady && !this.#isEnded && !this.#isRevoked && !this.#mustLeave;
  }

  get batchCount(): number {
    let count = this.#waiting.length;
    for (const batches of this.#sent) count += batches.length;
    return count;
  }

  get eventCount(): number {
    let count = 0;
    for (const batch of this.unfinished) count += batch.count;
    return count;
  }

  get hasRoom(): boolean {
    return this.isReady && this.batchCount < BATCHES_IN_FLIGHT_MAX * this.#messageMax;
  }

  get #messageMax(): number {
    return this.#batchMs < FAST_BATCH_MS ? FAST_BATCHES_PER_MESSAGE : 1;
  }

  /** -1 when no plugin runs. */
  get currentPlugin(): number {
    return this.#seat.cells.currentPlugin;
  }

  /** What a busy worker is given may wait for more, until `send`. */
  work(batch: QueuedBatch): void {
    assert(this.hasRoom, `worker ${this.name} is given batch ${batch.id} without room`);
    this.#waiting.push(batch);
    if (this.#sent.length === 0 || this.#waiting.length >= this.#messageMax) this.#sendNow();
  }

  /** Sends a batch in a message of its own: should the worker end over it, it is known which batch it was. */
  workAlone(batch: QueuedBatch): void {
    this.#sendNow();
    this.work(batch);
    this.#sendNow();
  }

  /** Sends what waits: nothing more comes for the moment. A worker that has the next message already needs no other before its next answer. */
  send(): void {
    if (this.#sent.length < MESSAGES_READY_MAX) this.#sendNow();
  }

  #sendNow(): void {
    if (this.#waiting.length === 0) return;
    const batches = this.#waiting;
    this.#waiting = [];
    this.#sent.push(batches);
    this.#post({ kind: 'batches', batches: batches.map(({ chunks }) => chunks.map((chunk) => chunk.bytes)) });
  }

  /** Batches that it was given and has not reported, in their order. */
  get unfinished(): readonly QueuedBatch[] {
    return [...this.#sent.flat(), ...this.#waiting];
  }

  flush(isFinal: boolean): Promise<void> {
    return this.#ask('flushed', { kind: 'flush', isFinal });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    if (!this.#isEnded) await this.#ask('stopped', { kind: 'stop' });
    await this.terminate();
  }

  async terminate(): Promise<void> {
    this.#isEnded = true;
    this.#rejectExpected('the worker was stopped');
    await this.#seat.thread.vacate(this.#seat);
  }

  #ask(kind: Expected['kind'], message: ToWorker): Promise<void> {
    if (this.#isEnded) return Promise.reject(new Error(`worker ${this.name} has ended`));
    return new Promise((resolve, reject) => {
      this.#expected.push({ kind, resolve, reject });
      this.#post(message);
    });
  }

  #post(message: ToWorker): void {
    this.#seat.thread.post(this.#seat, message);
  }

  #receive(message: FromWorker): void {
    if (this.#isEnded) return;
    this.#handle(message);
    if (!ANSWERS.has(message.kind)) return;
    this.#answeredCount = (this.#answeredCount + 1) | 0;
    if (this.#isRevoked || this.#mustLeave) this.#leave();
  }

  #handle(message: FromWorker): void {
    switch (message.kind) {
      case 'done': {
        const batches = this.#sent.shift();
        assert(batches !== undefined, `worker ${this.name} reports batches that it does not have`);
        this.#batchMs = (this.#toldMs + message.report.durationMs - message.report.joinedMs) / batches.length;
        this.#toldMs = 0;
        this.#heapTold(message.report);
        if (this.#sent.length === 0) this.#sendNow();
        this.#owner.done(batches, message.report);
        break;
      }
      case 'counted':
        this.#toldMs += message.report.durationMs;
        this.#heapTold(message.report);
        this.#owner.counted(message.report);
        break;
      case 'deadLetter':
        this.#answer(message.call, this.#owner.deadLetter(message));
        break;
      case 'forward':
        this.#answer(message.call, this.#owner.forward(message));
        break;
      case 'deliver':
        this.#delivered(message.call, this.#owner.deliver(message));
        break;
      case 'failed':
        this.#failed(message);
        break;
      case 'flushed':
        this.#heapTold(message.report);
        this.#owner.counted(message.report);
        this.#came('flushed');
        break;
      case 'built':
        this.canFlush = message.canFlush;
        this.#canMove = message.canMove;
        this.thread.threadId = message.threadId;
        this.#heapTold(message.report);
        this.#owner.counted(message.report);
        this.#came('built');
        break;
      default:
        this.#came(message.kind);
    }
  }

  #heapTold({ heap }: BatchReport): void {
    if (heap !== null) this.thread.heap = heap;
  }

  #came(kind: Expected['kind']): void {
    const at = this.#expected.findIndex((expected) => expected.kind === kind);
    if (at >= 0) this.#expected.splice(at, 1)[0]?.resolve();
  }

  #answer(call: number, result: Promise<boolean>): void {
    result
      .catch(() => false)
      .then((isDone) => {
        if (!this.#isEnded) this.#post({ kind: 'answer', call, isDone });
      })
      .catch((error: unknown) => this.#broke(String(error)));
  }

  #delivered(call: number, result: Promise<DeliveryResult>): void {
    result
      .then((settled) => {
        if (!this.#isEnded) this.#post({ kind: 'delivered', call, result: settled });
      })
      .catch((error: unknown) => this.#broke(String(error)));
  }

  /** Before it runs this is the answer to what was asked; afterwards the worker cannot be trusted any more. */
  #failed(message: Extract<FromWorker, { readonly kind: 'failed' }>): void {
    if (this.batchCount === 0 && this.#expected.length > 0) {
      const error = new ShoalError('pipeline_exception', 400, message.message);
      for (const expected of this.#expected.splice(0)) expected.reject(error);
      return;
    }
    this.#broke(message.message);
  }

  /** It is given up alone: the thread is as good as before. */
  #broke(reason: string): void {
    this.#exit(reason, 'sole');
    this.#vacate();
  }

  /** @param isLast the thread ends, whoever stays */
  #askedToLeave(isLast: boolean): void {
    if (this.#isEnded) return;
    this.#mustLeave ||= isLast;
    const hasWork = this.#expected.length > 0 || this.batchCount > 0;
    // What was not started yet has no state, and what stops has no use for it.
    const canMove = this.#canMove || !this.#isReady || this.#isStopping;
    if (isLast || (hasWork && canMove)) this.#leave();
  }

  /** Takes back what was not begun. In a message it is tried again behind its answer, or when it is asked to leave again. */
  #leave(): void {
    if (!this.#seat.cells.revoke()) return;
    this.#isRevoked = true;
    // Answers are on the way: what they are about is done.
    if (this.#seat.cells.finishedCount !== this.#answeredCount) return;
    if (this.#isStopping) this.#came('stopped');
    this.#exit('others in its thread block it', 'none');
    this.#vacate();
  }

  #vacate(): void {
    this.#seat.thread.vacate(this.#seat).catch(() => {
      // It is given up either way.
    });
  }

  #exit(reason: string, suspicion: Suspicion): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#suspicion = suspicion;
    this.#rejectExpected(reason);
    const unfinished = this.unfinished;
    const [first] = this.#sent;
    const blamed = suspicion === 'sole' && first?.length === 1 ? (first[0] ?? null) : null;
    this.#sent.length = 0;
    this.#waiting = [];
    this.#owner.ended(this, reason, { unfinished, blamed });
  }

  #rejectExpected(reason: string): void {
    for (const expected of this.#expected.splice(0)) {
      expected.reject(new ShoalError('pipeline_exception', 500, `worker ${this.name}: ${reason}`));
    }
  }
}
