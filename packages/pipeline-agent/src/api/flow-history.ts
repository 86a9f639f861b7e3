/**
 * Rates over the last while: counters sampled every few seconds, and the differences between samples.
 */

export interface FlowSample {
  readonly atMs: number;
  readonly in: number;
  readonly filtered: number;
  readonly out: number;
  readonly workerMs: number;
  readonly pushMs: number;
}

/** A rate without time is the text that JSON has no number for. */
type Rate = number | 'Infinity' | 'NaN';
export type FlowMetric = Readonly<Record<string, Rate>>;

const CURRENT_MS = 10_000;
const WINDOWS: readonly (readonly [string, number])[] = [
  ['last_1_minute', 60_000],
  ['last_5_minutes', 300_000],
  ['last_15_minutes', 900_000],
];
/** Samples of the longest window, at one in five seconds. */
const SAMPLES_MAX = 200;
const SIGNIFICANT_DIGITS = 4;

export class FlowHistory {
  readonly #samples: FlowSample[] = [];

  constructor(startMs: number) {
    this.#samples.push({ atMs: startMs, in: 0, filtered: 0, out: 0, workerMs: 0, pushMs: 0 });
  }

  add(sample: FlowSample): void {
    this.#samples.push(sample);
    // The first stays: lifetimes count from it.
    if (this.#samples.length > SAMPLES_MAX) this.#samples.splice(1, 1);
  }

  metrics(now: FlowSample, workerCount: number): Readonly<Record<string, FlowMetric>> {
    const perSecond = (pick: (sample: FlowSample) => number): FlowMetric => this.#metric(now, pick, 1_000);
    return {
      input_throughput: perSecond((sample) => sample.in),
      filter_throughput: perSecond((sample) => sample.filtered),
      output_throughput: perSecond((sample) => sample.out),
      queue_backpressure: this.#metric(now, (sample) => sample.pushMs, 1),
      worker_concurrency: this.#metric(now, (sample) => sample.workerMs, 1),
      worker_utilization: this.#metric(now, (sample) => sample.workerMs, 100 / Math.max(1, workerCount)),
    };
  }

  #metric(now: FlowSample, pick: (sample: FlowSample) => number, scale: number): FlowMetric {
    const first = this.#samples[0] ?? now;
    const rateSince = (sample: FlowSample): Rate =>
      rounded(((pick(now) - pick(sample)) * scale) / (now.atMs - sample.atMs));
    const metric: Record<string, Rate> = { current: rateSince(this.#before(now.atMs - CURRENT_MS) ?? first) };
    for (const [name, windowMs] of WINDOWS) {
      const sample = this.#before(now.atMs - windowMs);
      if (sample !== null) metric[name] = rateSince(sample);
    }
    metric.lifetime = rateSince(first);
    return metric;
  }

  /** The newest sample that is at least that old. */
  #before(atMs: number): FlowSample | null {
    return this.#samples.findLast((sample) => sample.atMs <= atMs) ?? null;
  }
}

function rounded(value: number): Rate {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return 'Infinity';
  return Number(value.toPrecision(SIGNIFICANT_DIGITS));
}
