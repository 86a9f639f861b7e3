/**
 * Takes batches from the queue and gives them to workers; starts workers as they are needed, and replaces those that end.
 *
 * A batch is waited for until it is full, for `pipeline.batch.delay` at most. Batches of a worker that ended go to another one, before anything
 * new; one over which several workers ended is given up: its events are dead-lettered or counted as dropped.
 */

import type { EventQueue, QueuedBatch } from '@shoal/agent-queue';
import type { Cancel, Runtime } from '@shoal/runtime';
import type { BatchReport, DeliveryResult, FromWorker } from '../messages/worker-messages.ts';
import type { PipelineSource } from '../sources/pipeline-source.ts';
import { BatchRetries } from './batch-retries.ts';
import type { PipelineThreads } from './pipeline-threads.ts';
import type { QueueTurns } from './queue-turns.ts';
import { type WorkerOwner, WorkerSeat } from './worker-seat.ts';

/** Times that a first worker is tried elsewhere, because others block or end its thread. */
const DISPLACED_MAX = 5;
/** Workers that ended one after the other without finishing a batch: the pipeline is given up. */
const FAILURES_IN_A_ROW_MAX = 5;

export interface PoolOwner {
  reported(report: BatchReport): void;
  /** Workers ended over this batch, in the plugin of this index (-1: in none). Resolves when its events are accounted for. */
  lost(batch: QueuedBatch, failure: { readonly plugin: number; readonly reason: string }): Promise<void>;
  /** How the log names a plugin. */
  pluginName(index: number): string;
  deadLetter(message: Extract<FromWorker, { readonly kind: 'deadLetter' }>): Promise<boolean>;
  forward(message: Extract<FromWorker, { readonly kind: 'forward' }>): Promise<boolean>;
  deliver(message: Extract<FromWorker, { readonly kind: 'deliver' }>): Promise<DeliveryResult>;
  /** No worker can be had, or the queue can no longer be read. */
  broken(error: unknown): void;
}

export interface WorkerPoolOptions {
  readonly runtime: Runtime;
  readonly threads: PipelineThreads;
  readonly source: PipelineSource;
  readonly countMax: number;
  readonly owner: PoolOwner;
}

export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  #workers: WorkerSeat[] = [];
  #queue: EventQueue | null = null;
  readonly #retries = new BatchRetries();
  #abandonedCount = 0;
  #nextName = 0;
  #openingCount = 0;
  #failuresInARow = 0;
  #progress = 0;
  #isTaking = false;
  #isStarted = false;
  /** A thread ended, perhaps over a worker of this pipeline. */
  #isSuspect = false;
  #skipsBatchDelay = false;
  #isStopped = false;
  #delay: Cancel | null = null;
  #isDelayOver = false;
  #idleWaiters: (() => void)[] = [];
  readonly #turns: QueueTurns;
  readonly #goOn = (): void => this.schedule();

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    this.#turns = options.threads.queueTurns;
  }

  get workers(): readonly WorkerSeat[] {
    return this.#workers;
  }

  /** Events that were taken from the queue and are not finished. */
  get eventCount(): number {
    let count = this.#abandonedCount + this.#retries.eventCount;
    for (const worker of this.#workers) count += worker.eventCount;
    return count;
  }

  /** Grows with every batch that is done, and with events that pass a plugin in batches that are not. */
  get progress(): number {
    return this.#progress;
  }

  /** Makes the plugins of a first worker; nothing is opened. */
  async prepare(): Promise<void> {
    for (let attempt = 1; this.#workers.length === 0; attempt++) {
      const worker = this.#newWorker();
      try {
        await this.#build(worker);
        this.#workers.push(worker);
      } catch (error) {
        await worker.terminate();
        if (!worker.isDisplaced || attempt >= DISPLACED_MAX) throw error;
      }
    }
  }

  async start(queue: EventQueue): Promise<void> {
    this.#isStarted = true;
    for (const worker of this.#workers) {
      await worker.start().catch((error: unknown) => {
        // Another one is opened in its place.
        if (!worker.isDisplaced) throw error;
      });
    }
    this.#queue = queue;
    queue.onReadable(() => this.schedule());
    this.schedule();
  }

  /** Batches go out as they are, without waiting for more. */
  skipBatchDelay(): void {
    this.#skipsBatchDelay = true;
    this.schedule();
  }

  /** Resolves when workers have nothing, and with `isQueueEmpty` when the queue has nothing either. */
  untilIdle(options: { readonly isQueueEmpty: boolean }): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        const isEmpty = !options.isQueueEmpty || this.#queue === null || this.#queue.sizes().unreadCount === 0;
        if (this.eventCount === 0 && !this.#isTaking && isEmpty) resolve();
        else this.#idleWaiters.push(check);
      };
      check();
    });
  }

  /** Takes nothing from the queue any more. */
  stopTaking(): void {
    this.#isStopped = true;
    this.#delay?.();
  }

  async flush(isFinal: boolean): Promise<void> {
    await Promise.all(
      this.#workers.filter((worker) => worker.canFlush && worker.isReady).map((worker) => worker.flush(isFinal)),
    );
  }

  async stop(): Promise<void> {
    this.stopTaking();
    await Promise.all(this.#workers.map((worker) => worker.stop()));
    this.#workers = [];
  }

  async terminate(): Promise<void> {
    this.stopTaking();
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
    this.#workers = [];
  }

  /** Ends workers whatever they do. Their batches, which it answers in their order, stay unfinished. */
  async terminateUnfinished(): Promise<readonly QueuedBatch[]> {
    this.stopTaking();
    this.#abandonedCount = this.eventCount;
    const workers = this.#workers;
    const batches = [...this.#retries.drop(), ...workers.flatMap((worker) => worker.unfinished)];
    this.#workers = [];
    await Promise.all(workers.map((worker) => worker.terminate()));
    return batches.sort((a, b) => a.id - b.id);
  }

  schedule(): void {
    const queue = this.#queue;
    if (queue === null || this.#isTaking) return;
    const worker = this.#freeWorker();
    if (worker !== null && this.#retries.hasReturned) {
      const batch = this.#retries.next();
      if (batch !== undefined) worker.workAlone(batch);
      this.schedule();
      return;
    }
    if (this.#isStopped || !this.#mayTake(queue, worker)) for (const each of this.#workers) each.send();
    else if (this.#turns.isOver) this.#turns.later(this.#goOn);
    else this.#take(queue);
  }

  #mayTake(queue: EventQueue, worker: WorkerSeat | null): boolean {
    const { batchSize, batchDelayMs } = this.#options.source.settings;
    const { unreadCount } = queue.sizes();
    if (unreadCount === 0) return false;
    if (unreadCount >= batchSize) this.#grow();
    if (worker === null) return false;
    if (unreadCount < batchSize && !this.#isDelayOver && !this.#skipsBatchDelay) {
      this.#delay ??= this.#options.runtime.sched.after(batchDelayMs, () => {
        this.#delay = null;
        this.#isDelayOver = true;
        this.schedule();
      });
      return false;
    }
    return true;
  }

  #take(queue: EventQueue): void {
    this.#isTaking = true;
    this.#isDelayOver = false;
    this.#delay?.();
    this.#delay = null;
    this.#turns
      .timed(() => queue.take(this.#options.source.settings.batchSize))
      .then((batch) => {
        this.#isTaking = false;
        if (batch !== null) this.#turns.timed(() => this.#give(batch));
        this.#wakeIdleWaiters();
        if (batch !== null) this.schedule();
      })
      .catch((error: unknown) => {
        this.#isTaking = false;
        this.#options.owner.broken(error);
      });
  }

  #give(batch: QueuedBatch): void {
    const worker = this.#freeWorker();
    if (worker === null) this.#retries.giveBack(batch);
    else worker.work(batch);
  }

  /** Worker with the fewest batches among those with room; null when none has room. */
  #freeWorker(): WorkerSeat | null {
    let best: WorkerSeat | null = null;
    for (const worker of this.#workers) {
      if (worker.hasRoom && (best === null || worker.batchCount < best.batchCount)) best = worker;
    }
    return best;
  }

  /** Opens another worker when all are busy, and only then: a worker costs memory. */
  #grow(): void {
    if (this.#isStopped || this.#openingCount > 0 || this.#workers.length >= this.#options.countMax) return;
    if (this.#workers.some((worker) => worker.batchCount === 0)) return;
    this.#openWorker();
  }

  #openWorker(): void {
    const worker = this.#newWorker();
    this.#openingCount++;
    this.#workers.push(worker);
    const open = async (): Promise<void> => {
      await this.#build(worker);
      if (this.#isStarted) await worker.start();
    };
    open()
      .then(() => {
        this.#openingCount--;
        this.schedule();
      })
      .catch((error: unknown) => {
        this.#openingCount--;
        if (!this.#isStopped && !worker.isDisplaced)
          this.#options.runtime.log.error('worker not started', { worker: worker.name, error: String(error) });
        this.#remove(worker);
        worker.terminate().catch(() => {
          // It is given up either way.
        });
        if (this.#workers.length === 0 && !this.#isStopped) this.#options.owner.broken(error);
      });
  }

  #build(worker: WorkerSeat): Promise<void> {
    return worker.build(this.#options.source, this.#options.countMax === 1);
  }

  #newWorker(): WorkerSeat {
    const { source, threads, owner: pipeline } = this.#options;
    const wishes = { avoids: this.#workers.map(({ thread }) => thread), isAlone: this.#isSuspect };
    const owner: WorkerOwner = {
      done: (batches, report) => this.#done(batches, report),
      counted: (report) => {
        if (report.counts.some((count) => count > 0)) this.#progress++;
        pipeline.reported(report);
      },
      deadLetter: (message) => pipeline.deadLetter(message),
      forward: (message) => pipeline.forward(message),
      deliver: (message) => pipeline.deliver(message),
      ended: (worker, reason, batches) => this.#ended(worker, reason, batches),
    };
    return new WorkerSeat(threads, `${source.id}-worker${this.#nextName++}`, { owner, wishes });
  }

  #done(batches: readonly QueuedBatch[], report: BatchReport): void {
    this.#options.owner.reported(report);
    this.#failuresInARow = 0;
    this.#progress++;
    for (const batch of batches) {
      this.#retries.done(batch);
      this.#queue?.acknowledge(batch);
    }
    this.#wakeIdleWaiters();
    this.schedule();
  }

  #ended(worker: WorkerSeat, reason: string, { unfinished, blamed }: Parameters<WorkerOwner['ended']>[2]): void {
    const { runtime, owner } = this.#options;
    const plugin = worker.currentPlugin;
    const where = plugin < 0 ? {} : { plugin: owner.pluginName(plugin) };
    // One that is made first is only of interest to who makes it.
    if (!this.#workers.includes(worker)) return;
    const fields = { worker: worker.name, reason, ...where, batches: unfinished.length };
    if (worker.isDisplaced) runtime.log.warn('worker goes on in another thread', fields);
    else runtime.log.error('worker ended', fields);
    this.#isSuspect ||= worker.isSuspect;
    this.#remove(worker);
    for (const batch of unfinished) {
      // With several in one message nobody knows which it was: they go out again one by one.
      const attempts = this.#retries.returned(batch, batch === blamed);
      if (attempts === null) continue;
      runtime.log.error('batch given up: workers end over it', { events: batch.count, attempts, ...where });
      this.#giveUp(batch, { plugin, reason });
    }
    if (!worker.isDisplaced) this.#failuresInARow++;
    if (this.#failuresInARow > FAILURES_IN_A_ROW_MAX) {
      owner.broken(new Error(`workers end: ${reason}`));
      return;
    }
    // Also while stopping, as long as there is something that must still go through.
    if (this.#workers.length === 0 && (!this.#isStopped || this.eventCount > 0)) this.#openWorker();
    this.#wakeIdleWaiters();
    this.schedule();
  }

  #giveUp(batch: QueuedBatch, failure: { readonly plugin: number; readonly reason: string }): void {
    this.#options.owner
      .lost(batch, failure)
      .then(() => {
        this.#retries.settled(batch);
        this.#queue?.acknowledge(batch);
        this.#wakeIdleWaiters();
        this.schedule();
      })
      .catch((error: unknown) => this.#options.owner.broken(error));
  }

  #remove(worker: WorkerSeat): void {
    this.#workers = this.#workers.filter((other) => other !== worker);
  }

  #wakeIdleWaiters(): void {
    if (this.#idleWaiters.length === 0) return;
    for (const check of this.#idleWaiters.splice(0)) check();
  }
}
