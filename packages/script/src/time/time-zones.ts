/**
 * `ZoneId` and `ZoneOffset`: zones by name, and fixed distances from UTC.
 */
import { isShoalError } from '@shoal/core';
import { type TimeZone, timeZone } from '@shoal/schema';
import { JavaException } from '../values/java-exception.ts';
import { ScriptObject } from '../values/script-object.ts';
import { dateTimeException } from './time-errors.ts';

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;
const DAY_MS = 86_400_000;
const HOURS_MAX = 18;

export abstract class JavaZone extends ScriptObject {
  abstract readonly id: string;
  /** Seconds east of UTC at an instant, in milliseconds since 1970. */
  abstract offsetAt(ms: number): number;

  text(): string {
    return this.id;
  }

  override equals(other: ScriptObject): boolean {
    return other instanceof JavaZone && other.id === this.id;
  }

  override key(): unknown {
    return `zone ${this.id}`;
  }

  static of(id: string): JavaZone {
    const known = ZONES.get(id);
    if (known !== undefined) return known;
    const zone = zoneOf(id);
    // Scripts name the same few zones for every document; the platform takes long to find one.
    if (ZONES.size >= ZONES_MAX) ZONES.clear();
    ZONES.set(id, zone);
    return zone;
  }
}

const ZONES_MAX = 200;
const ZONES = new Map<string, JavaZone>();

/** `java.time.ZoneOffset`. */
export class JavaOffset extends JavaZone {
  readonly javaClass = 'java.time.ZoneOffset';
  readonly id: string;
  /** Seconds east of UTC. */
  readonly seconds: number;

  constructor(seconds: number) {
    super();
    this.seconds = seconds;
    this.id = offsetText(seconds);
  }

  offsetAt(): number {
    return this.seconds;
  }

  /** The longest way east comes first. */
  override compare(other: ScriptObject): number | null {
    return other instanceof JavaOffset ? other.seconds - this.seconds : null;
  }
}

/** A zone of the database of zones, or `UTC` and its kin with or without a fixed offset behind. */
class JavaRegion extends JavaZone {
  readonly javaClass = 'java.time.ZoneId';
  readonly id: string;
  readonly #zone: TimeZone;

  constructor(id: string, zone: TimeZone) {
    super();
    this.id = id;
    this.#zone = zone;
  }

  offsetAt(ms: number): number {
    return this.#zone.offsetMinutes(ms) * MINUTE_SECONDS;
  }
}

export const UTC_ZONE: JavaOffset = new JavaOffset(0);

const two = (value: number): string => String(value).padStart(2, '0');

function offsetText(seconds: number): string {
  if (seconds === 0) return 'Z';
  const size = Math.abs(seconds);
  const rest = size % MINUTE_SECONDS;
  const minutes = Math.floor(size / MINUTE_SECONDS) % MINUTE_SECONDS;
  const text = `${seconds < 0 ? '-' : '+'}${two(Math.floor(size / HOUR_SECONDS))}:${two(minutes)}`;
  return rest === 0 ? text : `${text}:${two(rest)}`;
}

/** @throws JavaException for parts that no offset has */
export function offsetOf(hours: number, minutes = 0, seconds = 0): JavaOffset {
  const check = (name: string, value: number, max: number): void => {
    if (Math.abs(value) > max) {
      throw dateTimeException(
        `Zone offset ${name} not in valid range: value ${value} is not in the range -${max} to ${max}`,
      );
    }
  };
  check('hours', hours, HOURS_MAX);
  check('minutes', minutes, 59);
  check('seconds', seconds, 59);
  const signs = [hours, minutes, seconds].map(Math.sign).filter((sign) => sign !== 0);
  if (new Set(signs).size > 1) {
    const wrong = hours > 0 ? 'positive because hours is positive' : 'negative because hours is negative';
    throw dateTimeException(`Zone offset minutes and seconds must be ${wrong}`);
  }
  return offsetOfSeconds(hours * HOUR_SECONDS + minutes * MINUTE_SECONDS + seconds);
}

export function offsetOfSeconds(seconds: number): JavaOffset {
  if (Math.abs(seconds) > HOURS_MAX * HOUR_SECONDS) {
    throw dateTimeException('Zone offset not in valid range: -18:00 to +18:00');
  }
  return seconds === 0 ? UTC_ZONE : new JavaOffset(seconds);
}

const OFFSET = /^([+-])(?:(\d)|(\d\d)(?::?(\d\d)(?::?(\d\d))?)?)$/;

/** @throws JavaException for a text that is no offset */
export function offsetNamed(text: string): JavaOffset {
  if (text === 'Z') return UTC_ZONE;
  const match = OFFSET.exec(text);
  if (match === null) throw dateTimeException(`Invalid ID for ZoneOffset, invalid format: ${text}`);
  const sign = match[1] === '-' ? -1 : 1;
  return offsetOf(sign * Number(match[2] ?? match[3]), sign * Number(match[4] ?? 0), sign * Number(match[5] ?? 0));
}

function fixedRegion(id: string, seconds: number): JavaZone {
  return new JavaRegion(id, { name: id, isFixed: true, offsetMinutes: () => seconds / MINUTE_SECONDS });
}

function zoneOf(id: string): JavaZone {
  if (id === 'Z' || /^[+-]/.test(id)) return offsetNamed(id);
  const [, prefix, offset] = /^(UTC|GMT|UT)([+-].*)?$/.exec(id) ?? [];
  if (prefix !== undefined) {
    if (offset === undefined) return fixedRegion(id, 0);
    const { seconds } = offsetNamed(offset);
    return fixedRegion(seconds === 0 ? prefix : `${prefix}${offsetText(seconds)}`, seconds);
  }
  if (!/^[A-Za-z][A-Za-z0-9~/._+-]+$/.test(id)) {
    throw dateTimeException(`Invalid ID for region-based ZoneId, invalid format: ${id}`);
  }
  try {
    return new JavaRegion(id, timeZone(id));
  } catch (error) {
    if (!isShoalError(error)) throw error;
    throw new JavaException('java.time.zone.ZoneRulesException', `Unknown time-zone ID: ${id}`);
  }
}

/** Offsets at which the clock of a zone shows a local time: one; two where it is set back; none where it is set forward. */
export function validOffsets(zone: JavaZone, localMs: number): readonly number[] {
  const [before, after] = [zone.offsetAt(localMs - DAY_MS), zone.offsetAt(localMs + DAY_MS)];
  const candidates = before === after ? [before] : [before, after];
  return candidates.filter((offset) => zone.offsetAt(localMs - offset * 1_000) === offset);
}

/**
 * Offset of a local time: the earlier where there are two, if none is preferred. A time that the clock leaps over is taken by the
 * offset before the leap, which moves it behind.
 */
export function localOffset(zone: JavaZone, localMs: number, preferred: number | null): number {
  const valid = validOffsets(zone, localMs);
  if (preferred !== null && valid.includes(preferred)) return preferred;
  return valid[0] ?? zone.offsetAt(localMs - DAY_MS);
}
