/**
 * What the plugins of one worker count, gathered until the next report to the main thread.
 */
import type { PluginMetrics } from '../plugin/plugin-definition.ts';
import { COUNTS_OF_PLUGIN, type MetricChange } from './worker-messages.ts';

type GaugeValue = number | string | Readonly<Record<string, number>>;

export class PluginCounters {
  readonly #pluginCount: number;
  #counts: Float64Array;
  readonly #increments = new Map<string, { readonly plugin: number; readonly name: string; by: number }>();
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
    return {
      increment: (name: string, by = 1) => {
        const key = `${plugin} ${name}`;
        const found = this.#increments.get(key);
        if (found === undefined) this.#increments.set(key, { plugin, name, by });
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
    for (const { plugin, name, by } of this.#increments.values()) changes.push({ kind: 'increment', plugin, name, by });
    this.#gauges.clear();
    this.#increments.clear();
    return changes;
  }
}
