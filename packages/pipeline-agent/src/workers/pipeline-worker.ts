/**
 * One worker of a pipeline, in a thread that others may sit in too: makes filters and outputs, then turns batches into
 * reports, one after the other.
 *
 * It owns no event: a batch that it was given and did not report is still the queue's. What a plugin throws concerns the
 * event, never the worker.
 */

import { type LogEvent, readChunk, writeEvents } from '@shoal/agent-event';
import { assert, isShoalError, messageOf } from '@shoal/core';
import type { HeapSample, Runtime } from '@shoal/runtime';
import type { SeatCells } from '../messages/seat-cells.ts';
import type { BatchReport, DeliveryResult, FromWorker, ToWorker } from '../messages/worker-messages.ts';
import { loadPlan } from '../sources/load-plan.ts';
import { BatchOutcome } from '../stages/batch-outcome.ts';
import type { PluginTimeline } from './plugin-timeline.ts';
import { type Deliveries, WorkerProgram } from './worker-program.ts';

/** What all workers of a thread have in common. */
export interface ThreadServices {
  /** Kernel's id of the thread; null where it has none. */
  readonly threadId: number | null;
  readonly timeline: PluginTimeline;
  /** null when it was told only just now. */
  heapNow(nowMs: number): HeapSample | null;
}

export interface PipelineWorkerOptions {
  readonly post: (message: FromWorker) => void;
  readonly runtime: Runtime;
  readonly cells: SeatCells;
  readonly thread: ThreadServices;
  /** Number of its first plugin in profiles of the thread. */
  readonly firstPlugin: number;
}

type WorkMessage = Exclude<ToWorker, { readonly kind: 'answer' | 'delivered' }>;

interface OpenCall {
  readonly resolve: (isDone: boolean) => void;
}

/** Longest time of work without a turn of the event loop, but for one long batch. */
const TURN_INTERVAL_MS = 50;
/** An output may hold a batch for hours, as when nobody listens: what it counts meanwhile is told so often. */
const TELL_INTERVAL_MS = 500;

export class PipelineWorker implements Deliveries {
  readonly #options: PipelineWorkerOptions;
  readonly #runtime: Runtime;
  readonly #calls = new Map<number, OpenCall>();
  readonly #openDeliveries = new Map<number, (result: DeliveryResult) => void>();
  #turnMs = 0;
  #nextCall = 0;
  /** Start of the work that goes on, less the time already reported; null when none does. */
  #workStartMs: number | null = null;
  #isTelling = false;
  #isStarted = false;
  #program: WorkerProgram | null = null;
  /** Messages are worked on in the order in which they came; answers to open calls are not. */
  #tail: Promise<void> = Promise.resolve();

  constructor(options: PipelineWorkerOptions) {
    this.#options = options;
    this.#runtime = options.runtime;
  }

  /** Number in profiles of the thread; -1 when none runs. */
  get runningPlugin(): number {
    const { currentPlugin } = this.#options.cells;
    return currentPlugin < 0 ? -1 : this.#options.firstPlugin + currentPlugin;
  }

  receive(message: ToWorker): void {
    if (message.kind === 'answer') {
      this.#calls.get(message.call)?.resolve(message.isDone);
      this.#calls.delete(message.call);
      return;
    }
    if (message.kind === 'delivered') {
      this.#openDeliveries.get(message.call)?.(message.result);
      this.#openDeliveries.delete(message.call);
      return;
    }
    this.#tail = this.#tail.then(() => this.#begin(message)).catch((error: unknown) => this.#fail(error));
  }

  /** Stops what was opened, behind what goes on. */
  async close(): Promise<void> {
    await this.#tail;
    if (!this.#isStarted) return;
    this.#isStarted = false;
    await this.#program?.stop();
  }

  deadLetter(letter: {
    readonly event: LogEvent;
    readonly pluginType: string;
    readonly pluginId: string;
    readonly reason: string;
  }): Promise<boolean> {
    const { event, pluginType, pluginId, reason } = letter;
    const bytes = writeEvents([event]);
    return this.#call((call) => this.#post({ kind: 'deadLetter', call, pluginType, pluginId, reason, bytes }));
  }

  forward(address: string, events: readonly LogEvent[], ensureDelivery: boolean): Promise<boolean> {
    const bytes = writeEvents(events);
    return this.#call((call) => this.#post({ kind: 'forward', call, address, ensureDelivery, bytes }));
  }

  deliver(plugin: number, events: readonly LogEvent[]): Promise<DeliveryResult> {
    const bytes = writeEvents(events);
    return new Promise((resolve) => {
      const call = this.#nextCall++;
      this.#openDeliveries.set(call, resolve);
      this.#post({ kind: 'deliver', call, plugin, bytes });
    });
  }

  #call(post: (call: number) => void): Promise<boolean> {
    return new Promise((resolve) => {
      const call = this.#nextCall++;
      this.#calls.set(call, { resolve });
      post(call);
    });
  }

  /** What was sent to a seat that was revoked meanwhile is done by another worker. */
  async #begin(message: WorkMessage): Promise<void> {
    const { cells } = this.#options;
    if (!cells.begin()) return;
    let answer: FromWorker;
    try {
      answer = await this.#handle(message);
    } finally {
      // Whoever hears the answer may take the seat away at once: one that is not free then passes for a worker that does not end.
      cells.finish();
    }
    this.#post(answer);
    if (message.kind === 'batches') await this.#letOthersRun();
  }

  async #handle(message: WorkMessage): Promise<FromWorker> {
    switch (message.kind) {
      case 'build': {
        const plan = await loadPlan(message.source, this.#runtime.clock);
        this.#program = new WorkerProgram({
          runtime: this.#runtime,
          source: message.source,
          plan,
          cells: this.#options.cells,
          timeline: this.#options.thread.timeline,
          firstPlugin: this.#options.firstPlugin,
          isAlone: message.isAlone,
          deliveries: this,
        });
        const { threadId } = this.#options.thread;
        const report = this.#report(new BatchOutcome(), this.#runtime.clock.monotonicMs());
        const { canFlush, canMove } = this.#program;
        return { kind: 'built', canFlush, canMove, threadId, report };
      }
      case 'start':
        this.#isStarted = true;
        await this.#running().start();
        return { kind: 'started' };
      case 'batches':
        return { kind: 'done', report: await this.#work(message.batches) };
      case 'flush': {
        const report = await this.#flush(message.isFinal);
        return { kind: 'flushed', isFinal: message.isFinal, report };
      }
      case 'stop':
        this.#isStarted = false;
        await this.#program?.stop();
        return { kind: 'stopped' };
    }
  }

  #running(): WorkerProgram {
    assert(this.#program !== null, 'a worker is built before it is used');
    return this.#program;
  }

  async #work(batches: readonly (readonly Uint8Array[])[]): Promise<BatchReport> {
    this.#workStartMs = this.#runtime.clock.monotonicMs();
    this.#tellLater();
    const outcome = new BatchOutcome();
    await this.#running().work(eventsOf(batches, outcome), outcome);
    const startMs = this.#workStartMs;
    this.#workStartMs = null;
    return this.#report(outcome, startMs);
  }

  /** One timer at a time, however many batches come: it looks whether there is something to tell. */
  #tellLater(): void {
    if (this.#isTelling) return;
    this.#isTelling = true;
    this.#runtime.sched.after(TELL_INTERVAL_MS, () => {
      this.#isTelling = false;
      if (this.#workStartMs === null) return;
      this.#post({ kind: 'counted', report: this.#report(new BatchOutcome(), this.#workStartMs) });
      this.#workStartMs = this.#runtime.clock.monotonicMs();
      this.#tellLater();
    });
  }

  async #flush(isFinal: boolean): Promise<BatchReport> {
    const startMs = this.#runtime.clock.monotonicMs();
    const outcome = new BatchOutcome();
    await this.#running().flush(isFinal, outcome);
    return this.#report(outcome, startMs);
  }

  /** Messages that are there already are handed out without a turn of the event loop: timers and sockets would wait for ever. */
  async #letOthersRun(): Promise<void> {
    const { clock, sched } = this.#runtime;
    if (!this.#options.thread.timeline.isOpen && clock.monotonicMs() - this.#turnMs < TURN_INTERVAL_MS) return;
    await new Promise<void>((resolve) => sched.soon(resolve));
    this.#turnMs = clock.monotonicMs();
  }

  #report(outcome: BatchOutcome, startMs: number): BatchReport {
    const { counters } = this.#running();
    const nowMs = this.#runtime.clock.monotonicMs();
    return {
      taken: outcome.taken,
      created: outcome.created,
      filtered: outcome.filtered,
      out: outcome.out,
      deadLettered: outcome.deadLettered,
      dropped: outcome.dropped,
      durationMs: nowMs - startMs,
      joinedMs: outcome.joinedMs,
      heap: this.#options.thread.heapNow(nowMs),
      counts: counters.takeCounts(),
      metrics: counters.takeMetrics(),
    };
  }

  #post(message: FromWorker): void {
    this.#options.post(message);
  }

  #fail(error: unknown): void {
    const message = messageOf(error);
    const position = isShoalError(error) ? null : ((error as { readonly position?: unknown } | null)?.position ?? null);
    this.#post({ kind: 'failed', message, position: typeof position === 'string' ? position : null });
  }
}

/** Events of each batch, read when they are asked for. */
function* eventsOf(
  batches: readonly (readonly Uint8Array[])[],
  outcome: BatchOutcome,
): Generator<readonly LogEvent[], void> {
  for (const chunks of batches) {
    const [first] = chunks;
    const events = first !== undefined && chunks.length === 1 ? readChunk(first) : chunks.flatMap(readChunk);
    outcome.taken += events.length;
    yield events;
  }
}
