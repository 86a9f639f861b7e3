/**
 * `ZoneId`, `ZoneOffset`, the rules of zones, and `Clock`.
 */

import { type ScriptClass, scriptClass } from '../contract/script-class.ts';
import type { JavaInstant } from '../time/instants.ts';
import type { JavaEnum } from '../time/java-enum.ts';
import type { JavaLocale } from '../time/java-locale.ts';
import type { JavaLocalDateTime } from '../time/local-values.ts';
import type { JavaTemporal } from '../time/temporal.ts';
import { JavaDuration } from '../time/time-amounts.ts';
import { dateTimeException } from '../time/time-errors.ts';
import {
  JavaOffset,
  JavaZone,
  offsetNamed,
  offsetOf,
  offsetOfSeconds,
  UTC_ZONE,
  validOffsets,
} from '../time/time-zones.ts';
import { zoneName } from '../time/zone-names.ts';
import { JavaSet } from '../values/java-map.ts';
import { ScriptObject } from '../values/script-object.ts';
import { styleOf } from './name-classes.ts';
import { COMPARABLE, OBJECT, required } from './temporal-members.ts';

class ZoneRules extends ScriptObject {
  readonly javaClass = 'java.time.zone.ZoneRules';
  readonly zone: JavaZone;

  constructor(zone: JavaZone) {
    super();
    this.zone = zone;
  }

  offset({ ms }: JavaInstant): JavaOffset {
    return offsetOfSeconds(this.zone.offsetAt(ms));
  }

  /** Offset of the winter near a moment: the least of those of the year around it. */
  standard({ ms }: JavaInstant): JavaOffset {
    const offsets = [-182, -91, 0, 91, 182].map((days) => this.zone.offsetAt(ms + days * DAY_MS));
    return offsetOfSeconds(Math.min(...offsets));
  }

  local({ epochDay, nanoOfDay }: JavaLocalDateTime): readonly number[] {
    return validOffsets(this.zone, epochDay * DAY_MS + Math.floor(nanoOfDay / 1e6));
  }

  text(): string {
    return `ZoneRules[${this.zone.id}]`;
  }

  override equals(other: ScriptObject): boolean {
    return other instanceof ZoneRules && other.zone.equals(this.zone);
  }
}

const DAY_MS = 86_400_000;

/** A clock that stands still. Scripts have no other: what time it is they are told. */
class FixedClock extends ScriptObject {
  readonly javaClass = 'java.time.Clock';
  readonly instant: JavaInstant;
  readonly zone: JavaZone;

  constructor(instant: JavaInstant, zone: JavaZone) {
    super();
    this.instant = instant;
    this.zone = zone;
  }

  text(): string {
    return `FixedClock[${this.instant.text()},${this.zone.id}]`;
  }
}

function zoneFrom(temporal: JavaTemporal): JavaZone {
  const { zone } = required(temporal);
  if (zone === null) {
    throw dateTimeException(
      `Unable to obtain ZoneId from TemporalAccessor: ${temporal.text()} of type ${temporal.typeName}`,
    );
  }
  return zone;
}

const ZONE = scriptClass('java.time.ZoneId', [OBJECT], {
  'static ZoneId of(String)': (_m, _s, id: string) => JavaZone.of(required(id)),
  'static ZoneId of(String,Map)': (_m, _s, id: string, aliases: { get(key: unknown): unknown }) =>
    JavaZone.of(String(required(aliases).get(required(id)) ?? id)),
  'static ZoneId ofOffset(String,ZoneOffset)': (_m, _s, prefix: string, offset: JavaOffset) =>
    JavaZone.of(`${required(prefix)}${required(offset).seconds === 0 ? '' : offset.id}`),
  'static ZoneId from(TemporalAccessor)': (_m, _s, temporal: JavaTemporal) => zoneFrom(temporal),
  'static ZoneId systemDefault()': () => UTC_ZONE,
  'static Set getAvailableZoneIds()': (m) => {
    const names = Intl.supportedValuesOf('timeZone');
    m.grow(names.length);
    return new JavaSet('java.util.HashSet', names);
  },
  'String getId()': (_m, self: JavaZone) => self.id,
  'String getDisplayName(TextStyle,Locale)': (_m, self: JavaZone, style: JavaEnum, locale: JavaLocale) =>
    required(locale) && zoneName(self, null, styleOf(required(style)) === 'long'),
  'ZoneRules getRules()': (_m, self: JavaZone) => new ZoneRules(self),
  'ZoneId normalized()': (_m, self: JavaZone) =>
    /^(?:UTC|GMT|UT)/.test(self.id) ? offsetOfSeconds(self.offsetAt(0)) : self,
});

const OFFSET = scriptClass('java.time.ZoneOffset', ['java.time.ZoneId', COMPARABLE, OBJECT], {
  'const ZoneOffset UTC': UTC_ZONE,
  'const ZoneOffset MIN': offsetOf(-18),
  'const ZoneOffset MAX': offsetOf(18),
  'static ZoneOffset of(String)': (_m, _s, id: string) => offsetNamed(required(id)),
  'static ZoneOffset ofHours(int)': (_m, _s, hours: number) => offsetOf(hours),
  'static ZoneOffset ofHoursMinutes(int,int)': (_m, _s, hours: number, minutes: number) => offsetOf(hours, minutes),
  'static ZoneOffset ofHoursMinutesSeconds(int,int,int)': (_m, _s, hours: number, minutes: number, seconds: number) =>
    offsetOf(hours, minutes, seconds),
  'static ZoneOffset ofTotalSeconds(int)': (_m, _s, seconds: number) => offsetOfSeconds(seconds),
  'static ZoneOffset from(TemporalAccessor)': (_m, _s, temporal: JavaTemporal) => {
    const { offsetSeconds } = required(temporal);
    if (offsetSeconds !== null) return offsetOfSeconds(offsetSeconds);
    throw dateTimeException(
      `Unable to obtain ZoneOffset from TemporalAccessor: ${temporal.text()} of type ${temporal.typeName}`,
    );
  },
  'int getTotalSeconds()': (_m, self: JavaOffset) => self.seconds,
});

const RULES = scriptClass('java.time.zone.ZoneRules', [OBJECT], {
  'static ZoneRules of(ZoneOffset)': (_m, _s, offset: JavaOffset) => new ZoneRules(required(offset)),
  'ZoneOffset getOffset(Instant)': (_m, self: ZoneRules, instant: JavaInstant) => self.offset(required(instant)),
  'ZoneOffset getStandardOffset(Instant)': (_m, self: ZoneRules, instant: JavaInstant) =>
    self.standard(required(instant)),
  'Duration getDaylightSavings(Instant)': (_m, self: ZoneRules, instant: JavaInstant) =>
    new JavaDuration(BigInt(self.offset(required(instant)).seconds - self.standard(instant).seconds) * 1_000_000_000n),
  'boolean isDaylightSavings(Instant)': (_m, self: ZoneRules, instant: JavaInstant) =>
    self.offset(required(instant)).seconds !== self.standard(instant).seconds,
  'boolean isFixedOffset()': (_m, self: ZoneRules) =>
    self.zone instanceof JavaOffset || /^(?:UTC|GMT|UT)(?:$|[+-])/.test(self.zone.id),
  'List getValidOffsets(LocalDateTime)': (_m, self: ZoneRules, local: JavaLocalDateTime) =>
    self.local(required(local)).map(offsetOfSeconds),
  'boolean isValidOffset(LocalDateTime,ZoneOffset)': (
    _m,
    self: ZoneRules,
    local: JavaLocalDateTime,
    offset: JavaOffset,
  ) => self.local(required(local)).includes(required(offset).seconds),
});

const CLOCK = scriptClass('java.time.Clock', [OBJECT], {
  'static Clock fixed(Instant,ZoneId)': (_m, _s, instant: JavaInstant, zone: JavaZone) =>
    new FixedClock(required(instant), required(zone)),
  'static Clock offset(Clock,Duration)': (_m, _s, clock: FixedClock, by: JavaDuration) =>
    new FixedClock(required(clock).instant.plusNanos(required(by).total), clock.zone),
  'static Clock tick(Clock,Duration)': (_m, _s, clock: FixedClock, by: JavaDuration) => {
    const { instant } = required(clock);
    const nanos = BigInt(instant.seconds) * 1_000_000_000n + BigInt(instant.nano);
    const { total } = required(by);
    const rest = total === 0n ? 0n : ((nanos % total) + total) % total;
    return new FixedClock(instant.plusNanos(-rest), clock.zone);
  },
  'Instant instant()': (_m, self: FixedClock) => self.instant,
  'long millis()': (_m, self: FixedClock) => BigInt(self.instant.ms),
  'ZoneId getZone()': (_m, self: FixedClock) => self.zone,
});

export const ZONE_CLASSES: readonly ScriptClass[] = [ZONE, OFFSET, RULES, CLOCK];
