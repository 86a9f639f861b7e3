/**
 * The main thread's side of one worker: what was asked of it, and what it still has.
 */
import { assert, ShoalError } from '@shoal/core';
import type { HeapSample, Runtime, WorkerHandle } from '@shoal/runtime';
import type { QueuedBatch } from '../queue/event-queue.ts';
import type { PipelineSource } from './pipeline-source.ts';
import { start } from './pipeline-worker.ts';
import type { ThreadShare } from './thread-share.ts';
import type { BatchReport, FromWorker, OutputFate, ToWorker } from './worker-messages.ts';

export interface SeatOwner {
  done(seat: WorkerSeat, batch: QueuedBatch, report: BatchReport): void;
  flushed(report: BatchReport): void;
  deadLetter(message: Extract<FromWorker, { readonly kind: 'deadLetter' }>): Promise<boolean>;
  forward(message: Extract<FromWorker, { readonly kind: 'forward' }>): Promise<boolean>;
  deliver(message: Extract<FromWorker, { readonly kind: 'deliver' }>): Promise<OutputFate>;
  /** It ended without having been asked to, with these batches unfinished. */
  ended(seat: WorkerSeat, reason: string, unfinished: readonly QueuedBatch[]): void;
}

interface Expected {
  readonly kind: 'built' | 'started' | 'flushed' | 'stopped';
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** One batch is worked on while the next lies ready. */
const BATCHES_OF_SEAT_MAX = 2;

export class WorkerSeat {
  readonly name: string;
  /** Cell 0: index of the plugin that runs, plus one. */
  readonly current: SharedArrayBuffer = new SharedArrayBuffer(4);
  canFlush = false;
  /** As the kernel counts threads; null where it does not say. */
  threadId: number | null = null;
  /** As it was told last; null where there is no such thing. */
  heap: HeapSample | null = null;
  readonly #owner: SeatOwner;
  readonly #handle: WorkerHandle;
  readonly #batches = new Map<number, QueuedBatch>();
  readonly #profiles = new Map<number, (share: ThreadShare | null) => void>();
  #nextCall = 0;
  #expected: Expected[] = [];
  #isEnded = false;
  #isReady = false;

  constructor(runtime: Runtime, name: string, owner: SeatOwner) {
    this.name = name;
    this.#owner = owner;
    this.#handle = runtime.workers.spawn({ module: new URL('./pipeline-worker.ts', import.meta.url), start }, name);
    // Posted by pipeline-worker.ts of the same program: typed there.
    this.#handle.onMessage((message) => this.#receive(message as FromWorker));
    this.#handle.onExit((reason) => this.#exit(reason));
  }

  async build(source: PipelineSource, isAlone: boolean): Promise<void> {
    await this.#ask('built', { kind: 'build', source, current: this.current, isAlone });
  }

  async start(): Promise<void> {
    await this.#ask('started', { kind: 'start' });
    this.#isReady = true;
  }

  get isReady(): boolean {
    return this.#isReady && !this.#isEnded;
  }

  get batchCount(): number {
    return this.#batches.size;
  }

  get eventCount(): number {
    let count = 0;
    for (const batch of this.#batches.values()) count += batch.count;
    return count;
  }

  get hasRoom(): boolean {
    return this.isReady && this.#batches.size < BATCHES_OF_SEAT_MAX;
  }

  /** -1 when no plugin runs. */
  get currentPlugin(): number {
    return Atomics.load(new Int32Array(this.current), 0) - 1;
  }

  work(batch: QueuedBatch): void {
    assert(this.hasRoom, `worker ${this.name} is given batch ${batch.id} without room`);
    this.#batches.set(batch.id, batch);
    this.#post({ kind: 'batch', id: batch.id, chunks: batch.chunks.map((chunk) => chunk.bytes) });
  }

  /** null when the worker cannot tell, or ends meanwhile. It does not answer while it is inside one long call. */
  profile(durationMs: number): Promise<ThreadShare | null> {
    if (this.#isEnded) return Promise.resolve(null);
    return new Promise((resolve) => {
      const call = this.#nextCall++;
      this.#profiles.set(call, resolve);
      this.#post({ kind: 'profile', call, durationMs });
    });
  }

  flush(isFinal: boolean): Promise<void> {
    return this.#ask('flushed', { kind: 'flush', isFinal });
  }

  async stop(): Promise<void> {
    if (!this.#isEnded) await this.#ask('stopped', { kind: 'stop' });
    await this.terminate();
  }

  async terminate(): Promise<void> {
    this.#isEnded = true;
    this.#rejectExpected('the worker was stopped');
    await this.#handle.terminate();
  }

  #ask(kind: Expected['kind'], message: ToWorker): Promise<void> {
    if (this.#isEnded) return Promise.reject(new Error(`worker ${this.name} has ended`));
    return new Promise((resolve, reject) => {
      this.#expected.push({ kind, resolve, reject });
      this.#post(message);
    });
  }

  #post(message: ToWorker): void {
    this.#handle.post(message);
  }

  #receive(message: FromWorker): void {
    switch (message.kind) {
      case 'done': {
        const batch = this.#batches.get(message.id);
        assert(batch !== undefined, `worker ${this.name} reports batch ${message.id}, which it does not have`);
        this.#batches.delete(message.id);
        this.heap = message.report.heap ?? this.heap;
        this.#owner.done(this, batch, message.report);
        break;
      }
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
        this.heap = message.report.heap ?? this.heap;
        this.#owner.flushed(message.report);
        this.#came('flushed');
        break;
      case 'built':
        this.canFlush = message.canFlush;
        this.threadId = message.threadId;
        this.heap = message.heap;
        this.#came('built');
        break;
      case 'profiled':
        this.#profiles.get(message.call)?.(message.share);
        this.#profiles.delete(message.call);
        break;
      default:
        this.#came(message.kind);
    }
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
      .catch((error: unknown) => this.#exit(String(error)));
  }

  #delivered(call: number, fate: Promise<OutputFate>): void {
    fate
      .then((settled) => {
        if (!this.#isEnded) this.#post({ kind: 'delivered', call, fate: settled });
      })
      .catch((error: unknown) => this.#exit(String(error)));
  }

  /** Before it runs this is the answer to what was asked; afterwards the worker cannot be trusted any more. */
  #failed(message: Extract<FromWorker, { readonly kind: 'failed' }>): void {
    if (this.#batches.size === 0 && this.#expected.length > 0) {
      const error = new ShoalError('pipeline_exception', 400, message.message);
      for (const expected of this.#expected.splice(0)) expected.reject(error);
      return;
    }
    this.#handle.terminate().catch(() => {
      // It is given up either way.
    });
    this.#exit(message.message);
  }

  #exit(reason: string): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#rejectExpected(reason);
    const unfinished = [...this.#batches.values()];
    this.#batches.clear();
    this.#owner.ended(this, reason, unfinished);
  }

  #rejectExpected(reason: string): void {
    for (const resolve of this.#profiles.values()) resolve(null);
    this.#profiles.clear();
    for (const expected of this.#expected.splice(0)) {
      expected.reject(new ShoalError('pipeline_exception', 500, `worker ${this.name}: ${reason}`));
    }
  }
}
