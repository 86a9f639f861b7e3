/**
 * `Instant` and `ZonedDateTime`: moments, the latter with the clock of a zone.
 */
import type { ScriptObject } from '../values/script-object.ts';
import { floorDiv, floorMod, NANOS_PER_DAY, NANOS_PER_MS, NANOS_PER_SECOND, SECONDS_PER_DAY } from './calendar-math.ts';
import {
  addedNanos,
  dateText,
  isoText,
  LocalTemporal,
  localDistance,
  longOf,
  timeParts,
  timeText,
} from './local-temporal.ts';
import { compareDays, compareTimes, unobtainable } from './local-values.ts';
import { JavaTemporal } from './temporal.ts';
import type { JavaField } from './temporal-field.ts';
import type { JavaUnit } from './temporal-unit.ts';
import { dateTimeException, unsupportedType } from './time-errors.ts';
import { type JavaOffset, type JavaZone, localOffset, offsetOfSeconds, UTC_ZONE } from './time-zones.ts';

const DAY_MS = 86_400_000;
const SECOND_MS = 1_000;
/** First second of Java's instants, and the first one behind them. */
export const SECOND_MIN = -31_557_014_167_219_200;
const SECOND_END = 31_556_889_864_403_200;
const INSTANT_FIELDS: readonly string[] = ['NANO_OF_SECOND', 'MICRO_OF_SECOND', 'MILLI_OF_SECOND', 'INSTANT_SECONDS'];

/** Parts of the clock on the wall, to the millisecond. */
export interface LocalParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
}

export class JavaInstant extends JavaTemporal {
  readonly javaClass = 'java.time.Instant';
  readonly epochDay = null;
  readonly nanoOfDay = null;
  readonly seconds: number;
  readonly nano: number;

  constructor(seconds: number, nano: number) {
    super();
    if (seconds < SECOND_MIN || seconds >= SECOND_END) {
      throw dateTimeException('Instant exceeds minimum or maximum instant');
    }
    this.seconds = seconds;
    this.nano = nano;
  }

  static ofMillis(ms: number): JavaInstant {
    const seconds = Math.floor(ms / SECOND_MS);
    return new JavaInstant(seconds, (ms - seconds * SECOND_MS) * NANOS_PER_MS);
  }

  static from(other: JavaTemporal): JavaInstant {
    if (other instanceof JavaInstant) return other;
    if (other.instant === null) throw unobtainable('Instant', other);
    return new JavaInstant(...other.instant);
  }

  override get instant(): readonly [number, number] {
    return [this.seconds, this.nano];
  }

  /** Milliseconds since 1970. */
  get ms(): number {
    return this.seconds * SECOND_MS + Math.floor(this.nano / NANOS_PER_MS);
  }

  supports(field: JavaField): boolean {
    return INSTANT_FIELDS.includes(field.name);
  }

  supportsUnit(unit: JavaUnit): boolean {
    return unit.kind === 'time' || unit.name === 'DAYS';
  }

  protected read({ name }: JavaField): number {
    if (name === 'INSTANT_SECONDS') return this.seconds;
    return Math.floor(this.nano / (name === 'NANO_OF_SECOND' ? 1 : name === 'MICRO_OF_SECOND' ? 1_000 : NANOS_PER_MS));
  }

  protected written({ name }: JavaField, value: number): JavaTemporal {
    if (name === 'INSTANT_SECONDS') return new JavaInstant(value, this.nano);
    const size = name === 'NANO_OF_SECOND' ? 1 : name === 'MICRO_OF_SECOND' ? 1_000 : NANOS_PER_MS;
    return new JavaInstant(this.seconds, value * size);
  }

  protected added(count: bigint, unit: JavaUnit): JavaTemporal {
    return this.plusNanos(count * BigInt(unit.kind === 'day' ? NANOS_PER_DAY : unit.size));
  }

  plusNanos(nanos: bigint): JavaInstant {
    const total = BigInt(this.nano) + nanos;
    const second = BigInt(NANOS_PER_SECOND);
    const rest = ((total % second) + second) % second;
    return new JavaInstant(this.seconds + Number((total - rest) / second), Number(rest));
  }

  protected distance(end: this, unit: JavaUnit): bigint {
    const nanos = BigInt(end.seconds - this.seconds) * BigInt(NANOS_PER_SECOND) + BigInt(end.nano - this.nano);
    return longOf(nanos / BigInt(unit.kind === 'day' ? NANOS_PER_DAY : unit.size));
  }

  protected likeThis(other: JavaTemporal): this {
    return JavaInstant.from(other) as this;
  }

  text(): string {
    const day = floorDiv(this.seconds, SECONDS_PER_DAY);
    const nanoOfDay = floorMod(this.seconds, SECONDS_PER_DAY) * NANOS_PER_SECOND + this.nano;
    return `${dateText(day)}T${timeText(nanoOfDay, true)}Z`;
  }

  override json(): unknown {
    return this.text();
  }

  override key(): unknown {
    return `instant ${this.seconds} ${this.nano}`;
  }

  override equals(other: ScriptObject): boolean {
    return other instanceof JavaInstant && other.seconds === this.seconds && other.nano === this.nano;
  }

  override compare(other: ScriptObject): number | null {
    if (!(other instanceof JavaInstant)) return null;
    return Math.sign(this.seconds - other.seconds) || this.nano - other.nano;
  }
}

export class JavaDateTime extends LocalTemporal {
  readonly javaClass: string = 'java.time.ZonedDateTime';
  /** Milliseconds since 1970. */
  readonly ms: number;
  override readonly zone: JavaZone;
  /** Nanoseconds of the millisecond. */
  readonly rest: number;
  #local: readonly [day: number, nano: number] | null = null;

  constructor(ms: number, zone: JavaZone = UTC_ZONE, rest = 0) {
    super();
    this.ms = ms;
    this.zone = zone;
    this.rest = rest;
  }

  static ofInstant([seconds, nano]: readonly [number, number], zone: JavaZone): JavaDateTime {
    return new JavaDateTime(seconds * SECOND_MS + Math.floor(nano / NANOS_PER_MS), zone, nano % NANOS_PER_MS);
  }

  /** @param preferred offset that is taken where the clock shows the time twice */
  static ofLocal(epochDay: number, nanoOfDay: number, zone: JavaZone, preferred: number | null = null): JavaDateTime {
    const localMs = epochDay * DAY_MS + Math.floor(nanoOfDay / NANOS_PER_MS);
    const ms = localMs - localOffset(zone, localMs, preferred) * SECOND_MS;
    return new JavaDateTime(ms, zone, nanoOfDay % NANOS_PER_MS);
  }

  static from(other: JavaTemporal): JavaDateTime {
    if (other instanceof JavaDateTime) return other;
    const { zone, instant } = other;
    if (zone !== null && instant !== null) return JavaDateTime.ofInstant(instant, zone);
    if (zone === null || other.epochDay === null || other.nanoOfDay === null)
      throw unobtainable('ZonedDateTime', other);
    return JavaDateTime.ofLocal(other.epochDay, other.nanoOfDay, zone);
  }

  override get offsetSeconds(): number {
    return this.zone.offsetAt(this.ms);
  }

  get offset(): JavaOffset {
    return offsetOfSeconds(this.offsetSeconds);
  }

  override get instant(): readonly [number, number] {
    const seconds = Math.floor(this.ms / SECOND_MS);
    return [seconds, (this.ms - seconds * SECOND_MS) * NANOS_PER_MS + this.rest];
  }

  get #clock(): readonly [number, number] {
    if (this.#local === null) {
      const localMs = this.ms + this.offsetSeconds * SECOND_MS;
      const day = Math.floor(localMs / DAY_MS);
      this.#local = [day, (localMs - day * DAY_MS) * NANOS_PER_MS + this.rest];
    }
    return this.#local;
  }

  get epochDay(): number {
    return this.#clock[0];
  }

  get nanoOfDay(): number {
    return this.#clock[1];
  }

  get parts(): LocalParts {
    const { hour, minute, second, nano } = timeParts(this.nanoOfDay);
    return { ...this.dateParts, hour, minute, second, millisecond: Math.floor(nano / NANOS_PER_MS) };
  }

  protected rebuilt(epochDay: number, nanoOfDay: number): JavaDateTime {
    return JavaDateTime.ofLocal(epochDay, nanoOfDay, this.zone, this.offsetSeconds);
  }

  protected override written(field: JavaField, value: number): JavaTemporal {
    if (field.name === 'INSTANT_SECONDS') return JavaDateTime.ofInstant([value, this.instant[1]], this.zone);
    if (field.name !== 'OFFSET_SECONDS') return super.written(field, value);
    return JavaDateTime.ofLocal(this.epochDay, this.nanoOfDay, this.zone, value);
  }

  /** Days and months are those of the calendar, which a change of the clock makes longer or shorter; hours are not. */
  protected override added(count: bigint, unit: JavaUnit): JavaTemporal {
    if (unit.kind !== 'time') return super.added(count, unit);
    const utcDay = Math.floor(this.ms / DAY_MS);
    const utcNano = (this.ms - utcDay * DAY_MS) * NANOS_PER_MS + this.rest;
    const [day, nano] = addedNanos(utcDay, utcNano, count, unit.size);
    return new JavaDateTime(day * DAY_MS + Math.floor(nano / NANOS_PER_MS), this.zone, nano % NANOS_PER_MS);
  }

  protected likeThis(other: JavaTemporal): this {
    const { ms, rest } = JavaDateTime.from(other);
    return new JavaDateTime(ms, this.zone, rest) as this;
  }

  protected override distance(end: this, unit: JavaUnit): bigint {
    if (unit.kind !== 'time') return super.distance(end, unit);
    const utc = ({ ms, rest }: JavaDateTime): readonly [number, number] => {
      const day = Math.floor(ms / DAY_MS);
      return [day, (ms - day * DAY_MS) * NANOS_PER_MS + rest];
    };
    return localDistance(utc(this), utc(end), unit);
  }

  text(): string {
    const { id } = this.offset;
    const local = `${dateText(this.epochDay)}T${timeText(this.nanoOfDay)}${id}`;
    return this.zone.id === id ? local : `${local}[${this.zone.id}]`;
  }

  override json(): unknown {
    return isoText(this, this.offset.id);
  }

  override key(): unknown {
    return `zoned ${this.ms} ${this.rest} ${this.zone.id}`;
  }

  override equals(other: ScriptObject): boolean {
    return other instanceof JavaDateTime && other.key() === this.key();
  }

  override compare(other: ScriptObject): number | null {
    if (!(other instanceof JavaDateTime)) return null;
    const [[seconds, nano], [otherSeconds, otherNano]] = [this.instant, other.instant];
    if (seconds !== otherSeconds) return seconds < otherSeconds ? -1 : 1;
    if (nano !== otherNano) return nano - otherNano;
    const local = compareDays(this.epochDay, other.epochDay) || compareTimes(this.nanoOfDay, other.nanoOfDay);
    return local || (this.zone.id < other.zone.id ? -1 : this.zone.id > other.zone.id ? 1 : 0);
  }
}

/** Value of a date field: of a class of its own, some of whose methods give numbers for what others give as objects. */
export class FieldDateTime extends JavaDateTime {
  override readonly javaClass = 'org.elasticsearch.script.JodaCompatibleZonedDateTime';

  override text(): string {
    return isoText(this, this.offset.id);
  }
}

/** @throws JavaException for a unit that is no part of a day, or none that a day is made of */
export function truncatedNanos(nanoOfDay: number, unit: JavaUnit): number {
  if (unit.name === 'DAYS') return 0;
  if (unit.kind !== 'time') throw unsupportedType('Unit is too large to be used for truncation');
  return nanoOfDay - (nanoOfDay % unit.size);
}
