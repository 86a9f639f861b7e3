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
import type { Runtime } from '@shoal/runtime';
import { boundOptions } from '../instances/bound-options.ts';
import { madeAt, startedAt } from '../instances/create-plugin.ts';
import { isSingleInstance } from '../instances/output-concurrency.ts';
import { contextOf } from '../instances/plugin-context.ts';
import type { OutputFate } from '../messages/worker-messages.ts';
import type { PipelineSource } from '../sources/pipeline-source.ts';
import type { PipelineStats } from '../statistics/pipeline-stats.ts';
import type { ProcessBus } from './pipeline-bus.ts';

/** Resolves with whether the dead letter queue has the event. */
export type LetterWriter = (letter: {
  readonly event: LogEvent;
  readonly pluginType: string;
  readonly pluginId: string;
  readonly reason: string;
}) => Promise<boolean>;

export interface SingleOutputsOptions {
  readonly runtime: Runtime;
  readonly source: PipelineSource;
  readonly outputs: readonly PlannedOutput[];
  readonly stats: PipelineStats;
  readonly bus: ProcessBus;
  readonly letter: LetterWriter;
}

interface Call {
  readonly events: readonly LogEvent[];
  readonly letters: number[];
  readonly lost: number[];
}

interface Single {
  readonly plan: PlannedOutput;
  readonly output: Output;
  call: Call | null;
  /** Of the call that came last. */
  tail: Promise<unknown>;
}

export class SingleOutputs {
  readonly #options: SingleOutputsOptions;
  /** By their place among all filters and outputs. */
  readonly #singles = new Map<number, Single>();

  /** Makes them; nothing is opened yet. */
  constructor(options: SingleOutputsOptions) {
    this.#options = options;
    const filterCount = options.stats.filters.length;
    for (const [i, plan] of options.outputs.entries()) {
      const single = this.#make(plan, filterCount + i);
      if (single !== null) this.#singles.set(filterCount + i, single);
    }
  }

  async start(): Promise<void> {
    const { source } = this.#options;
    for (const { plan, output } of this.#singles.values())
      await startedAt(source, plan, { start: () => output.start?.() });
  }

  async stop(): Promise<void> {
    for (const { output } of this.#singles.values()) await output.stop?.();
  }

  /** Never rejects: what an output throws is in the answer. */
  receive(index: number, bytes: Uint8Array): Promise<OutputFate> {
    const single = this.#singles.get(index);
    if (single === undefined) return Promise.resolve({ error: `no output runs at ${index}`, letters: [], lost: [] });
    const fate = single.tail.then(() => deliver(single, readEvents(bytes)));
    single.tail = fate;
    return fate;
  }

  #make(plan: PlannedOutput, index: number): Single | null {
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
    const output = madeAt(source, plan, () => plan.definition.create(options, context));
    return { plan, output, call: null, tail: Promise.resolve() };
  }

  #sinkOf(plan: PlannedOutput, index: number): DeadLetterSink {
    return {
      write: async (event, reason) => {
        const call = this.#singles.get(index)?.call ?? null;
        const at = call?.events.indexOf(event) ?? -1;
        if (call === null || at < 0) throw new Error(`${plan.name} gives up an event that it was not given`);
        const isKept = await this.#options.letter({ event, pluginType: plan.name, pluginId: plan.id, reason });
        (isKept ? call.letters : call.lost).push(at);
      },
    };
  }
}

async function deliver(single: Single, events: readonly LogEvent[]): Promise<OutputFate> {
  const call: Call = { events, letters: [], lost: [] };
  single.call = call;
  try {
    await single.output.receive(events);
    return { error: null, letters: call.letters, lost: call.lost };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { error: text, letters: call.letters, lost: call.lost };
  } finally {
    single.call = null;
  }
}
