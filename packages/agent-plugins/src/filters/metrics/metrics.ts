/**
 * metrics: counts and times events, and reports them as an event of its own at each flush.
 */

import {
  compileTemplate,
  createEvent,
  type EventMap,
  type EventValue,
  type LogEvent,
  Timestamp,
} from '@shoal/agent-event';
import type { Filter, PluginContext, PluginDefinition, PluginOptions } from '@shoal/agent-plugin-kit';
import { DoubleNumber, ShoalError } from '@shoal/core';

export const metricsFilter: PluginDefinition = {
  kind: 'filter',
  name: 'metrics',
  version: '4.0.7',
  options: {
    meter: { type: 'templates', default: [] },
    timer: { type: 'hash', default: {} },
    rates: { type: 'array', default: [1, 5, 15] },
    percentiles: { type: 'array', default: [1, 5, 10, 90, 95, 99, 100] },
    flush_interval: { type: 'number', default: 5 },
    clear_interval: { type: 'number', default: -1 },
    ignore_older_than: { type: 'number', default: 0 },
  },
  needsOneWorker: true,
  create: (options, context) => new MetricsFilter(options, context),
};

/** The step at which moving averages are brought forward. */
const TICK_MS = 5000;
const SAMPLES_MAX = 1028;
const NAMES_MAX = 10_000;

interface Meter {
  count: number;
  sinceTick: number;
  /** Events a second, by minutes of the average; null before the first tick. */
  readonly rates: (number | null)[];
  readonly samples: number[];
  sampleCount: number;
  sum: number;
  squares: number;
}

class MetricsFilter implements Filter {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly timers: readonly (readonly [
    ReturnType<typeof compileTemplate>,
    ReturnType<typeof compileTemplate>,
  ])[];
  private readonly minutes: readonly number[];
  private readonly meters = new Map<string, Meter>();
  private tickedAtMs: number;
  private flushedAtMs: number;
  private clearedAtMs: number;

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    this.timers = [...options.hash('timer')].map(
      ([name, value]) => [compileTemplate(name, context), compileTemplate(String(value), context)] as const,
    );
    this.minutes = options.strings('rates').map(Number);
    if (this.minutes.some((minutes) => ![1, 5, 15].includes(minutes))) {
      throw new ShoalError('illegal_argument_exception', 400, 'metrics: rates may be 1, 5 and 15');
    }
    const now = context.runtime.clock.monotonicMs();
    this.tickedAtMs = now;
    this.flushedAtMs = now;
    this.clearedAtMs = now;
  }

  filter(event: LogEvent): 'matched' | 'unmatched' {
    const oldest = this.options.number('ignore_older_than');
    const time = event.timestamp;
    if (oldest > 0 && time !== null && time.epochMs < this.context.runtime.clock.wallMs() - oldest * 1000)
      return 'unmatched';
    for (const template of this.options.templates('meter')) this.count(template.render(event));
    for (const [name, value] of this.timers) {
      this.time(name.render(event), leadingNumber(value.render(event)));
    }
    return 'unmatched';
  }

  private count(name: string): Meter | null {
    let meter = this.meters.get(name);
    if (meter === undefined) {
      if (this.meters.size >= NAMES_MAX) return null;
      meter = {
        count: 0,
        sinceTick: 0,
        rates: this.minutes.map(() => null),
        samples: [],
        sampleCount: 0,
        sum: 0,
        squares: 0,
      };
      this.meters.set(name, meter);
    }
    meter.count++;
    meter.sinceTick++;
    return meter;
  }

  /** Keeps an even sample of all values, so that percentiles cost the same however many there are. */
  private time(name: string, value: number): void {
    const meter = this.count(name);
    if (meter === null) return;
    meter.sampleCount++;
    meter.sum += value;
    meter.squares += value * value;
    if (meter.samples.length < SAMPLES_MAX) meter.samples.push(value);
    else {
      const place = this.context.runtime.random.below(Math.min(meter.sampleCount, 0xffff_ffff));
      if (place < SAMPLES_MAX) meter.samples[place] = value;
    }
  }

  flush(options: { readonly isFinal: boolean }): readonly LogEvent[] {
    const now = this.context.runtime.clock.monotonicMs();
    this.tick(now);
    const isDue = now - this.flushedAtMs >= this.options.number('flush_interval') * 1000;
    if ((!isDue && !options.isFinal) || this.meters.size === 0) return [];
    this.flushedAtMs = now;
    const fields: EventMap = new Map<string, EventValue>([
      ['@timestamp', new Timestamp(this.context.runtime.clock.wallMs())],
      ['message', this.context.hostName],
    ]);
    for (const [name, meter] of this.meters) fields.set(name, this.report(meter));
    const clearMs = this.options.number('clear_interval') * 1000;
    if (clearMs > 0 && now - this.clearedAtMs >= clearMs) {
      this.meters.clear();
      this.clearedAtMs = now;
    }
    return [createEvent(fields)];
  }

  private tick(now: number): void {
    const ticks = Math.floor((now - this.tickedAtMs) / TICK_MS);
    if (ticks <= 0) return;
    this.tickedAtMs += ticks * TICK_MS;
    for (const meter of this.meters.values()) {
      const rate = meter.sinceTick / ((ticks * TICK_MS) / 1000);
      meter.sinceTick = 0;
      for (const [index, minutes] of this.minutes.entries()) {
        const weight = 1 - Math.exp((-ticks * TICK_MS) / (minutes * 60_000));
        const before = meter.rates[index] ?? null;
        meter.rates[index] = before === null ? rate : before + weight * (rate - before);
      }
    }
  }

  private report(meter: Meter): EventMap {
    const fields: EventMap = new Map<string, EventValue>([['count', meter.count]]);
    for (const [index, minutes] of this.minutes.entries())
      fields.set(`rate_${minutes}m`, float(meter.rates[index] ?? 0));
    if (meter.sampleCount === 0) return fields;
    const sorted = [...meter.samples].sort((a, b) => a - b);
    const mean = meter.sum / meter.sampleCount;
    const variance = Math.max(0, meter.squares / meter.sampleCount - mean * mean);
    fields.set('min', float(sorted[0] ?? 0));
    fields.set('max', float(sorted[sorted.length - 1] ?? 0));
    fields.set('stddev', float(Math.sqrt(variance)));
    fields.set('mean', float(mean));
    for (const percent of this.options.strings('percentiles')) {
      const place = Math.min(sorted.length - 1, Math.max(0, Math.ceil((Number(percent) / 100) * sorted.length) - 1));
      fields.set(`p${percent}`, float(sorted[place] ?? 0));
    }
    return fields;
  }
}

/** The number that a text begins with, else 0. */
function leadingNumber(text: string): number {
  return Number(/^\s*[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/.exec(text)?.[0] ?? '0');
}

function float(value: number): EventValue {
  return Number.isInteger(value) ? new DoubleNumber(value) : value;
}
