/**
 * The outputs of which a pipeline with several workers has one instance: they run in the main thread, and workers send
 * them their events.
 *
 * One call of `receive` at a time for each of them: what opens a port or a file is never there twice, and its lines
 * never mix. The worker's batch is unfinished until the answer comes, so nothing here owns an event.
 */

import type { PlannedOutput } from '@shoal/agent-config';
import { type LogEvent, readEvents } from '@shoal/agent-event';
import type { DeadLetterSink, Output, PluginMetrics } from '@shoal/agent-plugin-kit';
import { messageOf } from '@shoal/core';
import type { Runtime } from '@shoal/runtime';
import { boundOptions } from '../instances/bound-options.ts';
import { createPlugin, startPlugin } from '../instances/create-plugin.ts';
import { isSingleInstance } from '../instances/output-concurrency.ts';
import { contextOf } from '../instances/plugin-context.ts';
import type { DeliveryResult } from '../messages/worker-messages.ts';
import type { PipelineSource } from '../sources/pipeline-source.ts';
import type { PipelineStats } from '../statistics/pipeline-stats.ts';
import type { ProcessBus } from './pipeline-bus.ts';

/** Resolves with whether the dead letter queue has the event. */
export type WriteDeadLetter = (writeDeadLetter: {
  readonly event: LogEvent;
  readonly pluginType: string;
  readonly pluginId: string;
  readonly reason: string;
}) => Promise<boolean>;

export interface SingleInstanceOutputsOptions {
  readonly runtime: Runtime;
  readonly source: PipelineSource;
  readonly outputs: readonly PlannedOutput[];
  readonly stats: PipelineStats;
  readonly bus: ProcessBus;
  readonly writeDeadLetter: WriteDeadLetter;
}

interface Call {
  readonly events: readonly LogEvent[];
  readonly deadLettered: number[];
  readonly lost: number[];
}

interface OutputInstance {
  readonly plan: PlannedOutput;
  readonly output: Output;
  call: Call | null;
  /** Settles with the call that came last: calls run one at a time. */
  tail: Promise<unknown>;
}

export class SingleInstanceOutputs {
  readonly #options: SingleInstanceOutputsOptions;
  /** Instances by their index among all filters and outputs. */
  readonly #instances = new Map<number, OutputInstance>();

  /** Makes them; nothing is opened yet. */
  constructor(options: SingleInstanceOutputsOptions) {
    this.#options = options;
    const filterCount = options.stats.filters.length;
    for (const [i, plan] of options.outputs.entries()) {
      const instance = this.#make(plan, filterCount + i);
      if (instance !== null) this.#instances.set(filterCount + i, instance);
    }
  }

  async start(): Promise<void> {
    const { source } = this.#options;
    for (const { plan, output } of this.#instances.values())
      await startPlugin(source, plan, { start: () => output.start?.() });
  }

  async stop(): Promise<void> {
    for (const { output } of this.#instances.values()) await output.stop?.();
  }

  /** Never rejects: what an output throws is in the answer. */
  receive(index: number, bytes: Uint8Array): Promise<DeliveryResult> {
    const instance = this.#instances.get(index);
    if (instance === undefined)
      return Promise.resolve({ error: `no output runs at ${index}`, deadLettered: [], lost: [] });
    const result = instance.tail.then(() => deliver(instance, readEvents(bytes)));
    instance.tail = result;
    return result;
  }

  #make(plan: PlannedOutput, index: number): OutputInstance | null {
    const { runtime, source, stats, bus } = this.#options;
    const metrics: PluginMetrics = {
      increment: (name, by = 1) => stats.worker(index)?.apply({ kind: 'increment', plugin: index, name, by }),
      gauge: (name, value) => stats.worker(index)?.apply({ kind: 'gauge', plugin: index, name, value }),
    };
    const sink = source.settings.hasDeadLetters ? this.#sinkOf(plan, index) : null;
    const context = contextOf({ runtime, source, plan, metrics, deadLetters: sink, bus });
    const codec = stats.worker(index)?.codec ?? null;
    const meter = codec && {
      nowMs: () => runtime.clock.monotonicMs(),
      decoded: (count: number, ms: number) => codec.decoded(count, ms),
      encoded: (count: number, ms: number) => codec.encoded(count, ms),
    };
    const options = boundOptions(plan, context, meter);
    if (!isSingleInstance(plan, options)) return null;
    const output = createPlugin(source, plan, () => plan.definition.create(options, context));
    return { plan, output, call: null, tail: Promise.resolve() };
  }

  #sinkOf(plan: PlannedOutput, index: number): DeadLetterSink {
    return {
      write: async (event, reason) => {
        const call = this.#instances.get(index)?.call ?? null;
        const at = call?.events.indexOf(event) ?? -1;
        if (call === null || at < 0) throw new Error(`${plan.name} gives up an event that it was not given`);
        const isKept = await this.#options.writeDeadLetter({ event, pluginType: plan.name, pluginId: plan.id, reason });
        (isKept ? call.deadLettered : call.lost).push(at);
      },
    };
  }
}

async function deliver(instance: OutputInstance, events: readonly LogEvent[]): Promise<DeliveryResult> {
  const call: Call = { events, deadLettered: [], lost: [] };
  instance.call = call;
  try {
    await instance.output.receive(events);
    return { error: null, deadLettered: call.deadLettered, lost: call.lost };
  } catch (error) {
    const text = messageOf(error);
    return { error: text, deadLettered: call.deadLettered, lost: call.lost };
  } finally {
    instance.call = null;
  }
}
