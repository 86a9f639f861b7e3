/**
 * `OffsetDateTime` and `OffsetTime`.
 */

import { nativeFunction } from '../contract/calls.ts';
import { type ScriptClass, scriptClass } from '../contract/script-class.ts';
import { EPOCH_DAY_MAX, EPOCH_DAY_MIN } from '../time/calendar-math.ts';
import { JavaDateTime, JavaInstant, truncatedNanos } from '../time/instants.ts';
import { ISO_OFFSET_DATE_TIME, ISO_OFFSET_TIME } from '../time/java-formatter.ts';
import { checkedDay, nanoOfDayOf } from '../time/local-temporal.ts';
import { JavaLocalDate, JavaLocalDateTime, JavaLocalTime, LAST_NANO } from '../time/local-values.ts';
import { JavaOffsetDateTime, JavaOffsetTime } from '../time/offset-values.ts';
import type { JavaUnit } from '../time/temporal-unit.ts';
import { type JavaOffset, type JavaZone, offsetOfSeconds } from '../time/time-zones.ts';
import { JavaInteger } from '../values/java-numbers.ts';
import {
  byInstant,
  DATE_STEPS,
  dateMembers,
  FORMAT_MEMBER,
  orderMembers,
  parseMembers,
  required,
  TEMPORAL_SUPERS,
  TIME_STEPS,
  temporalMembers,
  timeMembers,
} from './temporal-members.ts';

type Parts = [number, number, number, number, number, number, number, JavaOffset];
const EAST = offsetOfSeconds(18 * 3_600);
const WEST = offsetOfSeconds(-18 * 3_600);

function dateTimeOf(...[year, month, day, hour, minute, second, nano, offset]: Parts): JavaOffsetDateTime {
  const time = nanoOfDayOf({ hour, minute, second, nano });
  return new JavaOffsetDateTime(checkedDay(year, month, day), time, required(offset));
}

function atZone(instant: readonly [number, number], zone: JavaZone): JavaOffsetDateTime {
  return JavaOffsetDateTime.ofInstant(instant, offsetOfSeconds(zone.offsetAt(instant[0] * 1_000)));
}

const OFFSET_DATE_TIME = scriptClass('java.time.OffsetDateTime', [...TEMPORAL_SUPERS], {
  'const OffsetDateTime MIN': new JavaOffsetDateTime(EPOCH_DAY_MIN, 0, EAST),
  'const OffsetDateTime MAX': new JavaOffsetDateTime(EPOCH_DAY_MAX, LAST_NANO, WEST),
  'static OffsetDateTime of(LocalDateTime,ZoneOffset)': (_m, _s, local: JavaLocalDateTime, offset: JavaOffset) =>
    new JavaOffsetDateTime(required(local).epochDay, local.nanoOfDay, required(offset)),
  'static OffsetDateTime of(LocalDate,LocalTime,ZoneOffset)': (
    _m,
    _s,
    date: JavaLocalDate,
    time: JavaLocalTime,
    offset: JavaOffset,
  ) => new JavaOffsetDateTime(required(date).epochDay, required(time).nanoOfDay, required(offset)),
  'static OffsetDateTime of(int,int,int,int,int,int,int,ZoneOffset)': (_m, _s, ...parts: Parts) => dateTimeOf(...parts),
  'static OffsetDateTime ofInstant(Instant,ZoneId)': (_m, _s, instant: JavaInstant, zone: JavaZone) =>
    atZone(required(instant).instant, required(zone)),
  'static Comparator timeLineOrder()': () =>
    nativeFunction(2, (_m, [a, b]) =>
      JavaInteger.of(Math.sign(byInstant(a as JavaOffsetDateTime, b as JavaOffsetDateTime))),
    ),
  ...parseMembers('OffsetDateTime', ISO_OFFSET_DATE_TIME, (parsed) => JavaOffsetDateTime.from(parsed)),
  ...temporalMembers('OffsetDateTime', [...DATE_STEPS, ...TIME_STEPS]),
  ...dateMembers('OffsetDateTime'),
  ...timeMembers('OffsetDateTime'),
  ...FORMAT_MEMBER,
  ...orderMembers('OffsetDateTime', byInstant),
  'ZoneOffset getOffset()': (_m, self: JavaOffsetDateTime) => self.offset,
  'Instant toInstant()': (_m, self: JavaOffsetDateTime) => JavaInstant.from(self),
  'long toEpochSecond()': (_m, self: JavaOffsetDateTime) => BigInt(self.instant[0]),
  'LocalDate toLocalDate()': (_m, self: JavaOffsetDateTime) => new JavaLocalDate(self.epochDay),
  'LocalTime toLocalTime()': (_m, self: JavaOffsetDateTime) => new JavaLocalTime(self.nanoOfDay),
  'LocalDateTime toLocalDateTime()': (_m, self: JavaOffsetDateTime) => JavaLocalDateTime.from(self),
  'OffsetTime toOffsetTime()': (_m, self: JavaOffsetDateTime) => new JavaOffsetTime(self.nanoOfDay, self.offset),
  'ZonedDateTime toZonedDateTime()': (_m, self: JavaOffsetDateTime) =>
    JavaDateTime.ofInstant(self.instant, self.offset),
  'ZonedDateTime atZoneSameInstant(ZoneId)': (_m, self: JavaOffsetDateTime, zone: JavaZone) =>
    JavaDateTime.ofInstant(self.instant, required(zone)),
  'ZonedDateTime atZoneSimilarLocal(ZoneId)': (_m, self: JavaOffsetDateTime, zone: JavaZone) =>
    JavaDateTime.ofLocal(self.epochDay, self.nanoOfDay, required(zone), self.offset.seconds),
  'OffsetDateTime truncatedTo(TemporalUnit)': (_m, self: JavaOffsetDateTime, unit: JavaUnit) =>
    self.at(self.epochDay, truncatedNanos(self.nanoOfDay, required(unit))),
  'OffsetDateTime withOffsetSameInstant(ZoneOffset)': (_m, self: JavaOffsetDateTime, offset: JavaOffset) =>
    self.sameInstant(required(offset)),
  'OffsetDateTime withOffsetSameLocal(ZoneOffset)': (_m, self: JavaOffsetDateTime, offset: JavaOffset) =>
    new JavaOffsetDateTime(self.epochDay, self.nanoOfDay, required(offset)),
});

const OFFSET_TIME = scriptClass('java.time.OffsetTime', [...TEMPORAL_SUPERS], {
  'const OffsetTime MIN': new JavaOffsetTime(0, EAST),
  'const OffsetTime MAX': new JavaOffsetTime(LAST_NANO, WEST),
  'static OffsetTime of(LocalTime,ZoneOffset)': (_m, _s, time: JavaLocalTime, offset: JavaOffset) =>
    new JavaOffsetTime(required(time).nanoOfDay, required(offset)),
  'static OffsetTime of(int,int,int,int,ZoneOffset)': (
    _m,
    _s,
    hour: number,
    minute: number,
    second: number,
    nano: number,
    offset: JavaOffset,
  ) => new JavaOffsetTime(nanoOfDayOf({ hour, minute, second, nano }), required(offset)),
  'static OffsetTime ofInstant(Instant,ZoneId)': (_m, _s, instant: JavaInstant, zone: JavaZone) => {
    const { nanoOfDay, offset } = atZone(required(instant).instant, required(zone));
    return new JavaOffsetTime(nanoOfDay, offset);
  },
  ...parseMembers('OffsetTime', ISO_OFFSET_TIME, (parsed) => JavaOffsetTime.from(parsed)),
  ...temporalMembers('OffsetTime', TIME_STEPS),
  ...timeMembers('OffsetTime'),
  ...FORMAT_MEMBER,
  ...orderMembers('OffsetTime', (a: JavaOffsetTime, b: JavaOffsetTime) => a.utcNanos - b.utcNanos),
  'ZoneOffset getOffset()': (_m, self: JavaOffsetTime) => self.offset,
  'LocalTime toLocalTime()': (_m, self: JavaOffsetTime) => new JavaLocalTime(self.nanoOfDay),
  'OffsetTime truncatedTo(TemporalUnit)': (_m, self: JavaOffsetTime, unit: JavaUnit) =>
    new JavaOffsetTime(truncatedNanos(self.nanoOfDay, required(unit)), self.offset),
  'OffsetTime withOffsetSameInstant(ZoneOffset)': (_m, self: JavaOffsetTime, offset: JavaOffset) =>
    self.sameInstant(required(offset)),
  'OffsetTime withOffsetSameLocal(ZoneOffset)': (_m, self: JavaOffsetTime, offset: JavaOffset) =>
    new JavaOffsetTime(self.nanoOfDay, required(offset)),
});

export const OFFSET_CLASSES: readonly ScriptClass[] = [OFFSET_DATE_TIME, OFFSET_TIME];
