/**
 * Times of scripts: an instant with nanoseconds, seen in a zone. Dates and date-times are times of their own classes.
 */
import { COMPARABLE, OBJECT, RubyClass, RubyObject } from './ruby-value.ts';

export const TIME: RubyClass = new RubyClass('Time', OBJECT, [COMPARABLE]);
export const DATE: RubyClass = new RubyClass('Date', OBJECT, [COMPARABLE]);
export const DATE_TIME: RubyClass = new RubyClass('DateTime', DATE);

/** Offset east of Greenwich in seconds; `local` for the zone of the machine. */
export type TimeOffset = number | 'local' | 'utc';

export interface TimeFields {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** Sunday is 0. */
  readonly weekday: number;
  /** 1 to 366. */
  readonly dayOfYear: number;
}

const NANOS_PER_MS = 1_000_000;
const DAY_MS = 86_400_000;

export class RubyTime extends RubyObject {
  /** Integer. */
  readonly epochMs: number;
  /** Beyond the millisecond: 0..999,999. */
  readonly nanos: number;
  /** Changed by `utc` and `localtime`, which change the time itself. */
  zone: TimeOffset;
  readonly rubyClass: RubyClass;

  constructor(epochMs: number, nanos: number, zone: TimeOffset, rubyClass: RubyClass = TIME) {
    super();
    this.epochMs = epochMs;
    this.nanos = nanos;
    this.zone = zone;
    this.rubyClass = rubyClass;
  }

  /** @param seconds a whole number or not: digits beyond nanoseconds are lost */
  static ofSeconds(seconds: number | bigint, zone: TimeOffset, rubyClass: RubyClass = TIME): RubyTime {
    const whole = typeof seconds === 'bigint' ? Number(seconds) : Math.floor(seconds);
    const nanos = typeof seconds === 'bigint' ? 0 : Math.round((seconds - whole) * 1e9);
    return new RubyTime(whole * 1000, 0, zone, rubyClass).plusNanos(nanos);
  }

  /** Seconds since 1970, as exact as a float is. */
  get seconds(): number {
    return (this.epochMs * 1000 + this.nanos / 1000) / 1e6;
  }

  plusSeconds(seconds: number): RubyTime {
    const whole = Math.trunc(seconds);
    const moved = new RubyTime(this.epochMs + whole * 1000, this.nanos, this.zone, this.rubyClass);
    return seconds === whole ? moved : moved.plusNanos(Math.round((seconds - whole) * 1e9));
  }

  private plusNanos(nanos: number): RubyTime {
    const total = this.nanos + nanos;
    const ms = Math.floor(total / NANOS_PER_MS);
    return new RubyTime(this.epochMs + ms, total - ms * NANOS_PER_MS, this.zone, this.rubyClass);
  }

  inZone(zone: TimeOffset): RubyTime {
    return new RubyTime(this.epochMs, this.nanos, zone, this.rubyClass);
  }

  /** Seconds east of Greenwich. */
  get offset(): number {
    if (this.zone === 'utc') return 0;
    return this.zone === 'local' ? -new Date(this.epochMs).getTimezoneOffset() * 60 : this.zone;
  }

  fields(): TimeFields {
    const shifted = new Date(this.epochMs + this.offset * 1000);
    const year = shifted.getUTCFullYear();
    return {
      year,
      month: shifted.getUTCMonth() + 1,
      day: shifted.getUTCDate(),
      hour: shifted.getUTCHours(),
      minute: shifted.getUTCMinutes(),
      second: shifted.getUTCSeconds(),
      weekday: shifted.getUTCDay(),
      dayOfYear: Math.floor((shifted.getTime() - epochOf({ year, month: 1, day: 1 })) / DAY_MS) + 1,
    };
  }

  /** Nanoseconds of the second. */
  get nanosOfSecond(): number {
    return (((this.epochMs % 1000) + 1000) % 1000) * NANOS_PER_MS + this.nanos;
  }

  override equals(other: RubyObject): boolean {
    return this.compareTo(other) === 0;
  }

  override compareTo(other: RubyObject): number | null {
    if (!(other instanceof RubyTime)) return null;
    return Math.sign(this.epochMs - other.epochMs || this.nanos - other.nanos);
  }

  override hashKey(): unknown {
    return `\0t${this.epochMs}.${this.nanos}`;
  }
}

export interface CivilTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour?: number;
  readonly minute?: number;
  readonly second?: number;
}

/** Milliseconds since 1970 if the fields are of UTC. */
export function epochOf({ year, month, day, hour = 0, minute = 0, second = 0 }: CivilTime): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, 0);
  return date.getTime();
}

/** The instant of these fields in a zone; an hour that a clock change leaves out moves on. */
export function timeOf(civil: CivilTime, nanos: number, zone: TimeOffset, rubyClass: RubyClass = TIME): RubyTime {
  const utc = epochOf(civil);
  const { hour = 0, minute = 0, second = 0 } = civil;
  let epochMs = utc;
  if (typeof zone === 'number') epochMs = utc - zone * 1000;
  else if (zone === 'local') {
    const local = new Date(0);
    local.setFullYear(civil.year, civil.month - 1, civil.day);
    local.setHours(hour, minute, second, 0);
    epochMs = local.getTime();
  }
  return new RubyTime(epochMs + Math.floor(nanos / NANOS_PER_MS), nanos % NANOS_PER_MS, zone, rubyClass);
}
