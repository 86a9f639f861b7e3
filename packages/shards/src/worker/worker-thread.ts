/**
 * One worker as the main thread sees it: calls with answers, and what happens when the thread ends.
 */

import { assert, type CancelFlag, fromWireError, NumberedEntries, ShoalError } from '@shoal/core';
import type { PartStates, ShardManifest } from '@shoal/engine';
import type { Runtime, WorkerHandle, WorkerProgram } from '@shoal/runtime';
import type { ShardSuggestions, ShardTerms } from '@shoal/shard-api';
import type { CopyOutput } from '../calls/copy-output.ts';
import { MessageBatch } from '../calls/message-batch.ts';
import { type PackedBody, transferablesOf } from '../calls/packed-body.ts';
import { buffersOf } from '../calls/state-buffers.ts';
import { StopSlots } from '../calls/stop-slots.ts';
import type {
  BreakerSlot,
  FromWorker,
  GroupAnswer,
  QueryAnswer,
  ShardKey,
  ToWorker,
  WorkerCallName,
  WorkerCalls,
  WriteAnswer,
} from '../calls/worker-calls.ts';

/** Calls that wait for something else, and leave the thread to others. */
const PASSIVE_CALLS: ReadonlySet<WorkerCallName> = new Set(['waitForRefresh', 'profile']);

interface Pending {
  readonly call: WorkerCallName;
  readonly key: ShardKey;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: ShoalError) => void;
}

/** Events of a worker and its calls. */
export interface WorkerObserver {
  /** A call was answered, with a result or an error. */
  readonly onAnswered: (call: WorkerCallName) => void;
  /** A shard of the thread can go on no more. */
  readonly onShardFailed: (key: ShardKey, error: ShoalError) => void;
  /** A copy of the thread asks for what the main thread has. */
  readonly onCopyOutput: (key: ShardKey, output: CopyOutput) => void;
  /** A long search of the thread asks others to take part. */
  readonly onGuestsWanted: (askId: number, args: WorkerCalls['searchAsGuest']['args']) => void;
  /** Searches of the thread asked for aggregations. */
  readonly onAggregationsUsed: (counts: ReadonlyMap<string, number>) => void;
  /** The thread ended without having been asked to. Called once. */
  readonly onExit: (reason: string) => void;
}

export interface ThreadShareMessage {
  readonly memoryBytesMax: number;
  readonly requestCacheBytesMax: number;
  readonly breaker: BreakerSlot;
  readonly scrolls: SharedArrayBuffer;
  readonly recoveries: SharedArrayBuffer;
  readonly refreshesBeforeSearch: boolean;
  readonly hasOthers: boolean;
}

export interface ThreadStart {
  readonly name: string;
  /** null: the thread loads it. */
  readonly program: WorkerProgram | null;
  /** What the thread's segments may take, and where its searches are counted. */
  readonly share: ThreadShareMessage;
}

export class WorkerThread {
  readonly #handle: WorkerHandle;
  readonly #outbox: MessageBatch<ToWorker>;
  readonly #pending = new NumberedEntries<Pending>();
  readonly #slots = new StopSlots();
  readonly #observer: WorkerObserver;
  /** Shards whose folders the thread may write to: from the call that opens one until it is known to be closed. */
  readonly #heldShards = new Set<ShardKey>();
  #nextId = 1;
  /** Ticks since the thread was last heard. */
  #silentTicks = 0;
  /** A ping is not answered yet: another one would only wait behind it. */
  #isPinged = false;
  #endedBecause: string | null = null;

  constructor(runtime: Runtime, { name, program, share }: ThreadStart, observer: WorkerObserver) {
    this.#observer = observer;
    this.#handle = runtime.workers.spawn(
      { module: new URL('./shard-worker.ts', import.meta.url), start: program },
      name,
    );
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

  get heldShards(): readonly ShardKey[] {
    return [...this.#heldShards];
  }

  /** Asks the thread for a sign of life. @returns ticks since it was last heard, this one included */
  tick(): number {
    this.#silentTicks++;
    if (!this.#isPinged && this.#endedBecause === null) {
      this.#isPinged = true;
      this.#outbox.add({ kind: 'ping' });
    }
    return this.#silentTicks;
  }

  /** Unanswered calls, oldest first. */
  pendingNames(): readonly WorkerCallName[] {
    return this.#pending.sortedValues().map((pending) => pending.call);
  }

  /** Nothing but time is waited for. */
  get isIdle(): boolean {
    return this.#endedBecause === null && this.pendingNames().every((name) => PASSIVE_CALLS.has(name));
  }

  /** What a guest of a search of this thread collected; null: nothing. `isLast`: no other guest will answer. */
  guestAnswered(askId: number, found: readonly PartStates[] | null, isLast: boolean): void {
    if (this.#endedBecause !== null) return;
    this.#outbox.add({ kind: 'guestAnswer', askId, found, isLast }, found === null ? [] : buffersOf(found));
  }

  /** @param moved memory among the arguments that belongs to the worker from now on */
  call<Name extends WorkerCallName>(
    name: Name,
    args: WorkerCalls[Name]['args'],
    moved: readonly ArrayBuffer[] = [],
  ): Promise<WorkerCalls[Name]['result']> {
    if (this.#endedBecause !== null) return Promise.reject(workerEnded(this.#endedBecause));
    const id = this.#nextId++;
    if (name === 'open') this.#heldShards.add(args.key);
    return new Promise((resolve, reject) => {
      // The worker answers call `name` with its own result type: shard-worker.ts is typed by the same table.
      this.#pending.set(id, { call: name, key: args.key, resolve: resolve as (value: unknown) => void, reject });
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

  /** What another copy asks, packed for this call alone: the worker takes its bytes over. */
  copyRequest(args: WorkerCalls['copyRequest']['args']): Promise<PackedBody> {
    return this.call('copyRequest', args, transferablesOf(args.call.bytes));
  }

  /** A query that ends early when `signal` is cancelled. */
  query(args: Omit<WorkerCalls['query']['args'], 'stopSlot'>, signal: CancelFlag): Promise<QueryAnswer> {
    const { key, query, fetchPage } = args;
    return this.#stoppable(signal, (stopSlot) => this.call('query', { key, query, fetchPage, stopSlot }));
  }

  queryShards(
    args: Omit<WorkerCalls['queryShards']['args'], 'stopSlot'>,
    signal: CancelFlag,
  ): Promise<readonly (GroupAnswer | null)[]> {
    return this.#stoppable(signal, (stopSlot) => this.call('queryShards', { stopSlot, ...args }));
  }

  rank(args: Omit<WorkerCalls['rank']['args'], 'stopSlot'>, signal: CancelFlag): Promise<QueryAnswer> {
    return this.#stoppable(signal, (stopSlot) => this.call('rank', { stopSlot, ...args }));
  }

  fetch(args: Omit<WorkerCalls['fetch']['args'], 'stopSlot'>, signal: CancelFlag): Promise<PackedBody | null> {
    return this.#stoppable(signal, (stopSlot) => this.call('fetch', { stopSlot, ...args }));
  }

  scroll(args: Omit<WorkerCalls['scroll']['args'], 'stopSlot'>, signal: CancelFlag): Promise<PackedBody> {
    return this.#stoppable(signal, (stopSlot) => this.call('scroll', { stopSlot, ...args }));
  }

  suggest(args: Omit<WorkerCalls['suggest']['args'], 'stopSlot'>, signal: CancelFlag): Promise<ShardSuggestions> {
    return this.#stoppable(signal, (stopSlot) => this.call('suggest', { stopSlot, ...args }));
  }

  enumerateTerms(
    args: Omit<WorkerCalls['enumerateTerms']['args'], 'stopSlot'>,
    signal: CancelFlag,
  ): Promise<ShardTerms> {
    return this.#stoppable(signal, (stopSlot) => this.call('enumerateTerms', { stopSlot, ...args }));
  }

  snapshot(args: Omit<WorkerCalls['snapshot']['args'], 'stopSlot'>, signal: CancelFlag): Promise<ShardManifest> {
    return this.#stoppable(signal, (stopSlot) => this.call('snapshot', { stopSlot, ...args }));
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

  /** Resolves when the thread runs no more; its calls fail with the reason before that. */
  async terminate(reason = 'the node is closing'): Promise<void> {
    this.#end(reason);
    await this.#handle.terminate();
  }

  #receive(message: FromWorker): void {
    this.#silentTicks = 0;
    if (message.kind === 'pong') {
      this.#isPinged = false;
      return;
    }
    if (message.kind === 'shardFailed') {
      if (this.#endedBecause === null) this.#observer.onShardFailed(message.key, fromWireError(message.error));
      return;
    }
    if (message.kind === 'copyOutput') {
      if (this.#endedBecause === null) this.#observer.onCopyOutput(message.key, message.output);
      return;
    }
    if (message.kind === 'guestsWanted') {
      if (this.#endedBecause === null) this.#observer.onGuestsWanted(message.askId, message.args);
      return;
    }
    if (message.kind === 'aggregationsUsed') {
      this.#observer.onAggregationsUsed(message.counts);
      return;
    }
    const pending = this.#pending.get(message.id);
    if (pending === undefined) {
      assert(this.#endedBecause !== null, `answer ${message.id} of a worker was not waited for`);
      return;
    }
    this.#pending.delete(message.id);
    if (pending.call === 'close' || (pending.call === 'open' && message.kind === 'error')) {
      this.#heldShards.delete(pending.key);
    }
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
