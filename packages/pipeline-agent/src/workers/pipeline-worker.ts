/**
 * The program of a pipeline's worker: makes filters and outputs, then turns batches into reports, one after the other.
 *
 * It owns no event: a batch that it was given and did not report is still the queue's. What a plugin throws concerns the
 * event, never the worker.
 */

import { type LogEvent, readChunk, writeEvents } from '@shoal/agent-event';
import { assert, isShoalError } from '@shoal/core';
import type { HeapSample, Runtime, WorkerPort } from '@shoal/runtime';
import { type ThreadShare, threadShare } from '../messages/thread-share.ts';
import type { BatchReport, DeliveryResult, FromWorker, ToWorker } from '../messages/worker-messages.ts';
import { loadPlan } from '../sources/load-plan.ts';
import { BatchOutcome } from '../stages/batch-outcome.ts';
import { PluginTimeline } from './plugin-timeline.ts';
import { type Deliveries, WorkerProgram } from './worker-program.ts';

export function start(port: WorkerPort, runtime: Runtime): void {
  const worker = new PipelineWorker(port, runtime);
  // Posted by worker-seat.ts of the same program: typed there.
  port.onMessage((message) => worker.receive(message as ToWorker));
}

interface OpenCall {
  readonly resolve: (isDone: boolean) => void;
}

const SAMPLE_INTERVAL_MS = 1;
/** Longest time of work without a turn of the event loop, but for one long batch. */
const TURN_INTERVAL_MS = 50;
/** The size of the heap is told with a report, but no more often. */
const HEAP_INTERVAL_MS = 1_000;
/** An output may hold a batch for hours, as when nobody listens: what it counts meanwhile is told so often. */
const TELL_INTERVAL_MS = 500;

class PipelineWorker implements Deliveries {
  readonly #port: WorkerPort;
  readonly #runtime: Runtime;
  readonly #calls = new Map<number, OpenCall>();
  readonly #openDeliveries = new Map<number, (result: DeliveryResult) => void>();
  readonly #timeline = new PluginTimeline();
  #turnMs = 0;
  #heapToldMs = Number.NEGATIVE_INFINITY;
  #nextCall = 0;
  /** Start of the work that goes on, less the time already reported; null when none does. */
  #workStartMs: number | null = null;
  #isTelling = false;
  #program: WorkerProgram | null = null;
  /** Messages are worked on in the order in which they came; answers to open calls are not. */
  #tail: Promise<void> = Promise.resolve();

  constructor(port: WorkerPort, runtime: Runtime) {
    this.#port = port;
    this.#runtime = runtime;
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
    if (message.kind === 'profile') {
      this.#profile(message.durationMs)
        .catch(() => null) // The asker then has only what others see of this thread.
        .then((share) => this.#post({ kind: 'profiled', call: message.call, share }))
        .catch((error: unknown) => this.#fail(error));
      return;
    }
    this.#tail = this.#tail.then(() => this.#handle(message)).catch((error: unknown) => this.#fail(error));
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

  async #handle(message: Exclude<ToWorker, { readonly kind: 'answer' | 'delivered' | 'profile' }>): Promise<void> {
    switch (message.kind) {
      case 'build': {
        const plan = await loadPlan(message.source, this.#runtime.clock);
        const current = new Int32Array(message.current);
        this.#program = new WorkerProgram({
          runtime: this.#runtime,
          source: message.source,
          plan,
          current,
          timeline: this.#timeline,
          isAlone: message.isAlone,
          deliveries: this,
        });
        const { machine } = this.#runtime;
        const threadId = machine.threads?.().ownId ?? null;
        const report = this.#report(new BatchOutcome(), this.#runtime.clock.monotonicMs());
        this.#post({ kind: 'built', canFlush: this.#program.canFlush, threadId, report });
        break;
      }
      case 'start':
        await this.#running().start();
        this.#post({ kind: 'started' });
        break;
      case 'batches':
        this.#post({ kind: 'done', report: await this.#work(message.batches) });
        await this.#letOthersRun();
        break;
      case 'flush': {
        const report = await this.#flush(message.isFinal);
        this.#post({ kind: 'flushed', isFinal: message.isFinal, report });
        break;
      }
      case 'stop':
        await this.#program?.stop();
        this.#post({ kind: 'stopped' });
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
    for (const chunks of batches) {
      const [first] = chunks;
      const events = first !== undefined && chunks.length === 1 ? readChunk(first) : chunks.flatMap(readChunk);
      outcome.taken += events.length;
      await this.#running().work(events, outcome);
    }
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
    if (!this.#timeline.isOpen && clock.monotonicMs() - this.#turnMs < TURN_INTERVAL_MS) return;
    await new Promise<void>((resolve) => sched.soon(resolve));
    this.#turnMs = clock.monotonicMs();
  }

  async #profile(durationMs: number): Promise<ThreadShare | null> {
    const { machine, clock } = this.#runtime;
    if (machine.profile === undefined || this.#timeline.isOpen) return null;
    this.#timeline.open(clock.monotonicMs(), this.#program?.currentPlugin ?? -1);
    try {
      const profile = await machine.profile({ durationMs, sampleIntervalMs: SAMPLE_INTERVAL_MS });
      const pluginAt = this.#timeline.close();
      return threadShare(profile, ({ atMs }) => pluginAt(atMs));
    } finally {
      this.#timeline.close();
    }
  }

  /** null when it was told only just now. */
  #heapNow(nowMs: number): HeapSample | null {
    if (nowMs - this.#heapToldMs < HEAP_INTERVAL_MS) return null;
    this.#heapToldMs = nowMs;
    return this.#runtime.machine.heap?.() ?? null;
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
      heap: this.#heapNow(nowMs),
      counts: counters.takeCounts(),
      metrics: counters.takeMetrics(),
    };
  }

  #post(message: FromWorker): void {
    this.#port.post(message);
  }

  #fail(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    const position = isShoalError(error) ? null : ((error as { readonly position?: unknown } | null)?.position ?? null);
    this.#post({ kind: 'failed', message, position: typeof position === 'string' ? position : null });
  }
}
