/**
 * Rates over the last while, from ten seconds to the whole life: counters that were sampled every few seconds, and the
 * differences between samples.
 *
 * Each window keeps samples of its own at a distance that fits its length, so that a day costs no more than a minute.
 */

export interface FlowSample {
  readonly atMs: number;
  /** Counters; what stands where is the matter of who samples. */
  readonly values: Float64Array;
}

/** A rate: how much one counter grew for each unit by which another, or the time in ms, grew. */
export interface FlowMeter {
  readonly of: number;
  /** null: the time. */
  readonly per: number | null;
  readonly scale: number;
}

/** JSON has no number for growth without time or events. */
type Rate = number | 'Infinity' | '-Infinity';
export type FlowMetric = Readonly<Record<string, Rate>>;

interface WindowRule {
  readonly name: string;
  readonly lengthMs: number;
  /** Between samples: how much longer than its name says a window may be. */
  readonly stepMs: number;
}

const WINDOWS: readonly WindowRule[] = [
  { name: 'current', lengthMs: 10_000, stepMs: 1_000 },
  { name: 'last_1_minute', lengthMs: 60_000, stepMs: 3_000 },
  { name: 'last_5_minutes', lengthMs: 300_000, stepMs: 15_000 },
  { name: 'last_15_minutes', lengthMs: 900_000, stepMs: 30_000 },
  { name: 'last_1_hour', lengthMs: 3_600_000, stepMs: 60_000 },
  { name: 'last_24_hours', lengthMs: 86_400_000, stepMs: 900_000 },
];
const SIGNIFICANT_DIGITS = 4;
/** Powers of ten up to here are exact. */
const EXACT_POWER_MAX = 22;

export class FlowWindows {
  readonly #first: FlowSample;
  readonly #windows = WINDOWS.map((rule) => new FlowWindow(rule));

  /** `first` is what everything was when the counting began. */
  constructor(first: FlowSample) {
    this.#first = first;
    this.add(first);
  }

  add(sample: FlowSample): void {
    for (const window of this.#windows) window.add(sample);
  }

  /** What `now` is compared with, for each window that is long enough, and for the whole life. */
  basesOf(now: FlowSample): FlowBases {
    const bases: [string, FlowSample][] = [];
    for (const window of this.#windows) {
      const base = window.base(now.atMs);
      // What is younger than ten seconds has a current rate all the same.
      if (base !== null) bases.push([window.name, base]);
      else if (window.name === 'current') bases.push([window.name, this.#first]);
    }
    bases.push(['lifetime', this.#first]);
    return new FlowBases(now, bases);
  }
}

export class FlowBases {
  readonly #now: FlowSample;
  readonly #bases: readonly (readonly [string, FlowSample])[];

  constructor(now: FlowSample, bases: readonly (readonly [string, FlowSample])[]) {
    this.#now = now;
    this.#bases = bases;
  }

  /** Windows in which neither counter moved are left out. */
  metric({ of, per, scale }: FlowMeter): FlowMetric {
    const metric: Record<string, Rate> = {};
    for (const [name, base] of this.#bases) {
      const grown = this.#grown(base, of) * scale;
      const rate = rateOf(grown, per === null ? this.#now.atMs - base.atMs : this.#grown(base, per));
      if (rate !== null) metric[name] = rate;
    }
    return metric;
  }

  #grown(base: FlowSample, at: number): number {
    return (this.#now.values[at] ?? 0) - (base.values[at] ?? 0);
  }
}

class FlowWindow {
  readonly #rule: WindowRule;
  /** Oldest first; the first is the base once it is old enough. */
  readonly #samples: FlowSample[] = [];

  constructor(rule: WindowRule) {
    this.#rule = rule;
  }

  get name(): string {
    return this.#rule.name;
  }

  add(sample: FlowSample): void {
    const { lengthMs, stepMs } = this.#rule;
    const last = this.#samples.at(-1);
    if (last !== undefined && sample.atMs - last.atMs < stepMs) return;
    this.#samples.push(sample);
    // The newest that is at least as old as the window stays, and nothing older.
    while ((this.#samples[1]?.atMs ?? Number.POSITIVE_INFINITY) <= sample.atMs - lengthMs) this.#samples.shift();
  }

  base(nowMs: number): FlowSample | null {
    const oldestMs = nowMs - this.#rule.lengthMs;
    // Near the front: what is older than the base was dropped.
    let base: FlowSample | null = null;
    for (const sample of this.#samples) {
      if (sample.atMs > oldestMs) break;
      base = sample;
    }
    return base;
  }
}

/** null for nothing by nothing. */
function rateOf(grown: number, by: number): Rate | null {
  if (by !== 0) return rounded(grown / by);
  if (grown === 0) return null;
  return grown > 0 ? 'Infinity' : '-Infinity';
}

/** Rounds by whole powers of ten, which is far faster than through text: an answer has hundreds of rates. */
function rounded(rate: number): number {
  if (rate === 0) return 0;
  const decimals = SIGNIFICANT_DIGITS - 1 - Math.floor(Math.log10(Math.abs(rate)));
  if (Math.abs(decimals) > EXACT_POWER_MAX) return Number(rate.toPrecision(SIGNIFICANT_DIGITS));
  const power = 10 ** Math.abs(decimals);
  return decimals >= 0 ? Math.round(rate * power) / power : Math.round(rate / power) * power;
}
