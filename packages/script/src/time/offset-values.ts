/**
 * `OffsetDateTime` and `OffsetTime`: by the clock on the wall, with how far it is from UTC.
 */
import type { ScriptObject } from '../values/script-object.ts';
import { epochSecondOf, floorDiv, floorMod, NANOS_PER_DAY, NANOS_PER_SECOND } from './calendar-math.ts';
import { dateText, isoText, LocalTemporal, longOf, timeText } from './local-temporal.ts';
import { compareDays, compareTimes, unobtainable } from './local-values.ts';
import type { JavaTemporal } from './temporal.ts';
import type { JavaField } from './temporal-field.ts';
import type { JavaUnit } from './temporal-unit.ts';
import { type JavaOffset, offsetOfSeconds } from './time-zones.ts';

/** Another clock reading of the same moment: days and nanoseconds so many seconds on. */
function shifted(epochDay: number, nanoOfDay: number, seconds: number): readonly [number, number] {
  const nanos = nanoOfDay + seconds * NANOS_PER_SECOND;
  return [epochDay + floorDiv(nanos, NANOS_PER_DAY), floorMod(nanos, NANOS_PER_DAY)];
}

export class JavaOffsetDateTime extends LocalTemporal {
  readonly javaClass = 'java.time.OffsetDateTime';
  readonly epochDay: number;
  readonly nanoOfDay: number;
  readonly offset: JavaOffset;
  override readonly zone: JavaOffset;

  constructor(epochDay: number, nanoOfDay: number, offset: JavaOffset) {
    super();
    this.epochDay = epochDay;
    this.nanoOfDay = nanoOfDay;
    this.offset = offset;
    this.zone = offset;
  }

  static ofInstant([seconds, nano]: readonly [number, number], offset: JavaOffset): JavaOffsetDateTime {
    const local = seconds + offset.seconds;
    const day = floorDiv(local, 86_400);
    return new JavaOffsetDateTime(day, (local - day * 86_400) * NANOS_PER_SECOND + nano, offset);
  }

  override get offsetSeconds(): number {
    return this.offset.seconds;
  }

  override get instant(): readonly [number, number] {
    return [epochSecondOf(this.epochDay, this.nanoOfDay) - this.offset.seconds, this.nanoOfDay % NANOS_PER_SECOND];
  }

  protected rebuilt(epochDay: number, nanoOfDay: number): JavaOffsetDateTime {
    return new JavaOffsetDateTime(epochDay, nanoOfDay, this.offset);
  }

  protected override written(field: JavaField, value: number): JavaTemporal {
    if (field.name === 'OFFSET_SECONDS') {
      return new JavaOffsetDateTime(this.epochDay, this.nanoOfDay, offsetOfSeconds(value));
    }
    if (field.name === 'INSTANT_SECONDS') {
      return JavaOffsetDateTime.ofInstant([value, this.nanoOfDay % NANOS_PER_SECOND], this.offset);
    }
    return super.written(field, value);
  }

  /** The same moment by another clock. */
  sameInstant(offset: JavaOffset): JavaOffsetDateTime {
    const [day, nano] = shifted(this.epochDay, this.nanoOfDay, offset.seconds - this.offset.seconds);
    return new JavaOffsetDateTime(day, nano, offset);
  }

  static from(other: JavaTemporal): JavaOffsetDateTime {
    if (other instanceof JavaOffsetDateTime) return other;
    const { epochDay, nanoOfDay, offsetSeconds } = other;
    if (epochDay === null || nanoOfDay === null || offsetSeconds === null) throw unobtainable('OffsetDateTime', other);
    return new JavaOffsetDateTime(epochDay, nanoOfDay, offsetOfSeconds(offsetSeconds));
  }

  protected likeThis(other: JavaTemporal): this {
    return JavaOffsetDateTime.from(other).sameInstant(this.offset) as this;
  }

  text(): string {
    return `${dateText(this.epochDay)}T${timeText(this.nanoOfDay)}${this.offset.id}`;
  }

  override json(): unknown {
    return isoText(this, this.offset.id);
  }

  override key(): unknown {
    return `offset ${this.epochDay} ${this.nanoOfDay} ${this.offset.id}`;
  }

  override equals(other: ScriptObject): boolean {
    return other instanceof JavaOffsetDateTime && other.key() === this.key();
  }

  override compare(other: ScriptObject): number | null {
    if (!(other instanceof JavaOffsetDateTime)) return null;
    const local = compareDays(this.epochDay, other.epochDay) || compareTimes(this.nanoOfDay, other.nanoOfDay);
    if (other.offset.seconds === this.offset.seconds) return local;
    const [[seconds, nano], [otherSeconds, otherNano]] = [this.instant, other.instant];
    return Math.sign(seconds - otherSeconds) || nano - otherNano || local;
  }
}

export class JavaOffsetTime extends LocalTemporal {
  readonly javaClass = 'java.time.OffsetTime';
  readonly epochDay = null;
  readonly nanoOfDay: number;
  readonly offset: JavaOffset;
  override readonly zone: JavaOffset;

  constructor(nanoOfDay: number, offset: JavaOffset) {
    super();
    this.nanoOfDay = nanoOfDay;
    this.offset = offset;
    this.zone = offset;
  }

  override get offsetSeconds(): number {
    return this.offset.seconds;
  }

  get utcNanos(): number {
    return this.nanoOfDay - this.offset.seconds * NANOS_PER_SECOND;
  }

  protected rebuilt(_epochDay: number, nanoOfDay: number): JavaOffsetTime {
    return new JavaOffsetTime(nanoOfDay, this.offset);
  }

  protected override written(field: JavaField, value: number): JavaTemporal {
    if (field.name === 'OFFSET_SECONDS') return new JavaOffsetTime(this.nanoOfDay, offsetOfSeconds(value));
    return super.written(field, value);
  }

  protected override distance(end: this, unit: JavaUnit): bigint {
    return longOf(BigInt(end.utcNanos - this.utcNanos) / BigInt(unit.size));
  }

  sameInstant(offset: JavaOffset): JavaOffsetTime {
    return new JavaOffsetTime(shifted(0, this.nanoOfDay, offset.seconds - this.offset.seconds)[1], offset);
  }

  static from(other: JavaTemporal): JavaOffsetTime {
    if (other instanceof JavaOffsetTime) return other;
    const { nanoOfDay, offsetSeconds } = other;
    if (nanoOfDay === null || offsetSeconds === null) throw unobtainable('OffsetTime', other);
    return new JavaOffsetTime(nanoOfDay, offsetOfSeconds(offsetSeconds));
  }

  protected likeThis(other: JavaTemporal): this {
    return JavaOffsetTime.from(other) as this;
  }

  text(): string {
    return `${timeText(this.nanoOfDay)}${this.offset.id}`;
  }

  override key(): unknown {
    return `offset time ${this.text()}`;
  }

  override equals(other: ScriptObject): boolean {
    return other instanceof JavaOffsetTime && other.key() === this.key();
  }

  override compare(other: ScriptObject): number | null {
    if (!(other instanceof JavaOffsetTime)) return null;
    return compareTimes(this.utcNanos, other.utcNanos) || compareTimes(this.nanoOfDay, other.nanoOfDay);
  }
}
