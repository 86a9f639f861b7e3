/**
 * One pipeline that runs: inputs here, a queue, workers that turn batches into reports, and the counts of all events.
 *
 * Phases: `prepare` makes the plugins of a first worker, so that a broken configuration fails while the pipeline before it
 * still runs; `run` opens queue, outputs and inputs; `stop` takes no more, drains, flushes and closes.
 */

import { flatPlugins, type PipelinePlan, positionText } from '@shoal/agent-config';
import { readEvents } from '@shoal/agent-event';
import { type DeadLetterWriter, type EventChunk, type EventQueue, MemoryQueue } from '@shoal/agent-queue';
import { assert, messageOf } from '@shoal/core';
import type { Cancel, Runtime } from '@shoal/runtime';
import { ConfirmingQueue } from '../delivery/confirming-queue.ts';
import type { ProcessBus } from '../delivery/pipeline-bus.ts';
import { SingleInstanceOutputs, type WriteDeadLetter } from '../delivery/single-instance-outputs.ts';
import type { PipelineSource } from '../sources/pipeline-source.ts';
import { type Ledger, PipelineStats } from '../statistics/pipeline-stats.ts';
import type { PipelineThreads } from '../workers/pipeline-threads.ts';
import { workerCount } from '../workers/worker-count.ts';
import { WorkerPool } from '../workers/worker-pool.ts';
import type { WorkerSeat } from '../workers/worker-seat.ts';
import { emptiesQueue, fateOfStuck, type PipelineEnd } from './end-rules.ts';
import { accountForLost, WORKER_ID } from './lost-batch.ts';
import { Patience } from './patience.ts';
import { PipelineInputs } from './pipeline-inputs.ts';
import { openDeadLetters, openQueue } from './pipeline-stores.ts';
import { reportStalls } from './stall-report.ts';

const FLUSH_INTERVAL_MS = 5_000;

/** `finished`: its inputs ended by themselves. `terminated`: stopped, or given up. */
export type PipelineState = 'loading' | 'running' | 'finished' | 'terminated';

export interface PipelineOptions {
  readonly runtime: Runtime;
  readonly threads: PipelineThreads;
  readonly source: PipelineSource;
  readonly plan: PipelinePlan;
  readonly bus: ProcessBus;
  readonly ephemeralId: string;
  readonly hash: string;
}

export class Pipeline {
  readonly source: PipelineSource;
  readonly plan: PipelinePlan;
  readonly hash: string;
  readonly ephemeralId: string;
  readonly stats: PipelineStats;
  readonly inputs: PipelineInputs;
  readonly workerCountMax: number;
  /** Start by the monotonic clock: the counters count from here. */
  readonly startMs: number;
  /** Settles when it has finished or was given up or stopped. */
  readonly ended: Promise<void>;
  readonly #runtime: Runtime;
  readonly #pool: WorkerPool;
  /** null with one worker, which has them itself. */
  readonly #singleInstances: SingleInstanceOutputs | null;
  #queue: EventQueue | null = null;
  /** The queue as the workers see it where inputs wait for the outputs; null otherwise. */
  #confirming: ConfirmingQueue | null = null;
  #deadLetters: DeadLetterWriter | null = null;
  #state: PipelineState = 'loading';
  #stopping: Promise<void> | null = null;
  /** Resolves when somebody asks for the end, also while the pipeline ends by itself. */
  readonly #stopAsked: Promise<void>;
  #askStop: () => void = () => {};
  #isStopAsked = false;
  #handsOver = false;
  #leftovers: readonly EventChunk[] = [];
  /** Events that were taken back from the queue in memory and are in no batch. */
  #takenBackCount = 0;
  #flushTimer: Cancel | null = null;
  #wasBalanced = true;
  #resolveEnded: () => void = () => {};

  constructor(options: PipelineOptions) {
    const { source, plan, bus } = options;
    const runtime = { ...options.runtime, log: options.runtime.log.child({ pipeline: source.id }) };
    this.source = source;
    this.startMs = runtime.clock.monotonicMs();
    this.plan = plan;
    this.hash = options.hash;
    this.ephemeralId = options.ephemeralId;
    this.#runtime = runtime;
    this.workerCountMax = workerCount(runtime, source, plan);
    const [filters, outputs] = [flatPlugins(plan.filters), flatPlugins(plan.outputs)];
    this.stats = new PipelineStats({ inputs: plan.inputs, filters, outputs });
    const confirmed = source.settings.acknowledgesOutputs ? () => this.#confirmed() : null;
    const parts = { runtime: options.runtime, source, stats: this.stats, bus };
    this.inputs = new PipelineInputs({ ...parts, threads: options.threads, plans: plan.inputs, confirmed });
    const writeDeadLetter: WriteDeadLetter = (given) => this.#writeDeadLetter(given);
    const shared = { ...parts, outputs, writeDeadLetter };
    this.#singleInstances = this.workerCountMax === 1 ? null : new SingleInstanceOutputs(shared);
    this.#pool = new WorkerPool({
      runtime,
      threads: options.threads,
      source,
      countMax: this.workerCountMax,
      owner: {
        reported: (report) => this.stats.apply(report),
        lost: (batch, failure) => accountForLost(batch, failure, this.stats, writeDeadLetter),
        pluginName: (index) => this.#pluginName(index),
        deadLetter: async ({ bytes, pluginType, pluginId, reason }) => {
          const event = readEvents(bytes)[0];
          return event !== undefined && this.#writeDeadLetter({ event, pluginType, pluginId, reason });
        },
        deliver: ({ plugin, bytes }) => {
          assert(this.#singleInstances !== null, `a worker on its own sends events to output ${plugin}`);
          return this.#singleInstances.receive(plugin, bytes);
        },
        forward: async ({ address, bytes, ensureDelivery }) => {
          await bus.send(address, readEvents(bytes), ensureDelivery);
          return true;
        },
        broken: (error) => this.#giveUp(error),
      },
    });
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    this.#stopAsked = new Promise((resolve) => {
      this.#askStop = resolve;
    });
  }

  get state(): PipelineState {
    return this.#state;
  }

  get queue(): EventQueue | null {
    return this.#queue;
  }

  get deadLetters(): DeadLetterWriter | null {
    return this.#deadLetters;
  }

  get workers(): readonly WorkerSeat[] {
    return this.#pool.workers;
  }

  /** Makes the first worker and its plugins, and the inputs; nothing is opened. */
  async prepare(): Promise<void> {
    const made = await Promise.allSettled([this.#pool.prepare(), this.inputs.prepare()]);
    const failed = made.find((result) => result.status === 'rejected');
    if (failed === undefined) return;
    await this.discard();
    throw failed.reason;
  }

  /** Gives up a prepared pipeline that was never run. */
  async discard(): Promise<void> {
    await Promise.all([this.#pool.terminate(), this.inputs.release()]);
  }

  /** Events that this pipeline did not finish, for the next one to begin with; only after a stop that hands over. */
  get leftovers(): readonly EventChunk[] {
    return this.#leftovers;
  }

  /** @param leftovers events that the pipeline before this one took and did not finish */
  async run(leftovers: readonly EventChunk[] = []): Promise<void> {
    for (const warning of this.plan.warnings) this.#runtime.log.warn(warning);
    if (this.plan.inputs.length === 0) this.#runtime.log.warn('the configuration has no input: no event will come');
    try {
      this.#deadLetters = await openDeadLetters(this.#runtime, this.source);
      const queue = await openQueue(this.#runtime, this.source, { workerCount: this.workerCountMax, leftovers });
      this.#queue = queue;
      queue.onFailed((error) => this.#giveUp(error));
      await this.#singleInstances?.start();
      if (this.source.settings.acknowledgesOutputs) this.#confirming = new ConfirmingQueue(queue);
      await this.#pool.start(this.#confirming ?? queue);
      this.#state = 'running';
      await this.inputs.start(queue);
    } catch (error) {
      await this.#close();
      this.#end('terminated');
      throw error;
    }
    this.#armFlush();
    this.#runtime.log.info('pipeline started', {
      workers: this.workerCountMax,
      queue: this.source.settings.queueType,
      carriedOver: this.#queue?.carriedOverCount ?? 0,
    });
    this.inputs
      .finished()
      ?.then(
        () => this.#shutDown('finished'),
        (error: unknown) => {
          // At the end of the pipeline what an input still has is refused: it may well end over that.
          if (this.#stopping === null) throw error;
        },
      )
      .catch((error: unknown) => this.#giveUp(error));
  }

  #confirmed(): Promise<void> {
    assert(this.#confirming !== null, `pipeline ${this.source.id} is asked for what its outputs have before it runs`);
    return this.#confirming.confirmed();
  }

  /**
   * Takes no more; what was taken goes through, except what a persisted queue keeps for the next time.
   *
   * @param handsOver another pipeline follows: what is stuck is left to it, in the queue on disk or as `leftovers`
   */
  async stop({ handsOver = false }: { readonly handsOver?: boolean } = {}): Promise<void> {
    if (this.#state === 'loading') await this.discard();
    if (this.#state !== 'running') return;
    this.#handsOver ||= handsOver;
    this.#isStopAsked = true;
    this.#askStop();
    await this.#shutDown('terminated');
  }

  ledger(): Ledger {
    const sizes = this.#queue?.sizes();
    return this.stats.ledger({
      accepted: sizes?.acceptedCount ?? 0,
      lostInQueue: sizes?.lostUnreadCount ?? 0,
      carriedOver: this.#queue?.carriedOverCount ?? 0,
      inFlight: (sizes?.unreadCount ?? 0) + this.#pool.eventCount + this.#takenBackCount,
    });
  }

  /** Writes an event into the dead letter queue, unless it came out of one: it would circulate for ever. */
  async #writeDeadLetter({ event, pluginType, pluginId, reason }: Parameters<WriteDeadLetter>[0]): Promise<boolean> {
    if (this.#deadLetters === null || event.metadata.has('dead_letter_queue')) return false;
    const entryTimeMs = this.#runtime.clock.wallMs();
    return this.#deadLetters.write({ entryTimeMs, pluginType, pluginId, reason, event });
  }

  #shutDown(state: PipelineEnd['state']): Promise<void> {
    this.#stopping ??= this.#shutDownOnce(state);
    return this.#stopping;
  }

  async #shutDownOnce(state: PipelineEnd['state']): Promise<void> {
    const { settings } = this.source;
    const cancelReport = reportStalls(this.#runtime, () => ({
      inFlight: this.ledger().inFlight,
      busyPlugins: this.busyPlugins(),
      stuckInputs: this.inputs.stuckInputs(),
      stuckAre: fateOfStuck(settings, this.#endOf(state)),
    }));
    const patience = new Patience({
      runtime: this.#runtime,
      progress: () => this.#pool.progress,
      mayLeave: () => fateOfStuck(settings, this.#endOf(state)) !== 'awaited',
    });
    try {
      await this.#stopInputs(patience);
      this.#queue?.refusePushes();
      if (await this.#untilDone(state, patience)) await patience.waitFor(this.#pool.flush(true));
      else await this.#leave();
      await this.#close(patience);
    } finally {
      cancelReport();
      this.#end(state);
    }
  }

  #endOf(state: PipelineEnd['state']): PipelineEnd {
    return { state, isStopAsked: this.#isStopAsked, handsOver: this.#handsOver };
  }

  /** An input may wait for room in a queue that nobody empties any more. */
  async #stopInputs(patience: Patience): Promise<void> {
    if (this.#confirming !== null) this.#pool.skipBatchDelay();
    const stopped = this.inputs.stop();
    if (await patience.waitFor(stopped)) return;
    // Sources keep what is not confirmed.
    this.#confirming?.giveUpConfirming();
    if (this.#queue instanceof MemoryQueue && this.#handsOver) this.#queue.lift();
    else this.#queue?.refusePushes();
    if (await patience.waitFor(stopped)) return;
    this.#runtime.log.warn('inputs that do not stop are left', { inputs: this.inputs.stuckInputs() });
  }

  /** Works on what was taken. false when it is stuck and may be left. */
  async #untilDone(state: PipelineEnd['state'], patience: Patience): Promise<boolean> {
    const { settings } = this.source;
    if (emptiesQueue(settings, this.#endOf(state))) {
      this.#pool.skipBatchDelay();
      const isEmpty = this.#pool.untilIdle({ isQueueEmpty: true });
      // A queue on disk need not be emptied any more when the end is asked for meanwhile.
      if (!(await patience.waitFor(Promise.race([isEmpty, this.#stopAsked])))) return false;
      if (emptiesQueue(settings, this.#endOf(state))) return patience.waitFor(isEmpty);
    }
    this.#pool.stopTaking();
    return patience.waitFor(this.#pool.untilIdle({ isQueueEmpty: false }));
  }

  /** Ends the workers over what they have not finished, and says where it is now. */
  async #leave(): Promise<void> {
    const { log } = this.#runtime;
    const busyPlugins = this.busyPlugins();
    const batches = await this.#pool.terminateUnfinished();
    const queue = this.#queue;
    if (!(queue instanceof MemoryQueue)) {
      log.warn('stuck batches are left in the queue for the next start', {
        busyPlugins,
        events: this.#pool.eventCount,
      });
      return;
    }
    const unread = queue.takeAll();
    this.#takenBackCount = unread.reduce((sum, { count }) => sum + count, 0);
    const events = this.#takenBackCount + this.#pool.eventCount;
    if (this.#handsOver) {
      this.#leftovers = [...batches.flatMap(({ chunks }) => chunks), ...unread];
      log.warn('events that were stuck go on in the next pipeline', { busyPlugins, events });
    } else log.error('events are lost: the shutdown is unsafe (pipeline.unsafe_shutdown)', { busyPlugins, events });
  }

  async #close(patience: Patience | null = null): Promise<void> {
    this.#flushTimer?.();
    if (this.#state === 'running') await this.#pool.stop();
    else await this.#pool.terminate();
    const outputs = this.#singleInstances?.stop();
    if (patience === null) await outputs;
    else if (outputs !== undefined && !(await patience.waitFor(outputs)))
      this.#runtime.log.warn('outputs that do not stop are left');
    this.#confirming?.giveUpConfirming();
    await this.inputs.release();
    await this.#queue?.close();
    await this.#deadLetters?.close();
    this.#checkBalance();
  }

  #end(state: PipelineEnd['state']): void {
    this.#state = state;
    this.#runtime.log.info('pipeline ended', { state, ledger: this.ledger() });
    this.#resolveEnded();
  }

  /** Nothing can be worked on any more: what a persisted queue has stays for the next start. */
  #giveUp(error: unknown): void {
    if (this.#stopping !== null && this.#state !== 'running') return;
    this.#runtime.log.error('pipeline given up', { error: messageOf(error) });
    this.#stopping = this.#tearDown();
    this.#stopping.catch((failure: unknown) => {
      this.#runtime.log.error('pipeline not closed cleanly', { error: String(failure) });
    });
  }

  async #tearDown(): Promise<void> {
    this.#flushTimer?.();
    // Told first: a push that is refused below is no failure of an input.
    const inputsStopped = this.inputs.stop();
    this.#confirming?.giveUpConfirming();
    this.#queue?.refusePushes();
    await this.#pool.terminate();
    try {
      await inputsStopped;
      await this.#singleInstances?.stop();
      await this.#queue?.close();
      await this.#deadLetters?.close();
    } finally {
      this.#end('terminated');
    }
  }

  #armFlush(): void {
    this.#flushTimer = this.#runtime.sched.after(FLUSH_INTERVAL_MS, () => {
      this.#checkBalance();
      this.#pool
        .flush(false)
        .catch((error: unknown) => this.#runtime.log.warn('periodic flush failed', { error: String(error) }))
        .finally(() => {
          if (this.#state === 'running' && this.#stopping === null) this.#armFlush();
        });
    });
  }

  #checkBalance(): void {
    const ledger = this.ledger();
    if (!ledger.isBalanced && this.#wasBalanced) {
      this.#runtime.log.warn('the event ledger does not balance', { ledger });
    }
    this.#wasBalanced = ledger.isBalanced;
  }

  /** Name, id and position of the plugin that each busy worker is in. */
  busyPlugins(): readonly string[] {
    return this.#pool.workers.flatMap((worker) => {
      return worker.currentPlugin < 0 ? [] : [this.#pluginName(worker.currentPlugin)];
    });
  }

  #pluginName(index: number): string {
    const plan = this.stats.worker(index)?.plan;
    return plan === undefined ? WORKER_ID : `${plan.name} ${plan.id} at ${positionText(plan.position)}`;
  }
}
