/**
 * Runs the inputs of a pipeline in one thread: makes them, counts what they push, and stops them. One that fails is
 * started again (see `supervised-input`).
 */
import { type PlannedInput, positionText } from '@shoal/agent-config';
import { eventsOfLines, isPrototype, type LogEvent, stampEvent, Timestamp } from '@shoal/agent-event';
import { type Input, InputTurns, type PipelineBus, type PluginMetrics } from '@shoal/agent-plugin-kit';
import type { EventQueue } from '@shoal/agent-queue';
import { assert } from '@shoal/core';
import type { Runtime } from '@shoal/runtime';
import { boundOptions } from '../instances/bound-options.ts';
import { createPlugin, startPlugin } from '../instances/create-plugin.ts';
import { contextOf } from '../instances/plugin-context.ts';
import type { PipelineSource } from '../sources/pipeline-source.ts';
import type { PipelineStats, PluginStats } from '../statistics/pipeline-stats.ts';
import { SupervisedInput, type SupervisedSink } from './supervised-input.ts';

/** Events that are stamped and pushed in one go: a few milliseconds. */
const PART_EVENTS = 2_000;

/** What an input pushes into: the queue, or the way to it from another thread. */
export type InputQueue = Pick<EventQueue, 'push' | 'pushLines'>;

export interface CountedInput {
  readonly plan: PlannedInput;
  readonly stats: PluginStats;
}

export interface InputHostOptions {
  readonly runtime: Runtime;
  readonly source: PipelineSource;
  readonly inputs: readonly CountedInput[];
  /** Time of all pushes together. */
  readonly total: Pick<PipelineStats, 'queuePushMs'>;
  readonly bus: PipelineBus;
  /** Resolves when the outputs are done with all that was pushed; null where inputs need not know. */
  readonly confirmed: (() => Promise<void>) | null;
}

interface Running {
  readonly plan: PlannedInput;
  readonly input: SupervisedInput;
  readonly stats: PluginStats;
  readonly turns: InputTurns;
  isStopping: boolean;
  /** Pushes that wait for room in the queue. */
  waiting: number;
  /** null before the start. */
  queue: InputQueue | null;
}

/** An input that does not run as it should. */
export interface InputTrouble {
  readonly name: string;
  readonly id: string;
  readonly reason: string;
  /** It does not run: it waits for its next start. */
  readonly isDown: boolean;
}

export class InputRunner {
  readonly #options: InputHostOptions;
  readonly #inputs: readonly Running[];

  /** Makes the inputs; nothing is opened yet. */
  constructor(options: InputHostOptions) {
    this.#options = options;
    this.#inputs = options.inputs.map(({ plan, stats }) => this.#supervised(plan, stats));
  }

  /** Starts them in their order. Those that run are stopped again when one cannot start. */
  async start(queue: InputQueue): Promise<void> {
    try {
      for (const running of this.#inputs) {
        const { plan, input } = running;
        running.queue = queue;
        await startPlugin(this.#options.source, plan, { start: () => input.start() });
      }
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Settles when all inputs have ended by themselves; null when one never does. */
  finished(): Promise<void> | null {
    const ends: Promise<void>[] = [];
    for (const { input } of this.#inputs) {
      if (input.finished === null) return null;
      ends.push(input.finished);
    }
    return Promise.all(ends).then(() => {});
  }

  async stop(): Promise<void> {
    await Promise.all(
      this.#inputs.map(async (running) => {
        running.isStopping = true;
        await running.input.stop();
        running.isStopping = false;
      }),
    );
  }

  /** Those that do not run as they should. */
  troubles(): readonly InputTrouble[] {
    return this.#inputs.flatMap(({ plan, input }) => {
      const reason = input.trouble;
      return reason === null ? [] : [{ name: plan.name, id: plan.id, reason, isDown: input.isDown }];
    });
  }

  /** How each of them is, in their order. */
  states(): readonly { readonly trouble: Pick<InputTrouble, 'reason' | 'isDown'> | null; readonly isHeld: boolean }[] {
    return this.#inputs.map((running) => {
      const { trouble: reason, isDown } = running.input;
      return { trouble: reason === null ? null : { reason, isDown }, isHeld: isHeld(running) };
    });
  }

  /** Name, id and position of inputs that have not stopped, for the report of a stall. */
  stuckInputs(): readonly string[] {
    return this.#inputs.filter(isHeld).map(({ plan }) => `${plan.name} ${plan.id} at ${positionText(plan.position)}`);
  }

  #supervised(plan: PlannedInput, stats: PluginStats): Running {
    const { runtime, source } = this.#options;
    const about = { pipeline: source.id, plugin: plan.name, id: plan.id, position: positionText(plan.position) };
    let restarts = 0;
    const input: SupervisedInput = new SupervisedInput({
      runtime,
      log: runtime.log.child(about),
      make: () => this.#make(plan, stats, () => running.turns),
      sink: this.#sinkOf(() => running),
      failed: ({ error }) => {
        stats.apply({ kind: 'gauge', plugin: 0, name: 'failures', value: ++restarts });
        stats.apply({ kind: 'gauge', plugin: 0, name: 'last_error', value: error });
      },
    });
    const turns = new InputTurns({ runtime, pipelineId: source.id });
    const running: Running = { plan, input, stats, turns, isStopping: false, waiting: 0, queue: null };
    return running;
  }

  #make(plan: PlannedInput, stats: PluginStats, turns: () => InputTurns): Input {
    const { runtime, source, bus } = this.#options;
    const metrics: PluginMetrics = {
      increment: (name, by = 1) => stats.apply({ kind: 'increment', plugin: 0, name, by }),
      gauge: (name, value) => stats.apply({ kind: 'gauge', plugin: 0, name, value }),
    };
    const context = contextOf({ runtime, source, plan, metrics, deadLetters: null, bus });
    const meter = {
      nowMs: () => runtime.clock.monotonicMs(),
      decoded: (count: number, ms: number) => {
        stats.codec.decoded(count, ms);
        turns().add(ms);
      },
      encoded: (count: number, ms: number) => stats.codec.encoded(count, ms),
    };
    return createPlugin(source, plan, () => plan.definition.create(boundOptions(plan, context, meter), context));
  }

  #sinkOf(self: () => Running): SupervisedSink {
    const { runtime, confirmed } = this.#options;
    const pushPart = async (events: readonly LogEvent[]): Promise<void> => {
      const running = self();
      await this.#count(running, (queue) =>
        running.turns.timed(async () => {
          const now = new Timestamp(runtime.clock.wallMs());
          for (const event of events) {
            stampEvent(event, now);
            running.plan.decorate(event);
          }
          await queue.push(events);
          return events.length;
        }),
      );
    };
    const push = async (events: readonly LogEvent[]): Promise<void> => {
      if (events.length === 0) return;
      if (events.length <= PART_EVENTS) return pushPart(events);
      for (let at = 0; at < events.length; at += PART_EVENTS) await pushPart(events.slice(at, at + PART_EVENTS));
    };
    return {
      push,
      ...(confirmed === null ? {} : { confirmed }),
      pushLines: async ({ bytes, prototype }) => {
        const running = self();
        const { plan, stats } = running;
        const plain = prototype.clone();
        stampEvent(prototype, new Timestamp(runtime.clock.wallMs()));
        plan.decorate(prototype);
        if (!plan.isDecorationConstant || !isPrototype(prototype, plain)) {
          const events = eventsOfLines({ bytes, prototype: plain });
          stats.codec.decoded(events.length, 0);
          await push(events);
          return;
        }
        await this.#count(running, async (queue) => {
          const count = await running.turns.timed(() => queue.pushLines({ bytes, prototype }));
          stats.codec.decoded(count, 0);
          return count;
        });
      },
    };
  }

  async #count(running: Running, push: (queue: InputQueue) => Promise<number>): Promise<void> {
    const { runtime, total } = this.#options;
    const { stats, queue } = running;
    assert(queue !== null, `input ${running.plan.id} pushes before it is started`);
    const startMs = runtime.clock.monotonicMs();
    running.waiting++;
    let count = 0;
    try {
      count = await push(queue);
    } finally {
      running.waiting--;
    }
    const pushMs = runtime.clock.monotonicMs() - startMs;
    stats.in += count;
    stats.out += count;
    stats.queuePushMs += pushMs;
    total.queuePushMs += pushMs;
    // Not part of the push: a thread with much to do is no full queue.
    if (running.turns.isDue) await running.turns.next();
  }
}

/** It waits for room in the queue, or stops. */
function isHeld({ waiting, isStopping }: Running): boolean {
  return waiting > 0 || isStopping;
}
