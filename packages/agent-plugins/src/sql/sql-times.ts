/**
 * Dates and times of columns as instants, and instants as texts for statements.
 *
 * A column has a local time without a zone. Its zone is `jdbc_default_timezone`, else the zone of this machine, as the driver of Java
 * has it. What is sent has the zone `jdbc_default_timezone`, else UTC, or with `plugin_timezone => local` the machine's for times that
 * came from a column.
 */
import { Timestamp, timeZone, type Zone } from '@shoal/agent-event';
import { optionError } from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';
import type { Clock } from '@shoal/runtime';

const NANOS_PER_MS = 1_000_000;
const DAY_MS = 86_400_000;
const LOCAL_TIME = /^(\d{4,6})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?$/;
const WITH_OFFSET = /^(.*?)\s*(Z|[+-]\d\d(?::?\d\d(?::?\d\d)?)?)$/;
const CLOCK_TIME = /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?$/;

export interface SqlTimesOptions {
  /** `jdbc_default_timezone`; null when it is not given. */
  readonly databaseZone: string | null;
  readonly isLocal: boolean;
  readonly clock: Clock;
}

export class SqlTimes {
  private readonly local: Zone;
  private readonly database: Zone | null;
  /** Which of two instants a repeated local time means; null when the configuration does not say. */
  private readonly isSummerTimeFirst: boolean | null;
  private readonly isLocal: boolean;
  private readonly clock: Clock;

  constructor(options: SqlTimesOptions) {
    this.local = timeZone(localZoneName());
    this.isLocal = options.isLocal;
    this.clock = options.clock;
    const [, name = '', extensions] = /^([^[]+)(?:\[([^\]]*)\])?$/.exec(options.databaseZone ?? 'UTC') ?? [];
    if (name === '') throw optionError(`[jdbc_default_timezone] cannot be read: [${options.databaseZone}]`);
    this.database = options.databaseZone === null ? null : timeZone(posixSign(name.trim()));
    this.isSummerTimeFirst = overlapRule(extensions);
  }

  /** A local time of a column; null when the text is none (`infinity`, a year before our era). */
  timestamp(text: string, zone: Zone | null = null): Timestamp | null {
    const local = localTime(text);
    if (local === null) return null;
    return new Timestamp(this.instant(text, local.epochMs, zone ?? this.database), local.nanos);
  }

  /** A time with its own offset from UTC. */
  zonedTimestamp(text: string): Timestamp | null {
    const [, time = '', offset = ''] = WITH_OFFSET.exec(text) ?? [];
    const local = localTime(time);
    return local === null ? null : new Timestamp(local.epochMs - offsetMs(offset), local.nanos);
  }

  /** Midnight of this machine's zone, as Logstash has it. */
  date(text: string): Timestamp | null {
    const local = localTime(text);
    return local === null ? null : new Timestamp(this.localInstant(local.epochMs), local.nanos);
  }

  /** A time of day, today. */
  timeOfDay(text: string): Timestamp | null {
    const [, hour, minute, second = '0', fraction = ''] = CLOCK_TIME.exec(text) ?? [];
    if (hour === undefined || Number(hour) > 23) return null;
    const nowMs = this.clock.wallMs();
    const midnight = Math.floor((nowMs + this.local.offsetAt(nowMs)) / DAY_MS) * DAY_MS;
    const nanos = Number(fraction.padEnd(9, '0'));
    const ms = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000 + Math.floor(nanos / NANOS_PER_MS);
    return new Timestamp(this.localInstant(midnight + ms), nanos % NANOS_PER_MS);
  }

  /**
   * Text of an instant in a statement: `2026-01-02 03:04:05.123456`.
   *
   * @param isFromColumn it was read from the database, where `plugin_timezone` counts
   * @param hasOffset the database reads an offset behind it
   */
  text(time: Timestamp, options: { readonly isFromColumn: boolean; readonly hasOffset: boolean }): string {
    const zone = this.database ?? (this.isLocal && options.isFromColumn ? this.local : null);
    const offset = zone?.offsetAt(time.epochMs) ?? 0;
    const shifted = new Date(time.epochMs + offset).toISOString().replace('T', ' ').slice(0, -1);
    const micros = String(Math.floor(time.nanos / 1000)).padStart(3, '0');
    return `${shifted}${micros}${options.hasOffset ? offsetText(offset) : ''}`;
  }

  private instant(text: string, localMs: number, zone: Zone | null): number {
    if (zone === null) return this.localInstant(localMs);
    const first = zone.instantOf(localMs);
    if (first === null) throw timeError(text, 'does not exist in its time zone');
    const second = laterInstant(zone, localMs, first);
    if (second === null) return first;
    if (this.isSummerTimeFirst === null)
      throw timeError(text, 'comes twice in its time zone: say [dst_enabled_on_overlap:true] or false behind the zone');
    return this.isSummerTimeFirst ? first : second;
  }

  /** A time that the clocks of this machine skip is that of the hour before it. */
  private localInstant(localMs: number): number {
    return this.local.instantOf(localMs) ?? localMs - this.local.offsetAt(localMs - DAY_MS);
  }
}

/** The other instant of a local time that comes twice; null when it comes once. */
function laterInstant(zone: Zone, localMs: number, first: number): number | null {
  const offset = zone.offsetAt(first + DAY_MS);
  const instant = localMs - offset;
  return instant > first && zone.offsetAt(instant) === offset ? instant : null;
}

function localTime(text: string): Timestamp | null {
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = ''] = LOCAL_TIME.exec(text) ?? [];
  if (year === undefined) return null;
  const nanos = Number(fraction.padEnd(9, '0'));
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return null;
  date.setUTCHours(Number(hour), Number(minute), Number(second), Math.floor(nanos / NANOS_PER_MS));
  return Number.isNaN(date.getTime()) ? null : new Timestamp(date.getTime(), nanos % NANOS_PER_MS);
}

function offsetMs(text: string): number {
  if (text === 'Z') return 0;
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = /^([+-])(\d\d):?(\d\d)?:?(\d\d)?$/.exec(text) ?? [];
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -ms : ms;
}

function offsetText(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / 60_000);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${two(minutes % 60)}`;
}

/** `[dst_enabled_on_overlap:true]` behind the name of a zone. */
function overlapRule(extensions: string | undefined): boolean | null {
  let rule: boolean | null = null;
  for (const extension of (extensions ?? '').split(';').filter((part) => part !== '')) {
    const [, value] = /^dst_enabled_on_overlap:(true|false)$/.exec(extension) ?? [];
    if (value === undefined)
      throw optionError(`[jdbc_default_timezone] has an extension that is not known: [${extension}]`);
    rule = value === 'true';
  }
  return rule;
}

/** `Etc/GMT+3` is three hours behind UTC; the platform knows these names as they are. */
function posixSign(name: string): string {
  return /^etc\/gmt[+-]/i.test(name) ? `Etc/GMT${name.slice(7)}` : name;
}

function localZoneName(): string {
  return new Intl.DateTimeFormat('en-US').resolvedOptions().timeZone;
}

function timeError(text: string, why: string): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, `the time [${text}] ${why}`);
}
