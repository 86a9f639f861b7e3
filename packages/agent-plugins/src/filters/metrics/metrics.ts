/**
 * metrics: counts and times events, and reports them as an event of its own at each flush.
 */

import {
  compileTemplate,
  createEvent,
  type EventMap,
  type EventValue,
  type LogEvent,
  type Template,
  Timestamp,
} from '@shoal/agent-event';
import type { Filter, PluginContext, PluginDefinition, PluginOptions } from '@shoal/agent-plugin-kit';
import { asFloat, ShoalError } from '@shoal/core';
import { EventRate, TICK_MS } from './event-rate.ts';
import { ValueSample } from './value-sample.ts';

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

/** Names of meters and of timers that are kept. */
const NAMES_MAX = 10_000;
/** The pipeline flushes this often, and the intervals of the options count in these steps. */
const FLUSH_STEP_SECONDS = 5;

interface Timer {
  readonly rate: EventRate;
  readonly sample: ValueSample;
}

class MetricsFilter implements Filter {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly timerTemplates: readonly (readonly [name: Template, value: Template])[];
  private readonly minutes: readonly number[];
  private readonly percentiles: readonly number[];
  private readonly meters = new Map<string, EventRate>();
  private readonly timers = new Map<string, Timer>();
  private tickedAtMs: number;
  private secondsSinceFlush = 0;
  private secondsSinceClear = 0;

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    this.timerTemplates = [...options.hash('timer')].map(
      ([name, value]) => [compileTemplate(name, context), compileTemplate(String(value), context)] as const,
    );
    this.minutes = options.strings('rates').map(Number);
    if (this.minutes.some((minutes) => ![1, 5, 15].includes(minutes))) {
      throw new ShoalError('illegal_argument_exception', 400, 'metrics: rates may be 1, 5 and 15');
    }
    this.percentiles = options.strings('percentiles').map(Number);
    if (!this.percentiles.every((percent) => percent >= 0 && percent <= 100)) {
      throw new ShoalError('illegal_argument_exception', 400, 'metrics: percentiles may be from 0 to 100');
    }
    this.tickedAtMs = context.runtime.clock.monotonicMs();
  }

  filter(event: LogEvent): 'matched' | 'unmatched' {
    const oldest = this.options.number('ignore_older_than');
    const time = event.timestamp;
    if (oldest > 0 && time !== null && time.epochMs < this.context.runtime.clock.wallMs() - oldest * 1000)
      return 'unmatched';
    for (const template of this.options.templates('meter')) this.meter(template.render(event))?.mark();
    for (const [name, value] of this.timerTemplates) {
      const timer = this.timer(name.render(event));
      timer?.rate.mark();
      timer?.sample.add(leadingNumber(value.render(event)));
    }
    return 'unmatched';
  }

  private meter(name: string): EventRate | null {
    return known(this.meters, name, () => new EventRate(this.minutes));
  }

  private timer(name: string): Timer | null {
    return known(this.timers, name, () => ({
      rate: new EventRate(this.minutes),
      sample: new ValueSample(this.context.runtime.random),
    }));
  }

  flush(options: { readonly isFinal: boolean }): readonly LogEvent[] {
    this.tick();
    this.secondsSinceFlush += FLUSH_STEP_SECONDS;
    this.secondsSinceClear += FLUSH_STEP_SECONDS;
    const isDue = options.isFinal || this.secondsSinceFlush >= this.options.number('flush_interval');
    if (!isDue || (this.meters.size === 0 && this.timers.size === 0)) return [];
    this.secondsSinceFlush = 0;
    const fields: EventMap = new Map<string, EventValue>([
      ['@timestamp', new Timestamp(this.context.runtime.clock.wallMs())],
      ['message', this.context.hostName],
    ]);
    for (const [name, meter] of this.meters) fields.set(name, rateFields(meter));
    for (const [name, timer] of this.timers) fields.set(name, this.timerFields(timer));
    const clearSeconds = this.options.number('clear_interval');
    if (clearSeconds > 0 && this.secondsSinceClear >= clearSeconds) {
      this.meters.clear();
      this.timers.clear();
      this.secondsSinceClear = 0;
    }
    return [createEvent(fields)];
  }

  /** A flush that comes a little early or late is of the step that it is nearest to. */
  private tick(): void {
    const ticks = Math.round((this.context.runtime.clock.monotonicMs() - this.tickedAtMs) / TICK_MS);
    if (ticks <= 0) return;
    this.tickedAtMs += ticks * TICK_MS;
    for (const meter of this.meters.values()) meter.tick(ticks);
    for (const { rate } of this.timers.values()) rate.tick(ticks);
  }

  private timerFields({ rate, sample }: Timer): EventMap {
    const fields = rateFields(rate);
    for (const [name, value] of sample.figures()) fields.set(name, asFloat(value));
    const values = sample.percentiles(this.percentiles);
    for (const [index, percent] of this.percentiles.entries()) fields.set(`p${percent}`, asFloat(values[index] ?? 0));
    return fields;
  }
}

/** The entry of the name, made where there is room for one more; else null. */
function known<T>(entries: Map<string, T>, name: string, make: () => T): T | null {
  const found = entries.get(name);
  if (found !== undefined) return found;
  if (entries.size >= NAMES_MAX) return null;
  const made = make();
  entries.set(name, made);
  return made;
}

function rateFields(rate: EventRate): EventMap {
  const fields: EventMap = new Map<string, EventValue>([['count', rate.count]]);
  for (const [minutes, perSecond] of rate.rates()) fields.set(`rate_${minutes}m`, asFloat(perSecond));
  return fields;
}

/** The number that a text begins with, else 0. */
function leadingNumber(text: string): number {
  return Number(/^\s*[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/.exec(text)?.[0] ?? '0');
}
