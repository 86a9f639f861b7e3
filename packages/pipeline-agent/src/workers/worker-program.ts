/**
 * Filters and outputs of a pipeline in one worker, and the way of a batch through them.
 */

import {
  flatPlugins,
  type PipelinePlan,
  type PlannedFilter,
  type PlannedOutput,
  type PlannedPlugin,
  positionText,
} from '@shoal/agent-config';
import type { LogEvent } from '@shoal/agent-event';
import {
  type DeadLetterSink,
  type Filter,
  type Output,
  type PluginContext,
  type PluginMetrics,
  SharedInstances,
} from '@shoal/agent-plugin-kit';
import { assert, messageOf } from '@shoal/core';
import type { Runtime } from '@shoal/runtime';
import { boundOptions } from '../instances/bound-options.ts';
import { createPlugin, startPlugin } from '../instances/create-plugin.ts';
import { isSingleInstance } from '../instances/output-concurrency.ts';
import { contextOf } from '../instances/plugin-context.ts';
import type { SeatCells } from '../messages/seat-cells.ts';
import type { DeliveryResult } from '../messages/worker-messages.ts';
import type { PipelineSource } from '../sources/pipeline-source.ts';
import type { BatchOutcome } from '../stages/batch-outcome.ts';
import { failureTags } from '../stages/failure-tags.ts';
import {
  canFlush,
  type FilterFailure,
  type FilterStep,
  flushFilters,
  type RunningFilter,
  runFilters,
  type StageListener,
} from '../stages/filter-stage.ts';
import { type OutputStep, type RunningOutput, runOutputs } from '../stages/output-stage.ts';
import { runningSteps } from '../stages/running-steps.ts';
import { PluginCounters } from '../statistics/plugin-counters.ts';
import type { PluginTimeline } from './plugin-timeline.ts';

/** What leaves the worker besides reports. */
export interface Deliveries {
  deadLetter(deadLetter: {
    readonly event: LogEvent;
    readonly pluginType: string;
    readonly pluginId: string;
    readonly reason: string;
  }): Promise<boolean>;
  forward(address: string, events: readonly LogEvent[], ensureDelivery: boolean): Promise<boolean>;
  /** To an output of which all workers share one instance. */
  deliver(plugin: number, events: readonly LogEvent[]): Promise<DeliveryResult>;
}

export interface WorkerProgramOptions {
  readonly runtime: Runtime;
  readonly source: PipelineSource;
  readonly plan: PipelinePlan;
  readonly cells: SeatCells;
  readonly timeline: PluginTimeline;
  /** Number of its first plugin in the timeline. */
  readonly firstPlugin: number;
  /** No other worker runs beside this one. */
  readonly isAlone: boolean;
  readonly deliveries: Deliveries;
}

/** Lines of one plugin's failures that are logged in full; more are counted only. */
const LOGGED_FAILURES_MAX = 20;

const NO_PLUGIN = -1;

/** Events of one message that go to outputs together, where one joins batches: with more, an event costs hardly less. */
const JOINED_EVENTS_MAX = 1000;
/** Longest time that events which have left the filters wait for those of the next batch. */
const JOINED_WAIT_MAX_MS = 20;

export class WorkerProgram {
  readonly counters: PluginCounters;
  readonly canFlush: boolean;
  /** Another worker made of the same configuration would go on with the same answers. */
  readonly canMove: boolean;
  readonly #options: WorkerProgramOptions;
  readonly #filters: readonly FilterStep[];
  readonly #outputs: readonly OutputStep[];
  readonly #runningFilters: RunningFilter[] = [];
  readonly #runningOutputs: RunningOutput[] = [];
  /** An output takes the events of several batches in one call. */
  readonly #joinsBatches: boolean;
  readonly #allJoinBatches: boolean;
  /** An output runs here of which no second one may be open. */
  #hasSingleInstance = false;
  readonly #failureCounts = new Map<string, number>();
  /** Metrics of each plugin by its index among filters and outputs. */
  readonly #metrics = new Map<number, PluginMetrics>();
  readonly #commons = new SharedInstances();
  /** Outcome of the batch that is worked on; null between batches. */
  #outcome: BatchOutcome | null = null;

  constructor(options: WorkerProgramOptions) {
    this.#options = options;
    const { plan } = options;
    this.counters = new PluginCounters(flatPlugins(plan.filters).length + flatPlugins(plan.outputs).length);
    this.#filters = runningSteps(plan.filters, (filter) => this.#makeFilter(filter));
    this.#outputs = runningSteps(plan.outputs, (output) => this.#makeOutput(output));
    const joins = this.#runningOutputs.map(({ plan: { definition } }) => definition.joinsBatches === true);
    this.#joinsBatches = joins.includes(true);
    this.#allJoinBatches = !joins.includes(false);
    this.canFlush = canFlush(this.#filters);
    const isStateless = this.#runningFilters.every(({ plan: { definition } }) => definition.isStateless === true);
    this.canMove = isStateless && !this.#hasSingleInstance;
  }

  async start(): Promise<void> {
    const { source } = this.#options;
    for (const { plan, filter } of this.#runningFilters)
      await startPlugin(source, plan, { start: () => filter.start?.() });
    for (const { plan, output } of this.#runningOutputs)
      await startPlugin(source, plan, { start: () => output.start?.() });
  }

  async stop(): Promise<void> {
    for (const { filter } of this.#runningFilters) await filter.stop?.();
    for (const { output } of this.#runningOutputs) await output.stop?.();
  }

  /** @param batches those of one message, each made when it is asked for */
  async work(batches: Iterable<readonly LogEvent[]>, outcome: BatchOutcome): Promise<void> {
    const { clock } = this.#options.runtime;
    const listener = this.#listener(outcome, 'filters');
    let waiting: (readonly LogEvent[])[] = [];
    let waitingCount = 0;
    let waitingSinceMs = 0;
    for (const batch of batches) {
      this.#outcome = outcome;
      const filtered = await runFilters(this.#filters, batch, listener);
      if (waiting.length === 0 && this.#joinsBatches) waitingSinceMs = clock.monotonicMs();
      waiting.push(filtered);
      waitingCount += filtered.length;
      const waits =
        this.#joinsBatches &&
        waitingCount < JOINED_EVENTS_MAX &&
        clock.monotonicMs() - waitingSinceMs < JOINED_WAIT_MAX_MS;
      if (waits) continue;
      await this.#deliver(waiting, outcome);
      waiting = [];
      waitingCount = 0;
    }
    await this.#deliver(waiting, outcome);
  }

  async flush(isFinal: boolean, outcome: BatchOutcome): Promise<void> {
    this.#outcome = outcome;
    const listener = this.#listener(outcome, 'filters');
    await this.#deliver([await flushFilters(this.#filters, isFinal, listener)], outcome);
  }

  async #deliver(filtered: readonly (readonly LogEvent[])[], outcome: BatchOutcome): Promise<void> {
    const batches = filtered.map(present).filter(({ length }) => length > 0);
    for (const events of batches) outcome.filtered += events.length;
    const { clock } = this.#options.runtime;
    const startMs = clock.monotonicMs();
    if (batches.length > 0) await runOutputs(this.#outputs, batches, this.#listener(outcome, 'outputs'));
    if (this.#allJoinBatches) outcome.joinedMs += clock.monotonicMs() - startMs;
    for (const events of batches) outcome.settleOutputs(events);
    this.#outcome = null;
    this.#enter(NO_PLUGIN);
  }

  #enter(index: number): void {
    const { cells, runtime, timeline, firstPlugin } = this.#options;
    cells.enter(index);
    if (timeline.isOpen) timeline.entered(runtime.clock.monotonicMs(), index < 0 ? index : firstPlugin + index);
  }

  #listener(outcome: BatchOutcome, stage: 'filters' | 'outputs'): StageListener {
    const { runtime } = this.#options;
    return {
      nowMs: () => runtime.clock.monotonicMs(),
      entering: (index) => this.#enter(index),
      counted: (index, counts) => this.counters.add(index, counts),
      created: (count) => {
        outcome.created += count;
      },
      dropped: (pluginId) => outcome.drop(pluginId),
      wantsOriginals: this.#options.source.settings.hasDeadLetters,
      filterFailed: (failure) => this.#filterFailed(failure, outcome),
      failed: async (event, { pluginType, pluginId, error }) => {
        const reason = messageOf(error);
        this.#logFailure(pluginType, pluginId, error);
        // An output may have dead-lettered some events before it threw over all of them.
        if (outcome.isGivenUp(event)) return;
        const isKept = await this.#writeDeadLetter(event, { pluginType, pluginId, reason });
        event.cancel();
        if (stage === 'outputs' && isKept) outcome.markDeadLetter(event);
        else if (stage === 'outputs') outcome.markLost(event, pluginId);
        else if (isKept) outcome.deadLettered++;
        else outcome.drop(pluginId);
      },
    };
  }

  /** An event is never lost over a filter that throws: the dead letter queue has it as it came, or it goes on with a tag. */
  async #filterFailed({ running, event, original, error }: FilterFailure, outcome: BatchOutcome): Promise<void> {
    const { plan, index } = running;
    this.#logFailure(plan.name, plan.id, error);
    this.#metrics.get(index)?.increment('exceptions');
    // It came from the filter as cancelled: nobody wants it any more.
    if (event.isCancelled) {
      outcome.drop(plan.id);
      return;
    }
    const origin = { pluginType: plan.name, pluginId: plan.id, reason: messageOf(error) };
    if (original !== null && (await this.#writeDeadLetter(original, origin))) {
      event.cancel();
      outcome.deadLettered++;
      return;
    }
    for (const tag of failureTags(plan)) event.tag(tag);
  }

  /** Sends an event to the dead letter queue, unless it came out of one: it would circulate for ever. */
  async #writeDeadLetter(
    event: LogEvent,
    origin: { readonly pluginType: string; readonly pluginId: string; readonly reason: string },
  ): Promise<boolean> {
    if (!this.#options.source.settings.hasDeadLetters || event.metadata.has('dead_letter_queue')) return false;
    return this.#options.deliveries.deadLetter({ event, ...origin });
  }

  #logFailure(pluginType: string, pluginId: string, error: unknown): void {
    const count = (this.#failureCounts.get(pluginId) ?? 0) + 1;
    this.#failureCounts.set(pluginId, count);
    if (count > LOGGED_FAILURES_MAX) return;
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#options.runtime.log.error('a plugin failed on an event', {
      pipeline: this.#options.source.id,
      plugin: pluginType,
      id: pluginId,
      error: text,
      ...(count === LOGGED_FAILURES_MAX ? { note: 'further failures of this plugin are only counted' } : {}),
    });
  }

  #makeFilter(plan: PlannedFilter): RunningFilter {
    const index = this.#runningFilters.length;
    const context = this.#context(plan, index);
    const make = (): Filter => plan.definition.create(boundOptions(plan, context), context);
    const running = { plan, filter: createPlugin(this.#options.source, plan, make), index };
    this.#runningFilters.push(running);
    return running;
  }

  #makeOutput(plan: PlannedOutput): RunningOutput {
    const index = this.#runningFilters.length + this.#runningOutputs.length;
    const context = this.#context(plan, index);
    const options = boundOptions(plan, context, {
      nowMs: () => this.#options.runtime.clock.monotonicMs(),
      // Outputs read nothing.
      decoded: () => {},
      encoded: (count, ms) => this.counters.encoded(index, count, ms),
    });
    const make = (): Output => createPlugin(this.#options.source, plan, () => plan.definition.create(options, context));
    const isSingle = isSingleInstance(plan, options);
    const isElsewhere = !this.#options.isAlone && isSingle;
    this.#hasSingleInstance ||= isSingle && !isElsewhere;
    const output = isElsewhere ? this.#sharedOutput(index) : make();
    const running = { plan, output, index };
    this.#runningOutputs.push(running);
    return running;
  }

  /** Stands for an instance in the main thread; what happens to its events there is booked here. */
  #sharedOutput(index: number): Output {
    return {
      receive: async (events) => {
        const outcome = this.#outcome;
        assert(outcome !== null, `output ${index} gets events outside a batch`);
        const { error, deadLettered, lost } = await this.#options.deliveries.deliver(index, events);
        const id = this.#runningOutputs.find((running) => running.index === index)?.plan.id ?? String(index);
        for (const i of deadLettered) outcome.markDeadLetter(eventAt(events, i));
        for (const i of lost) outcome.markLost(eventAt(events, i), id);
        if (error !== null) throw new Error(error);
      },
    };
  }

  #context(plan: PlannedPlugin, index: number): PluginContext {
    const { runtime, source, deliveries } = this.#options;
    const metrics = this.counters.metricsOf(index);
    this.#metrics.set(index, metrics);
    return contextOf({
      runtime,
      source,
      plan,
      metrics,
      deadLetters: source.settings.hasDeadLetters ? this.#deadLetterSink(plan) : null,
      commons: this.#commons,
      bus: {
        send: async (address, events, ensureDelivery) => {
          await deliveries.forward(address, events, ensureDelivery);
        },
        listen: () => {
          throw new Error(`${positionText(plan.position)}: a filter or output cannot listen on the pipeline bus`);
        },
      },
    });
  }

  #deadLetterSink(plan: PlannedPlugin): DeadLetterSink {
    return {
      write: async (event, reason) => {
        const outcome = this.#outcome;
        assert(outcome !== null, `${plan.name} gives up an event outside a batch`);
        const isKept = await this.#writeDeadLetter(event, { pluginType: plan.name, pluginId: plan.id, reason });
        if (isKept) outcome.markDeadLetter(event);
        else outcome.markLost(event, plan.id);
      },
    };
  }
}

function present(events: readonly LogEvent[]): readonly LogEvent[] {
  return events.some((event) => event.isCancelled) ? events.filter((event) => !event.isCancelled) : events;
}

function eventAt(events: readonly LogEvent[], i: number): LogEvent {
  const event = events[i];
  assert(event !== undefined, `no event ${i} among ${events.length}`);
  return event;
}
