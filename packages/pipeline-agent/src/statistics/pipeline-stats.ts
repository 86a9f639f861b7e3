/**
 * What a pipeline has counted since it was made, and the ledger over it: every event is somewhere.
 */
import type { PlannedPlugin } from '@shoal/agent-config';
import { type BatchReport, COUNTS_OF_PLUGIN, type GaugeValue, type MetricChange } from '../messages/worker-messages.ts';

/** Stands for a plugin where damage of the queue has cost events. */
const QUEUE_ID = 'queue';

/** What the codec of an input or output did. */
class CodecStats {
  /** Pieces of streams, and the events they gave. */
  decodeCount = 0;
  decodedCount = 0;
  decodeMs = 0;
  encodedCount = 0;
  encodeMs = 0;

  decoded(eventCount: number, durationMs: number): void {
    this.decodeCount++;
    this.decodedCount += eventCount;
    this.decodeMs += durationMs;
  }

  encoded(eventCount: number, durationMs: number): void {
    this.encodedCount += eventCount;
    this.encodeMs += durationMs;
  }
}

export class PluginStats {
  readonly plan: PlannedPlugin;
  in = 0;
  out = 0;
  durationMs = 0;
  queuePushMs = 0;
  readonly codec: CodecStats = new CodecStats();
  readonly metrics: Map<string, GaugeValue> = new Map();

  constructor(plan: PlannedPlugin) {
    this.plan = plan;
  }

  apply(change: MetricChange): void {
    if (change.kind === 'gauge') this.metrics.set(change.name, change.value);
    else {
      const before = this.metrics.get(change.name);
      this.metrics.set(change.name, (typeof before === 'number' ? before : 0) + change.by);
    }
  }
}

export interface Ledger {
  readonly in: number;
  readonly created: number;
  readonly carriedOver: number;
  readonly out: number;
  /** Dropped events by id of the plugin. */
  readonly dropped: Readonly<Record<string, number>>;
  readonly deadLettered: number;
  /** In the queue or with a worker, as counted there. */
  readonly inFlight: number;
  readonly isBalanced: boolean;
}

export class PipelineStats {
  readonly inputs: readonly PluginStats[];
  readonly filters: readonly PluginStats[];
  readonly outputs: readonly PluginStats[];
  in = 0;
  filtered = 0;
  out = 0;
  created = 0;
  deadLettered = 0;
  durationMs = 0;
  queuePushMs = 0;
  readonly dropped: Map<string, number> = new Map();

  constructor(plans: {
    readonly inputs: readonly PlannedPlugin[];
    readonly filters: readonly PlannedPlugin[];
    readonly outputs: readonly PlannedPlugin[];
  }) {
    this.inputs = plans.inputs.map((plan) => new PluginStats(plan));
    this.filters = plans.filters.map((plan) => new PluginStats(plan));
    this.outputs = plans.outputs.map((plan) => new PluginStats(plan));
  }

  /** Filters and outputs under the index that reports have. */
  worker(index: number): PluginStats | undefined {
    return this.filters[index] ?? this.outputs[index - this.filters.length];
  }

  apply(report: BatchReport): void {
    this.filtered += report.filtered;
    this.out += report.out;
    this.created += report.created;
    this.deadLettered += report.deadLettered;
    this.durationMs += report.durationMs;
    for (const [id, count] of report.dropped) this.drop(id, count);
    for (let index = 0; index * COUNTS_OF_PLUGIN < report.counts.length; index++) {
      const plugin = this.worker(index);
      if (plugin === undefined) continue;
      plugin.in += report.counts[index * COUNTS_OF_PLUGIN] ?? 0;
      plugin.out += report.counts[index * COUNTS_OF_PLUGIN + 1] ?? 0;
      plugin.durationMs += report.counts[index * COUNTS_OF_PLUGIN + 2] ?? 0;
      const encodedCount = report.counts[index * COUNTS_OF_PLUGIN + 3] ?? 0;
      plugin.codec.encoded(encodedCount, report.counts[index * COUNTS_OF_PLUGIN + 4] ?? 0);
    }
    for (const change of report.metrics) this.worker(change.plugin)?.apply(change);
  }

  drop(pluginId: string, count: number): void {
    this.dropped.set(pluginId, (this.dropped.get(pluginId) ?? 0) + count);
  }

  ledger(counted: {
    readonly accepted: number;
    readonly carriedOver: number;
    readonly inFlight: number;
    /** Events that the queue had and can no longer read. */
    readonly lostInQueue: number;
  }): Ledger {
    const all = new Map(this.dropped);
    if (counted.lostInQueue > 0) all.set(QUEUE_ID, counted.lostInQueue);
    let dropped = 0;
    for (const count of all.values()) dropped += count;
    const came = counted.accepted + this.created + counted.carriedOver;
    const went = this.out + dropped + this.deadLettered + counted.inFlight;
    return {
      in: counted.accepted,
      created: this.created,
      carriedOver: counted.carriedOver,
      out: this.out,
      dropped: Object.fromEntries([...all].sort(([a], [b]) => (a < b ? -1 : 1))),
      deadLettered: this.deadLettered,
      inFlight: counted.inFlight,
      isBalanced: came === went,
    };
  }
}
