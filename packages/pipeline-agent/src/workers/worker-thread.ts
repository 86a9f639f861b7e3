/**
 * The main thread's side of one worker: what was asked of it, and what it still has.
 */

import type { QueuedBatch } from '@shoal/agent-queue';
import { assert, ShoalError } from '@shoal/core';
import type { HeapSample, Runtime, WorkerHandle } from '@shoal/runtime';
import type { ThreadShare } from '../messages/thread-share.ts';
import type { BatchReport, DeliveryResult, FromWorker, ToWorker } from '../messages/worker-messages.ts';
import type { PipelineSource } from '../sources/pipeline-source.ts';
import { start } from './pipeline-worker.ts';

export interface WorkerThreadOwner {
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
    worker: WorkerThread,
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
/** Batches below this are done faster than messages go to and fro: several go in one. */
const FAST_BATCH_MS = 3;
const FAST_BATCHES_PER_MESSAGE = 8;

export class WorkerThread {
  readonly name: string;
  /** Cell 0: index of the plugin that runs, plus one. */
  readonly current: SharedArrayBuffer = new SharedArrayBuffer(4);
  canFlush = false;
  /** Kernel's id of the thread; null where it has none. */
  threadId: number | null = null;
  /** Heap that the worker reported last; null where the runtime has no such figures. */
  heap: HeapSample | null = null;
  readonly #owner: WorkerThreadOwner;
  readonly #handle: WorkerHandle;
  /** Batches of each message that was sent, in the order in which they are worked on. */
  readonly #sent: (readonly QueuedBatch[])[] = [];
  /** Batches for the next message. */
  #waiting: QueuedBatch[] = [];
  /** Mean duration of a batch in the last report; infinite at first: a worker is slow until it has shown otherwise. */
  #batchMs = Number.POSITIVE_INFINITY;
  /** Duration that reports of unfinished batches have told so far. */
  #toldMs = 0;
  readonly #profiles = new Map<number, (share: ThreadShare | null) => void>();
  #nextCall = 0;
  #expected: Expected[] = [];
  #isEnded = false;
  #isReady = false;

  constructor(runtime: Runtime, name: string, owner: WorkerThreadOwner) {
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
    return Atomics.load(new Int32Array(this.current), 0) - 1;
  }

  /** What a busy worker is given may wait for more, until `send`. */
  work(batch: QueuedBatch): void {
    assert(this.hasRoom, `worker ${this.name} is given batch ${batch.id} without room`);
    this.#waiting.push(batch);
    if (this.#sent.length === 0 || this.#waiting.length >= this.#messageMax) this.send();
  }

  /** Sends a batch in a message of its own: should the worker end over it, it is known which batch it was. */
  workAlone(batch: QueuedBatch): void {
    this.send();
    this.work(batch);
    this.send();
  }

  /** Sends what waits: nothing more comes for the moment. */
  send(): void {
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
        const batches = this.#sent.shift();
        assert(batches !== undefined, `worker ${this.name} reports batches that it does not have`);
        this.#batchMs = (this.#toldMs + message.report.durationMs) / batches.length;
        this.#toldMs = 0;
        this.heap = message.report.heap ?? this.heap;
        this.#owner.done(batches, message.report);
        break;
      }
      case 'counted':
        this.#toldMs += message.report.durationMs;
        this.heap = message.report.heap ?? this.heap;
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
        this.heap = message.report.heap ?? this.heap;
        this.#owner.counted(message.report);
        this.#came('flushed');
        break;
      case 'built':
        this.canFlush = message.canFlush;
        this.threadId = message.threadId;
        this.heap = message.report.heap ?? this.heap;
        this.#owner.counted(message.report);
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

  #delivered(call: number, result: Promise<DeliveryResult>): void {
    result
      .then((settled) => {
        if (!this.#isEnded) this.#post({ kind: 'delivered', call, result: settled });
      })
      .catch((error: unknown) => this.#exit(String(error)));
  }

  /** Before it runs this is the answer to what was asked; afterwards the worker cannot be trusted any more. */
  #failed(message: Extract<FromWorker, { readonly kind: 'failed' }>): void {
    if (this.batchCount === 0 && this.#expected.length > 0) {
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
    const unfinished = this.unfinished;
    const [first] = this.#sent;
    const blamed = first?.length === 1 ? (first[0] ?? null) : null;
    this.#sent.length = 0;
    this.#waiting = [];
    this.#owner.ended(this, reason, { unfinished, blamed });
  }

  #rejectExpected(reason: string): void {
    for (const resolve of this.#profiles.values()) resolve(null);
    this.#profiles.clear();
    for (const expected of this.#expected.splice(0)) {
      expected.reject(new ShoalError('pipeline_exception', 500, `worker ${this.name}: ${reason}`));
    }
  }
}
