/**
 * One worker as the main thread sees it: calls with answers, and what happens when the thread ends.
 */
import { assert, type CancelFlag, fromWireError, NumberedEntries, ShoalError } from '@shoal/core';
import type { Runtime, WorkerHandle } from '@shoal/runtime';
import { MessageBatch } from '../calls/message-batch.ts';
import { type PackedBody, transferablesOf } from '../calls/packed-body.ts';
import { StopSlots } from '../calls/stop-slots.ts';
import type {
  BreakerSlot,
  FromWorker,
  QueryAnswer,
  ShardKey,
  ToWorker,
  WorkerCallName,
  WorkerCalls,
  WriteAnswer,
} from '../calls/worker-calls.ts';
import { start } from './shard-worker.ts';

interface Pending {
  readonly call: WorkerCallName;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: ShoalError) => void;
}

/** Events of a worker and its calls. */
export interface WorkerObserver {
  /** A call was answered, with a result or an error. */
  readonly onAnswered: (call: WorkerCallName) => void;
  /** A shard of the thread can go on no more. */
  readonly onShardFailed: (key: ShardKey, error: ShoalError) => void;
  /** The thread ended without having been asked to. Called once. */
  readonly onExit: (reason: string) => void;
}

export interface ThreadShareMessage {
  readonly memoryBytesMax: number;
  readonly breaker: BreakerSlot;
  readonly scrolls: SharedArrayBuffer;
}

export class WorkerThread {
  readonly #handle: WorkerHandle;
  readonly #outbox: MessageBatch<ToWorker>;
  readonly #pending = new NumberedEntries<Pending>();
  readonly #slots = new StopSlots();
  readonly #observer: WorkerObserver;
  #nextId = 1;
  #endedBecause: string | null = null;

  /** @param share what the thread's segments may take, and where its searches are counted */
  constructor(runtime: Runtime, name: string, share: ThreadShareMessage, observer: WorkerObserver) {
    this.#observer = observer;
    this.#handle = runtime.workers.spawn({ module: new URL('./shard-worker.ts', import.meta.url), start }, name);
    // Posted by shard-worker.ts of the same program: typed there.
    this.#handle.onMessage((messages) => {
      for (const message of messages as readonly FromWorker[]) this.#receive(message);
    });
    this.#outbox = new MessageBatch(runtime, (messages, moved) => this.#handle.post(messages, moved));
    this.#handle.onExit((reason) => {
      this.#end(reason);
      observer.onExit(reason);
    });
    this.#outbox.add({ kind: 'begin', stopBytes: this.#slots.shared, ...share });
  }

  get pendingCalls(): number {
    return this.#pending.size;
  }

  /** Unanswered calls, oldest first. */
  pendingNames(): readonly WorkerCallName[] {
    return this.#pending.sortedValues().map((pending) => pending.call);
  }

  /** @param moved memory among the arguments that belongs to the worker from now on */
  call<Name extends WorkerCallName>(
    name: Name,
    args: WorkerCalls[Name]['args'],
    moved: readonly ArrayBuffer[] = [],
  ): Promise<WorkerCalls[Name]['result']> {
    if (this.#endedBecause !== null) return Promise.reject(workerEnded(this.#endedBecause));
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      // The worker answers call `name` with its own result type: shard-worker.ts is typed by the same table.
      this.#pending.set(id, { call: name, resolve: resolve as (value: unknown) => void, reject });
      this.#outbox.add({ kind: 'call', id, name, args } as ToWorker, moved);
    });
  }

  /** Writes whose bytes the worker takes over. */
  write(args: WorkerCalls['write']['args']): Promise<WriteAnswer> {
    // A view of a larger piece of memory would be cloned with all of it.
    const isWhole = args.operations.byteLength === args.operations.buffer.byteLength;
    const operations = isWhole ? args.operations : args.operations.slice();
    return this.call('write', { ...args, operations }, transferablesOf(operations));
  }

  /** A query that ends early when `signal` is cancelled. */
  query(args: Omit<WorkerCalls['query']['args'], 'stopSlot'>, signal: CancelFlag): Promise<QueryAnswer> {
    return this.#stoppable(signal, (stopSlot) => this.call('query', { ...args, stopSlot }));
  }

  rank(args: Omit<WorkerCalls['rank']['args'], 'stopSlot'>, signal: CancelFlag): Promise<QueryAnswer> {
    return this.#stoppable(signal, (stopSlot) => this.call('rank', { ...args, stopSlot }));
  }

  fetch(args: Omit<WorkerCalls['fetch']['args'], 'stopSlot'>, signal: CancelFlag): Promise<PackedBody> {
    return this.#stoppable(signal, (stopSlot) => this.call('fetch', { ...args, stopSlot }));
  }

  scroll(args: Omit<WorkerCalls['scroll']['args'], 'stopSlot'>, signal: CancelFlag): Promise<PackedBody> {
    return this.#stoppable(signal, (stopSlot) => this.call('scroll', { ...args, stopSlot }));
  }

  async #stoppable<T>(signal: CancelFlag, run: (stopSlot: number) => Promise<T>): Promise<T> {
    const stopSlot = this.#slots.take();
    let isRunning = true;
    signal.onCancel(() => {
      // The slot may belong to another query by now.
      if (isRunning) this.#slots.stop(stopSlot);
    });
    try {
      return await run(stopSlot);
    } finally {
      isRunning = false;
      this.#slots.give(stopSlot);
    }
  }

  async terminate(): Promise<void> {
    this.#end('the node is closing');
    await this.#handle.terminate();
  }

  #receive(message: FromWorker): void {
    if (message.kind === 'shardFailed') {
      if (this.#endedBecause === null) this.#observer.onShardFailed(message.key, fromWireError(message.error));
      return;
    }
    const pending = this.#pending.get(message.id);
    if (pending === undefined) {
      assert(this.#endedBecause !== null, `answer ${message.id} of a worker was not waited for`);
      return;
    }
    this.#pending.delete(message.id);
    this.#observer.onAnswered(pending.call);
    if (message.kind === 'result') pending.resolve(message.value);
    else pending.reject(fromWireError(message.error));
  }

  #end(reason: string): void {
    if (this.#endedBecause !== null) return;
    this.#endedBecause = reason;
    const waiting = this.#pending.sortedValues();
    this.#pending.clear();
    for (const pending of waiting) pending.reject(workerEnded(reason));
  }
}

/** 503: what was asked may or may not have happened; the shard will be started again. */
function workerEnded(reason: string): ShoalError {
  return new ShoalError('already_closed_exception', 503, `the shard's worker ended: ${reason}`);
}
