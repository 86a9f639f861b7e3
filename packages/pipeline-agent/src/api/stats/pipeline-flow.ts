/**
 * Flow metrics of one pipeline: which counters are sampled, and which rates they give.
 */
import type { Pipeline } from '../../pipeline/pipeline.ts';
import type { View } from '../format/view.ts';
import { type FlowBases, type FlowMetric, type FlowSample, FlowWindows } from './flow-windows.ts';

/** Positions of the counters in a sample. */
const IN = 0;
const FILTERED = 1;
const OUT = 2;
const WORKER_MS = 3;
const PUSH_MS = 4;
const QUEUE_BYTES = 5;
const QUEUE_EVENTS = 6;
/** Count of the counters above. Behind them: one counter for each input, two for each filter and output. */
export const EVENT_COUNTERS = 7;

const PERCENT = 100;
const MS_OF_SECOND = 1_000;

export interface Totals {
  readonly in: number;
  readonly filtered: number;
  readonly out: number;
  readonly workerMs: number;
  readonly pushMs: number;
}

export function totalsOf({ queue, stats }: Pipeline): Totals {
  return {
    in: queue?.sizes().acceptedCount ?? 0,
    filtered: stats.filtered,
    out: stats.out,
    workerMs: stats.durationMs,
    pushMs: stats.queuePushMs,
  };
}

/** Flow windows of one pipeline and of each of its plugins. */
export class PipelineFlow {
  readonly #pipeline: Pipeline;
  readonly #windows: FlowWindows;

  constructor(pipeline: Pipeline) {
    this.#pipeline = pipeline;
    const { inputs, filters, outputs } = pipeline.stats;
    const size = EVENT_COUNTERS + inputs.length + 2 * (filters.length + outputs.length);
    this.#windows = new FlowWindows({ atMs: pipeline.startMs, values: new Float64Array(size) });
  }

  get pipeline(): Pipeline {
    return this.#pipeline;
  }

  add(atMs: number): void {
    this.#windows.add(this.#sample(atMs));
  }

  rates(atMs: number): PipelineRates {
    return new PipelineRates(this.#pipeline, this.#windows.basesOf(this.#sample(atMs)));
  }

  #sample(atMs: number): FlowSample {
    const { stats, queue } = this.#pipeline;
    const { inputs, filters, outputs } = stats;
    const workers = [...filters, ...outputs];
    const values = new Float64Array(EVENT_COUNTERS + inputs.length + 2 * workers.length);
    values.set(valuesOf(totalsOf(this.#pipeline)));
    const sizes = queue?.sizes();
    if (sizes?.type === 'persisted') {
      values[QUEUE_BYTES] = sizes.bytes;
      values[QUEUE_EVENTS] = sizes.unreadCount;
    }
    for (const [i, input] of inputs.entries()) values[EVENT_COUNTERS + i] = input.out;
    for (const [i, plugin] of workers.entries()) {
      values[pluginCounter(inputs.length, i)] = plugin.durationMs;
      values[pluginCounter(inputs.length, i) + 1] = plugin.in;
    }
    return { atMs, values };
  }
}

export class PipelineRates {
  readonly #pipeline: Pipeline;
  readonly #bases: FlowBases;

  constructor(pipeline: Pipeline, bases: FlowBases) {
    this.#pipeline = pipeline;
    this.#bases = bases;
  }

  get utilization(): FlowMetric {
    return this.#bases.metric({ of: WORKER_MS, per: null, scale: PERCENT / this.#pipeline.workerCountMax });
  }

  whole(): View {
    const flow = eventFlow(this.#bases, this.#pipeline.workerCountMax);
    if (this.#pipeline.source.settings.queueType !== 'persisted') return flow;
    return {
      ...flow,
      queue_persisted_growth_bytes: this.#bases.metric({ of: QUEUE_BYTES, per: null, scale: MS_OF_SECOND }),
      queue_persisted_growth_events: this.#bases.metric({ of: QUEUE_EVENTS, per: null, scale: MS_OF_SECOND }),
    };
  }

  input(index: number): View {
    return { throughput: this.#bases.metric({ of: EVENT_COUNTERS + index, per: null, scale: MS_OF_SECOND }) };
  }

  /** @param index position of a filter or output among both */
  worker(index: number): View {
    const { workerCountMax, stats } = this.#pipeline;
    const of = pluginCounter(stats.inputs.length, index);
    return {
      worker_utilization: this.#bases.metric({ of, per: null, scale: PERCENT / workerCountMax }),
      worker_millis_per_event: this.#bases.metric({ of, per: of + 1, scale: 1 }),
    };
  }
}

function pluginCounter(inputCount: number, index: number): number {
  return EVENT_COUNTERS + inputCount + 2 * index;
}

function valuesOf(totals: Totals): readonly number[] {
  return [totals.in, totals.filtered, totals.out, totals.workerMs, totals.pushMs];
}

export function sampleOf(atMs: number, totals: Totals): FlowSample {
  return { atMs, values: Float64Array.from(valuesOf(totals)) };
}

/** Throughput and use of workers, for one pipeline or all of them together. */
export function eventFlow(bases: FlowBases, workerCount: number): View {
  const perSecond = (of: number): FlowMetric => bases.metric({ of, per: null, scale: MS_OF_SECOND });
  return {
    input_throughput: perSecond(IN),
    filter_throughput: perSecond(FILTERED),
    output_throughput: perSecond(OUT),
    queue_backpressure: bases.metric({ of: PUSH_MS, per: null, scale: 1 }),
    worker_concurrency: bases.metric({ of: WORKER_MS, per: null, scale: 1 }),
    worker_utilization: bases.metric({ of: WORKER_MS, per: null, scale: PERCENT / Math.max(1, workerCount) }),
  };
}
