/**
 * Dates of scripts: `ZonedDateTime`, `Instant` and `Duration`, exact to the millisecond, with the calendar of ISO 8601.
 */

import { isShoalError } from '@shoal/core';
import { printIso, type TimeZone, timeZone } from '@shoal/schema';
import { JavaException } from './java-exception.ts';
import { ScriptObject } from './script-object.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const UTC = timeZone('Z');

/** Parts of a local date and time. */
export interface LocalParts {
  readonly year: number;
  /** 1..12 */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
}

export class JavaZone extends ScriptObject {
  readonly javaClass = 'java.time.ZoneId';
  readonly zone: TimeZone;

  constructor(zone: TimeZone) {
    super();
    this.zone = zone;
  }

  static of(name: string): JavaZone {
    try {
      return name === 'Z' || name === 'UTC' ? new JavaZone({ ...UTC, name }) : new JavaZone(timeZone(name));
    } catch (error) {
      if (!isShoalError(error)) throw error;
      throw new JavaException('java.time.zone.ZoneRulesException', error.reason);
    }
  }

  text(): string {
    return this.zone.name;
  }

  override equals(other: ScriptObject): boolean {
    return other instanceof JavaZone && other.zone.name === this.zone.name;
  }
}

export const UTC_ZONE: JavaZone = new JavaZone(UTC);

/** `java.time.ZonedDateTime`. */
export class JavaDateTime extends ScriptObject {
  readonly javaClass: string = 'java.time.ZonedDateTime';
  /** Milliseconds since 1970. */
  readonly ms: number;
  readonly zone: JavaZone;

  constructor(ms: number, zone: JavaZone = UTC_ZONE) {
    super();
    this.ms = ms;
    this.zone = zone;
  }

  get offsetMinutes(): number {
    return this.zone.zone.offsetMinutes(this.ms);
  }

  /** Milliseconds since 1970 of its clock on the wall. */
  get localMs(): number {
    return this.ms + this.offsetMinutes * MINUTE_MS;
  }

  get parts(): LocalParts {
    return localParts(this.localMs);
  }

  /** The date whose clock shows this, in the same zone. */
  withLocal(localMs: number): JavaDateTime {
    let ms = localMs - this.offsetMinutes * MINUTE_MS;
    // The offset there may be another one than here.
    ms = localMs - this.zone.zone.offsetMinutes(ms) * MINUTE_MS;
    return new JavaDateTime(ms, this.zone);
  }

  text(): string {
    const name = this.zone.zone.name;
    const suffix = /^(?:Z|[+-].*)$/.test(name) ? '' : `[${name}]`;
    return `${printIso(this.ms, this.offsetMinutes)}${suffix}`;
  }

  override equals(other: ScriptObject): boolean {
    return other instanceof JavaDateTime && other.ms === this.ms && other.zone.equals(this.zone);
  }

  override compare(other: ScriptObject): number | null {
    return other instanceof JavaDateTime ? this.ms - other.ms : null;
  }
}

/** Value of a date field: of a class of its own, some of whose methods give numbers for what others give as objects. */
export class FieldDateTime extends JavaDateTime {
  override readonly javaClass = 'org.elasticsearch.script.JodaCompatibleZonedDateTime';
}

export class JavaInstant extends ScriptObject {
  readonly javaClass = 'java.time.Instant';
  readonly ms: number;

  constructor(ms: number) {
    super();
    this.ms = ms;
  }

  text(): string {
    return printIso(this.ms).replace(/\.000Z$/, 'Z');
  }

  override equals(other: ScriptObject): boolean {
    return other instanceof JavaInstant && other.ms === this.ms;
  }

  override compare(other: ScriptObject): number | null {
    return other instanceof JavaInstant ? this.ms - other.ms : null;
  }
}

export class JavaDuration extends ScriptObject {
  readonly javaClass = 'java.time.Duration';
  readonly ms: number;

  constructor(ms: number) {
    super();
    this.ms = ms;
  }

  text(): string {
    const seconds = this.ms / 1_000;
    const hours = Math.trunc(seconds / 3_600);
    const minutes = Math.trunc((seconds % 3_600) / 60);
    const rest = Number((seconds % 60).toFixed(3));
    if (seconds === 0) return 'PT0S';
    return `PT${hours === 0 ? '' : `${hours}H`}${minutes === 0 ? '' : `${minutes}M`}${rest === 0 ? '' : `${rest}S`}`;
  }

  override equals(other: ScriptObject): boolean {
    return other instanceof JavaDuration && other.ms === this.ms;
  }

  override compare(other: ScriptObject): number | null {
    return other instanceof JavaDuration ? this.ms - other.ms : null;
  }
}

/** A constant of `ChronoUnit`, `DayOfWeek` or `Month`. */
export class JavaEnum extends ScriptObject {
  readonly javaClass: string;
  readonly name: string;
  /** Number of a day or month, from 1; of a unit its length in milliseconds, 0 for months and years. */
  readonly value: number;

  constructor(javaClass: string, name: string, value: number) {
    super();
    this.javaClass = javaClass;
    this.name = name;
    this.value = value;
  }

  text(): string {
    return this.name;
  }

  override compare(other: ScriptObject): number | null {
    return other instanceof JavaEnum && other.javaClass === this.javaClass ? this.value - other.value : null;
  }
}

function localParts(localMs: number): LocalParts {
  const days = Math.floor(localMs / DAY_MS);
  const rest = localMs - days * DAY_MS;
  const date = new Date(days * DAY_MS);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: Math.floor(rest / 3_600_000),
    minute: Math.floor(rest / MINUTE_MS) % 60,
    second: Math.floor(rest / 1_000) % 60,
    millisecond: rest % 1_000,
  };
}

/** Milliseconds since 1970 of the parts; days beyond the end of a month are its last one. */
export function localMs(parts: LocalParts): number {
  const date = new Date(0);
  date.setUTCFullYear(parts.year, parts.month, 0);
  date.setUTCDate(Math.min(parts.day, date.getUTCDate()));
  return date.getTime() + ((parts.hour * 60 + parts.minute) * 60 + parts.second) * 1_000 + parts.millisecond;
}

/** Months later, on the same day where the month has it. */
export function plusMonths(date: JavaDateTime, count: number): JavaDateTime {
  const { parts } = date;
  const month = parts.month - 1 + count;
  const year = parts.year + Math.floor(month / 12);
  return date.withLocal(localMs({ ...parts, year, month: (((month % 12) + 12) % 12) + 1 }));
}
