/**
 * `ZonedDateTime`, the class of values of date fields, and `Instant`.
 */

import { type Invoke, type ScriptClass, scriptClass } from '../contract/script-class.ts';
import { dateOf, dayOfWeek, isLeapYear, isoWeek, NANOS_PER_MS, NANOS_PER_SECOND } from '../time/calendar-math.ts';
import { JavaDateTime, JavaInstant, SECOND_MIN, truncatedNanos } from '../time/instants.ts';
import { DAYS } from '../time/java-enum.ts';
import { ISO_INSTANT, ISO_ZONED_DATE_TIME, type JavaFormatter, patternFormatter } from '../time/java-formatter.ts';
import type { JavaLocale } from '../time/java-locale.ts';
import { checkedDay, longOf, nanoOfDayOf } from '../time/local-temporal.ts';
import { JavaLocalDate, JavaLocalDateTime, JavaLocalTime } from '../time/local-values.ts';
import { JavaOffsetDateTime } from '../time/offset-values.ts';
import { chronoField } from '../time/temporal-field.ts';
import type { JavaUnit } from '../time/temporal-unit.ts';
import { dateTimeException } from '../time/time-errors.ts';
import { type JavaOffset, type JavaZone, validOffsets } from '../time/time-zones.ts';
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

type Parts = [number, number, number, number, number, number, number, JavaZone];

function zonedOf(...[year, month, day, hour, minute, second, nano, zone]: Parts): JavaDateTime {
  return JavaDateTime.ofLocal(
    checkedDay(year, month, day),
    nanoOfDayOf({ hour, minute, second, nano }),
    required(zone),
  );
}

/** The same clock reading by the first or the last of the offsets that it may be of. */
function atOverlap(self: JavaDateTime, index: 0 | -1): JavaDateTime {
  const offset = validOffsets(self.zone, self.ms + self.offsetSeconds * 1_000).at(index) ?? self.offsetSeconds;
  return JavaDateTime.ofLocal(self.epochDay, self.nanoOfDay, self.zone, offset);
}

function ofStrict(local: JavaLocalDateTime, offset: JavaOffset, zone: JavaZone): JavaDateTime {
  const made = JavaDateTime.ofLocal(local.epochDay, local.nanoOfDay, zone, offset.seconds);
  if (made.offsetSeconds !== offset.seconds) {
    throw dateTimeException(
      `ZoneOffset '${offset.id}' is not valid for LocalDateTime '${local.text()}' in zone '${zone.id}'`,
    );
  }
  return made;
}

const CONVERSIONS: Record<string, Invoke> = {
  'LocalDate toLocalDate()': (_m, self: JavaDateTime) => new JavaLocalDate(self.epochDay),
  'LocalTime toLocalTime()': (_m, self: JavaDateTime) => new JavaLocalTime(self.nanoOfDay),
  'LocalDateTime toLocalDateTime()': (_m, self: JavaDateTime) => JavaLocalDateTime.from(self),
  'OffsetDateTime toOffsetDateTime()': (_m, self: JavaDateTime) => JavaOffsetDateTime.from(self),
  'Instant toInstant()': (_m, self: JavaDateTime) => JavaInstant.from(self),
  'long toEpochSecond()': (_m, self: JavaDateTime) => BigInt(self.instant[0]),
  'ZoneId getZone()': (_m, self: JavaDateTime) => self.zone,
  'ZoneOffset getOffset()': (_m, self: JavaDateTime) => self.offset,
  'ZonedDateTime truncatedTo(TemporalUnit)': (_m, self: JavaDateTime, unit: JavaUnit) =>
    self.at(self.epochDay, truncatedNanos(self.nanoOfDay, required(unit))),
  'ZonedDateTime withZoneSameInstant(ZoneId)': (_m, self: JavaDateTime, zone: JavaZone) =>
    new JavaDateTime(self.ms, required(zone), self.rest),
  'ZonedDateTime withZoneSameLocal(ZoneId)': (_m, self: JavaDateTime, zone: JavaZone) =>
    JavaDateTime.ofLocal(self.epochDay, self.nanoOfDay, required(zone), self.offsetSeconds),
  'ZonedDateTime withEarlierOffsetAtOverlap()': (_m, self: JavaDateTime) => atOverlap(self, 0),
  'ZonedDateTime withLaterOffsetAtOverlap()': (_m, self: JavaDateTime) => atOverlap(self, -1),
  'ZonedDateTime withFixedOffsetZone()': (_m, self: JavaDateTime) => new JavaDateTime(self.ms, self.offset, self.rest),
};

const ZONED = scriptClass('java.time.ZonedDateTime', [...TEMPORAL_SUPERS], {
  'static ZonedDateTime of(LocalDateTime,ZoneId)': (_m, _s, local: JavaLocalDateTime, zone: JavaZone) =>
    JavaDateTime.ofLocal(required(local).epochDay, local.nanoOfDay, required(zone)),
  'static ZonedDateTime of(LocalDate,LocalTime,ZoneId)': (
    _m,
    _s,
    date: JavaLocalDate,
    time: JavaLocalTime,
    zone: JavaZone,
  ) => JavaDateTime.ofLocal(required(date).epochDay, required(time).nanoOfDay, required(zone)),
  'static ZonedDateTime of(int,int,int,int,int,int,int,ZoneId)': (_m, _s, ...parts: Parts) => zonedOf(...parts),
  'static ZonedDateTime ofInstant(Instant,ZoneId)': (_m, _s, instant: JavaInstant, zone: JavaZone) =>
    JavaDateTime.ofInstant(required(instant).instant, required(zone)),
  'static ZonedDateTime ofInstant(LocalDateTime,ZoneOffset,ZoneId)': (
    _m,
    _s,
    local: JavaLocalDateTime,
    offset: JavaOffset,
    zone: JavaZone,
  ) =>
    JavaDateTime.ofInstant(
      new JavaOffsetDateTime(local.epochDay, local.nanoOfDay, required(offset)).instant,
      required(zone),
    ),
  'static ZonedDateTime ofLocal(LocalDateTime,ZoneId,ZoneOffset)': (
    _m,
    _s,
    local: JavaLocalDateTime,
    zone: JavaZone,
    offset: JavaOffset | null,
  ) => JavaDateTime.ofLocal(required(local).epochDay, local.nanoOfDay, required(zone), offset?.seconds ?? null),
  'static ZonedDateTime ofStrict(LocalDateTime,ZoneOffset,ZoneId)': (_m, _s, local, offset, zone) =>
    ofStrict(required(local), required(offset), required(zone)),
  ...parseMembers('ZonedDateTime', ISO_ZONED_DATE_TIME, (parsed) => JavaDateTime.from(parsed)),
  ...temporalMembers('ZonedDateTime', [...DATE_STEPS, ...TIME_STEPS]),
  ...dateMembers('ZonedDateTime'),
  ...timeMembers('ZonedDateTime'),
  ...FORMAT_MEMBER,
  ...orderMembers('ZonedDateTime', byInstant),
  ...CONVERSIONS,
  // Elasticsearch gives these to dates of all origins, so that what is made of the value of a field has them too.
  'DayOfWeek getDayOfWeekEnum()': (_m, self: JavaDateTime) => DAYS[dayOfWeek(self.epochDay) - 1],
  'long getMillis()': (_m, self: JavaDateTime) => BigInt(self.ms),
});

const field =
  (name: string): Invoke =>
  (_m, self: JavaDateTime) =>
    self.get(chronoField(name));

/** Methods of the dates of Joda, which values of fields had before those of Java. */
const FIELD_DATE = scriptClass(
  'org.elasticsearch.script.JodaCompatibleZonedDateTime',
  ['java.time.ZonedDateTime', ...TEMPORAL_SUPERS],
  {
    'int getDayOfWeek()': (_m, self: JavaDateTime) => dayOfWeek(self.epochDay),
    'int getMonthOfYear()': field('MONTH_OF_YEAR'),
    'int getHourOfDay()': field('HOUR_OF_DAY'),
    'int getMinuteOfHour()': field('MINUTE_OF_HOUR'),
    'int getMinuteOfDay()': field('MINUTE_OF_DAY'),
    'int getSecondOfMinute()': field('SECOND_OF_MINUTE'),
    'int getSecondOfDay()': field('SECOND_OF_DAY'),
    'int getMillisOfSecond()': field('MILLI_OF_SECOND'),
    'int getMillisOfDay()': field('MILLI_OF_DAY'),
    'int getCenturyOfEra()': (_m, self: JavaDateTime) => Math.floor(self.get(chronoField('YEAR_OF_ERA')) / 100),
    'int getYearOfCentury()': (_m, self: JavaDateTime) => self.get(chronoField('YEAR_OF_ERA')) % 100,
    'int getYearOfEra()': field('YEAR_OF_ERA'),
    'int getEra()': field('ERA'),
    'int getWeekOfWeekyear()': (_m, self: JavaDateTime) => isoWeek(self.epochDay).week,
    'int getWeekyear()': (_m, self: JavaDateTime) => isoWeek(self.epochDay).year,
    'int lengthOfMonth()': (_m, self: JavaDateTime) => self.range(chronoField('DAY_OF_MONTH')).maximum,
    'boolean isLeapYear()': (_m, self: JavaDateTime) => isLeapYear(dateOf(self.epochDay).year),
    'String toString(String)': (m, self: JavaDateTime, pattern: string) =>
      shown(m, self, patternFormatter(required(pattern))),
    'String toString(String,Locale)': (m, self: JavaDateTime, pattern: string, locale: JavaLocale) =>
      shown(m, self, patternFormatter(required(pattern), required(locale))),
  },
);

function shown(machine: { grow(count: number): void }, date: JavaDateTime, formatter: JavaFormatter): string {
  const text = formatter.print(date);
  machine.grow(text.length);
  return text;
}

function truncatedInstant(self: JavaInstant, unit: JavaUnit): JavaInstant {
  const day = Math.floor(self.seconds / 86_400);
  const nanos = (self.seconds - day * 86_400) * NANOS_PER_SECOND + self.nano;
  const cut = truncatedNanos(nanos, unit);
  return new JavaInstant(day * 86_400 + Math.floor(cut / NANOS_PER_SECOND), cut % NANOS_PER_SECOND);
}

function instantOf(seconds: bigint, nanos: bigint): JavaInstant {
  return new JavaInstant(Number(seconds), 0).plusNanos(nanos);
}

const INSTANT = scriptClass('java.time.Instant', [...TEMPORAL_SUPERS], {
  'const Instant EPOCH': new JavaInstant(0, 0),
  'const Instant MIN': new JavaInstant(SECOND_MIN, 0),
  'static Instant ofEpochMilli(long)': (_m, _s, ms: bigint) => {
    const seconds = BigInt.asIntN(64, ms) / 1_000n;
    return instantOf(seconds, (ms - seconds * 1_000n) * BigInt(NANOS_PER_MS));
  },
  'static Instant ofEpochSecond(long)': (_m, _s, seconds: bigint) => instantOf(seconds, 0n),
  'static Instant ofEpochSecond(long,long)': (_m, _s, seconds: bigint, nanos: bigint) => instantOf(seconds, nanos),
  'static Instant parse(CharSequence)': (_m, _s, text: unknown) =>
    ISO_INSTANT.parseTo(String(required(text)), (parsed) => JavaInstant.from(parsed)),
  'static Instant from(TemporalAccessor)': (_m, _s, other) => JavaInstant.from(required(other)),
  ...temporalMembers('Instant', [
    ...TIME_STEPS.filter(([name]) => name === 'Nanos' || name === 'Seconds'),
    ['Millis', 'MILLIS'],
  ]),
  ...orderMembers('Instant', byInstant),
  'long toEpochMilli()': (_m, self: JavaInstant) =>
    longOf(BigInt(self.seconds) * 1_000n + BigInt(Math.floor(self.nano / NANOS_PER_MS))),
  'long getEpochSecond()': (_m, self: JavaInstant) => BigInt(self.seconds),
  'int getNano()': (_m, self: JavaInstant) => self.nano,
  'Instant truncatedTo(TemporalUnit)': (_m, self: JavaInstant, unit: JavaUnit) =>
    truncatedInstant(self, required(unit)),
  'ZonedDateTime atZone(ZoneId)': (_m, self: JavaInstant, zone: JavaZone) =>
    JavaDateTime.ofInstant(self.instant, required(zone)),
  'OffsetDateTime atOffset(ZoneOffset)': (_m, self: JavaInstant, offset: JavaOffset) =>
    JavaOffsetDateTime.ofInstant(self.instant, required(offset)),
});

export const MOMENT_CLASSES: readonly ScriptClass[] = [ZONED, FIELD_DATE, INSTANT];
