/**
 * What the plugins of one worker count, gathered until the next report to the main thread.
 */
import type { PluginMetrics } from '@shoal/agent-plugin-kit';
import { COUNTS_OF_PLUGIN, type MetricChange } from '../messages/worker-messages.ts';

interface Increment {
  readonly plugin: number;
  readonly name: string;
  by: number;
  isTold: boolean;
}

type GaugeValue = number | string | Readonly<Record<string, number>>;

export class PluginCounters {
  readonly #pluginCount: number;
  #counts: Float64Array;
  /** Counters by name, for each plugin: increments happen for every event. */
  readonly #increments: Map<string, Increment>[] = [];
  readonly #gauges = new Map<string, MetricChange>();

  constructor(pluginCount: number) {
    this.#pluginCount = pluginCount;
    this.#counts = new Float64Array(pluginCount * COUNTS_OF_PLUGIN);
  }

  add(plugin: number, counts: { readonly in: number; readonly out: number; readonly durationMs: number }): void {
    const at = plugin * COUNTS_OF_PLUGIN;
    this.#counts[at] = (this.#counts[at] ?? 0) + counts.in;
    this.#counts[at + 1] = (this.#counts[at + 1] ?? 0) + counts.out;
    this.#counts[at + 2] = (this.#counts[at + 2] ?? 0) + counts.durationMs;
  }

  encoded(plugin: number, eventCount: number, durationMs: number): void {
    const at = plugin * COUNTS_OF_PLUGIN;
    this.#counts[at + 3] = (this.#counts[at + 3] ?? 0) + eventCount;
    this.#counts[at + 4] = (this.#counts[at + 4] ?? 0) + durationMs;
  }

  metricsOf(plugin: number): PluginMetrics {
    const own = new Map<string, Increment>();
    this.#increments.push(own);
    return {
      increment: (name: string, by = 1) => {
        const found = own.get(name);
        if (found === undefined) own.set(name, { plugin, name, by, isTold: false });
        else found.by += by;
      },
      gauge: (name: string, value: GaugeValue) => {
        this.#gauges.set(`${plugin} ${name}`, { kind: 'gauge', plugin, name, value });
      },
    };
  }

  /** What was counted since the last call. */
  takeCounts(): Float64Array {
    const counts = this.#counts;
    this.#counts = new Float64Array(this.#pluginCount * COUNTS_OF_PLUGIN);
    return counts;
  }

  takeMetrics(): readonly MetricChange[] {
    const changes: MetricChange[] = [...this.#gauges.values()];
    for (const counter of this.#increments.flatMap((own) => [...own.values()])) {
      const { plugin, name, by } = counter;
      // Once also when nothing was counted: then it is known to be zero.
      if (by !== 0 || !counter.isTold) changes.push({ kind: 'increment', plugin, name, by });
      counter.isTold = true;
      counter.by = 0;
    }
    this.#gauges.clear();
    return changes;
  }
}
