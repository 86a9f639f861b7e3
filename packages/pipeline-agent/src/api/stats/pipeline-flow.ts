/**
 * The flow of one pipeline, or of all of them: which counters are sampled, and which rates they give.
 */
import type { Pipeline } from '../../pipeline/pipeline.ts';
import type { View } from '../format/view.ts';
import { type FlowBases, type FlowMetric, type FlowSample, FlowWindows } from './flow-windows.ts';

/** Places of the counters in a sample. */
const IN = 0;
const FILTERED = 1;
const OUT = 2;
const WORKER_MS = 3;
const PUSH_MS = 4;
const QUEUE_BYTES = 5;
const QUEUE_EVENTS = 6;
/** Behind them one counter an input, then two each filter and output. */
const PLUGINS = 7;

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

/** Of the whole node. */
export class NodeFlow {
  readonly #windows: FlowWindows;

  constructor(startMs: number) {
    this.#windows = new FlowWindows({ atMs: startMs, values: new Float64Array(PLUGINS) });
  }

  add(atMs: number, totals: Totals): void {
    this.#windows.add(sampleOf(atMs, totals));
  }

  metrics(atMs: number, totals: Totals, workerCount: number): View {
    return eventFlow(this.#windows.basesOf(sampleOf(atMs, totals)), workerCount);
  }
}

/** Of one pipeline, and of each of its plugins. */
export class PipelineFlow {
  readonly #pipeline: Pipeline;
  readonly #windows: FlowWindows;

  constructor(pipeline: Pipeline) {
    this.#pipeline = pipeline;
    const { inputs, filters, outputs } = pipeline.stats;
    const size = PLUGINS + inputs.length + 2 * (filters.length + outputs.length);
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
    const values = new Float64Array(PLUGINS + inputs.length + 2 * workers.length);
    values.set(valuesOf(totalsOf(this.#pipeline)));
    const sizes = queue?.sizes();
    if (sizes?.type === 'persisted') {
      values[QUEUE_BYTES] = sizes.bytes;
      values[QUEUE_EVENTS] = sizes.unreadCount;
    }
    for (const [i, input] of inputs.entries()) values[PLUGINS + i] = input.out;
    for (const [i, plugin] of workers.entries()) {
      values[workerPlace(inputs.length, i)] = plugin.durationMs;
      values[workerPlace(inputs.length, i) + 1] = plugin.in;
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
    return { throughput: this.#bases.metric({ of: PLUGINS + index, per: null, scale: MS_OF_SECOND }) };
  }

  /** Of a filter or output, by its place among both. */
  worker(index: number): View {
    const { workerCountMax, stats } = this.#pipeline;
    const of = workerPlace(stats.inputs.length, index);
    return {
      worker_utilization: this.#bases.metric({ of, per: null, scale: PERCENT / workerCountMax }),
      worker_millis_per_event: this.#bases.metric({ of, per: of + 1, scale: 1 }),
    };
  }
}

function workerPlace(inputCount: number, index: number): number {
  return PLUGINS + inputCount + 2 * index;
}

function valuesOf(totals: Totals): readonly number[] {
  return [totals.in, totals.filtered, totals.out, totals.workerMs, totals.pushMs];
}

function sampleOf(atMs: number, totals: Totals): FlowSample {
  return { atMs, values: Float64Array.from(valuesOf(totals)) };
}

function eventFlow(bases: FlowBases, workerCount: number): View {
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
