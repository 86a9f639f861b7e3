/**
 * throttle: matches events that come too rarely or too often in a period, so that they can be tagged or dropped.
 *
 * Each key has time slots of one period, counted from the time of its first event; an event that comes late is counted in
 * the slot of its own time, as long as that is not older than `max_age`.
 */
import { compileTemplate } from '@shoal/agent-event';
import type { PluginDefinition } from '@shoal/agent-plugin-kit';

const PERIOD_DEFAULT_SECONDS = 60;
/** Steps in percent of `max_age` by which it shrinks while there are too many counters, and grows back. */
const AGE_STEP_PERCENT = 5;
const AGE_MIN_PERCENT = 5;
/** Below this share of `max_counters` the age grows back. */
const REFILL_PERCENT = 80;

export const throttleFilter: PluginDefinition = {
  kind: 'filter',
  name: 'throttle',
  version: '4.0.4',
  needsOneWorker: true,
  options: {
    key: { type: 'template', isRequired: true },
    before_count: { type: 'string', default: '-1' },
    after_count: { type: 'string', default: '-1' },
    period: { type: 'string', default: '60' },
    max_age: { type: 'number', default: 3600 },
    max_counters: { type: 'number', default: 100000 },
  },
  create: (options, context) => {
    const key = options.template('key');
    const before = compileTemplate(options.string('before_count'), context);
    const after = compileTemplate(options.string('after_count'), context);
    const period = compileTemplate(options.string('period'), context);
    const slots = new TimeSlots(options.number('max_age'), options.number('max_counters'));
    return {
      filter: (event) => {
        const seconds = Math.floor((event.timestamp?.epochMs ?? context.runtime.clock.wallMs()) / 1000);
        const length = Number.parseInt(period.render(event), 10) || PERIOD_DEFAULT_SECONDS;
        const count = slots.count(key.render(event), seconds, length);
        const least = Number(before.render(event));
        const most = Number(after.render(event));
        const isTooRare = least !== -1 && count < least;
        const isTooOften = most !== -1 && count > most;
        return isTooRare || isTooOften ? 'matched' : 'unmatched';
      },
      flush: () => {
        slots.expire();
        return [];
      },
    };
  },
};

interface KeySlots {
  /** Time of the first event: slots begin at whole periods from here. */
  readonly startSeconds: number;
  latestSeconds: number;
  /** Start of a slot to its number of events. */
  readonly counts: Map<number, number>;
}

class TimeSlots {
  private readonly keys = new Map<string, KeySlots>();
  private readonly ageMaxSeconds: number;
  private readonly countersMax: number;
  private ageSeconds: number;

  constructor(ageMaxSeconds: number, countersMax: number) {
    this.ageMaxSeconds = ageMaxSeconds;
    this.ageSeconds = ageMaxSeconds;
    this.countersMax = countersMax;
  }

  /** Events of the key in the slot of this time, this one included. */
  count(name: string, seconds: number, lengthSeconds: number): number {
    const slots = this.slotsOf(name, seconds);
    slots.latestSeconds = Math.max(slots.latestSeconds, seconds);
    const into = (seconds - slots.startSeconds) % lengthSeconds;
    const start = seconds - (into < 0 ? into + Math.abs(lengthSeconds) : into);
    const count = (slots.counts.get(start) ?? 0) + 1;
    slots.counts.set(start, count);
    if (count === 1) this.expireSlots(slots);
    return count;
  }

  private expireSlots(slots: KeySlots): void {
    let latest = 0;
    for (const one of slots.counts.keys()) latest = Math.max(latest, one);
    for (const one of slots.counts.keys()) if (one < latest - this.ageSeconds) slots.counts.delete(one);
  }

  /** Forgets keys of which nothing came for the age; the age itself follows the number of counters. */
  expire(): void {
    let latest = 0;
    for (const { latestSeconds } of this.keys.values()) latest = Math.max(latest, latestSeconds);
    let counters = 0;
    for (const [name, { latestSeconds, counts }] of this.keys) {
      if (latestSeconds < latest - this.ageSeconds) this.keys.delete(name);
      else counters += counts.size;
    }
    if (this.countersMax === -1) return;
    const step = (this.ageMaxSeconds * AGE_STEP_PERCENT) / 100;
    if (counters > this.countersMax) {
      this.ageSeconds = Math.max((this.ageMaxSeconds * AGE_MIN_PERCENT) / 100, this.ageSeconds - step);
    } else if (counters < (this.countersMax * REFILL_PERCENT) / 100) {
      this.ageSeconds = Math.min(this.ageMaxSeconds, this.ageSeconds + step);
    }
  }

  private slotsOf(name: string, seconds: number): KeySlots {
    const known = this.keys.get(name);
    if (known !== undefined) return known;
    // Twice the number that is aimed at is more than expiring can have missed: then the oldest key goes at once.
    if (this.countersMax >= 0 && this.keys.size >= Math.max(1, this.countersMax * 2)) {
      const [oldest] = this.keys.keys();
      if (oldest !== undefined) this.keys.delete(oldest);
    }
    const slots = { startSeconds: seconds, latestSeconds: seconds, counts: new Map<number, number>() };
    this.keys.set(name, slots);
    return slots;
  }
}
