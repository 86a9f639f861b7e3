import '@js-joda/timezone';
import {
  ChronoField,
  DateTimeException,
  IsoFields,
  LocalDate,
  LocalDateTime,
  ZonedDateTime,
  ZoneId,
} from '@js-joda/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileJodaParser } from './joda-parser.ts';
import { timeZone } from './zone-offset.ts';

const NOW = Date.UTC(2026, 5, 15);
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'America/Sao_Paulo'];
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July'].concat([
  'August',
  'September',
  'October',
  'November',
  'December',
]);
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** A part of a format, and its text for a time. */
interface Part {
  readonly format: string;
  text(time: LocalDateTime): string;
  /** The time that is left of it when only these parts are said. */
  readonly keeps?: 'hour' | 'minute' | 'second' | 'milli';
}

const padded = (value: number, width: number): string => String(value).padStart(width, '0');
const numeric = (letter: string, of: (time: LocalDateTime) => number): fc.Arbitrary<Part> =>
  fc.tuple(fc.integer({ min: 1, max: 2 }), fc.boolean()).map(([width, isPadded]) => ({
    format: letter.repeat(width),
    // Widths are lenient: a format of two letters reads one digit, and one of one letter two.
    text: (time) => padded(of(time), isPadded ? 2 : 1),
  }));
const inAnyCase = (name: string, style: number): string =>
  style === 0 ? name : style === 1 ? name.toUpperCase() : name.toLowerCase();
const named = (letter: string, names: readonly string[], of: (time: LocalDateTime) => number): fc.Arbitrary<Part> =>
  fc.tuple(fc.integer({ min: 3, max: 4 }), fc.boolean(), fc.nat(2)).map(([width, isShort, style]) => ({
    format: letter.repeat(width),
    text: (time) => {
      const name = names[of(time) - 1] ?? '';
      return inAnyCase(isShort ? name.slice(0, 3) : name, style);
    },
  }));
const hourOfHalf = (time: LocalDateTime): number => time.get(ChronoField.HOUR_OF_AMPM);

const year = fc
  .tuple(fc.constantFrom('y', 'Y'), fc.constantFrom(1, 3, 4, 5))
  .map(([letter, width]): Part => ({ format: letter.repeat(width), text: (time) => padded(time.year(), width) }));
/** Two digits stand for the years of 1946 to 2045. */
const shortYear = fc.constant<Part>({ format: 'yy', text: (time) => padded(time.year() % 100, 2) });
const month = fc.oneof(
  numeric('M', (time) => time.monthValue()),
  named('M', MONTHS, (time) => time.monthValue()),
);
const day = numeric('d', (time) => time.dayOfMonth());
const weekday = fc.oneof(
  named('E', DAYS, (time) => time.dayOfWeek().value()),
  fc.constant<Part>({ format: 'e', text: (time) => String(time.dayOfWeek().value()) }),
);
const era = fc.constantFrom('AD', 'ce', 'Ad').map((name): Part => ({ format: 'G', text: () => name }));
const weekYear = fc
  .constantFrom('x', 'xxxx')
  .map((format): Part => ({ format, text: (time) => padded(time.get(IsoFields.WEEK_BASED_YEAR), format.length) }));
const week = numeric('w', (time) => time.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
const dayOfYear = fc
  .integer({ min: 1, max: 3 })
  .map((width): Part => ({ format: 'D'.repeat(width), text: (time) => padded(time.dayOfYear(), width) }));
const half = fc
  .nat(2)
  .map((style): Part => ({ format: 'a', text: (time) => inAnyCase(time.hour() < 12 ? 'AM' : 'PM', style) }));

const dates: fc.Arbitrary<readonly Part[]> = fc.oneof(
  fc.tuple(fc.oneof(year, shortYear), month, day),
  fc.tuple(year, month, day, weekday),
  fc.tuple(year, month, day, era),
  fc.tuple(year, dayOfYear),
  fc.tuple(weekYear, week, weekday),
);
const hours: fc.Arbitrary<readonly Part[]> = fc.oneof(
  fc.tuple(numeric('H', (time) => time.hour())),
  fc.tuple(numeric('k', (time) => time.hour() || 24)),
  fc.tuple(
    numeric('h', (time) => hourOfHalf(time) || 12),
    half,
  ),
  fc.tuple(numeric('K', hourOfHalf), half),
);
const minute = numeric('m', (time) => time.minute());
const second = numeric('s', (time) => time.second());
const fraction = fc.integer({ min: 1, max: 9 }).map((width): Part => {
  const digits = (time: LocalDateTime): string => padded(time.nano(), 9).slice(0, Math.max(3, width));
  return { format: 'S'.repeat(Math.max(3, width)), text: digits };
});

const times: fc.Arbitrary<{ readonly parts: readonly Part[]; readonly keeps: Part['keeps'] }> = fc.oneof(
  hours.map((parts) => ({ parts, keeps: 'hour' as const })),
  fc.tuple(hours, minute).map(([parts, more]) => ({ parts: [...parts, more], keeps: 'minute' as const })),
  fc.tuple(hours, minute, second).map(([parts, ...more]) => ({ parts: [...parts, ...more], keeps: 'second' as const })),
  fc.tuple(hours, minute, second, fraction).map(([parts, ...more]) => ({
    parts: [...parts, ...more],
    keeps: 'milli' as const,
  })),
);

const anyTime = fc
  .tuple(fc.integer({ min: 1946, max: 2045 }), fc.integer({ min: 1, max: 365 }), fc.nat(86_399), fc.nat(999_999_999))
  .map(([ofYear, ofDay, ofSecond, nano]) =>
    LocalDate.ofYearDay(ofYear, ofDay).atStartOfDay().plusSeconds(ofSecond).plusNanos(nano),
  );

function kept(time: LocalDateTime, keeps: Part['keeps']): LocalDateTime {
  if (keeps === 'milli') return time.withNano(Math.floor(time.nano() / 1e6) * 1e6);
  const whole = time.withNano(0);
  if (keeps === 'second') return whole;
  return keeps === 'minute' ? whole.withSecond(0) : whole.withSecond(0).withMinute(0);
}

/** By the other library; null for a time that the zone leaves out. */
function instantOf(time: LocalDateTime, zone: string): number | null {
  const zoned = ZonedDateTime.of(time, ZoneId.of(zone));
  return zoned.toLocalDateTime().equals(time) ? zoned.toInstant().toEpochMilli() : null;
}

const parse = (format: string, text: string, zone: string): number | null =>
  compileJodaParser(format, { locale: 'en', nowMs: () => NOW }).parse(text, timeZone(zone));

describe('the parser of dates against another library', () => {
  test('any letters in any order, as the time and the zone have them', () => {
    const cases = fc.tuple(
      dates,
      times,
      anyTime,
      fc.constantFrom(...ZONES),
      fc.constantFrom(' ', '/', "'T'", ', ', "''"),
    );
    const shuffled = cases.chain(([date, { parts, keeps }, time, zone, between]) =>
      fc
        .shuffledSubarray([...date, ...parts], { minLength: date.length + parts.length })
        .map((all) => ({ all, keeps, time, zone, between })),
    );
    fc.assert(
      fc.property(shuffled, ({ all, keeps, time, zone, between }) => {
        const separator = between === "'T'" ? 'T' : between === "''" ? "'" : between;
        const format = all.map((part) => part.format).join(between);
        const text = all.map((part) => part.text(time)).join(separator);
        expect([format, text, zone, parse(format, text, zone)]).toEqual([
          format,
          text,
          zone,
          instantOf(kept(time, keeps), zone),
        ]);
      }),
      { numRuns: 2000 },
    );
  });

  test('zones in the text win over that of the filter', () => {
    const letters = fc.constantFrom('Z', 'ZZ', 'ZZZ');
    fc.assert(
      fc.property(anyTime, letters, fc.constantFrom(...ZONES), fc.boolean(), (time, letter, zone, hasColon) => {
        const local = kept(time, 'milli');
        const zoned = ZonedDateTime.of(local, ZoneId.of(zone));
        if (!zoned.toLocalDateTime().equals(local)) return;
        const offset = zoned.offset().totalSeconds();
        // Offsets in texts have no seconds; those of zones had, long ago.
        if (offset % 60 !== 0) return;
        const minutes = Math.abs(offset) / 60;
        const sign = offset < 0 ? '-' : '+';
        const written = `${sign}${padded(Math.floor(minutes / 60), 2)}${hasColon ? ':' : ''}${padded(minutes % 60, 2)}`;
        const text = `${padded(local.year(), 4)}-${local.monthValue()}-${local.dayOfMonth()} ${local.hour()}:${local.minute()}:${local.second()}.${padded(local.nano() / 1e6, 3)} ${letter === 'ZZZ' ? zone : written}`;
        expect([text, parse(`yyyy-M-d H:m:s.SSS ${letter}`, text, 'Asia/Tokyo')]).toEqual([
          text,
          zoned.toInstant().toEpochMilli(),
        ]);
      }),
      { numRuns: 1000 },
    );
  });

  test('numbers without anything between them have fixed widths', () => {
    fc.assert(
      fc.property(anyTime, fc.constantFrom(...ZONES), (time, zone) => {
        const text = [time.year(), time.monthValue(), time.dayOfMonth(), time.hour(), time.minute(), time.second()]
          .map((value, index) => padded(value, index === 0 ? 4 : 2))
          .join('');
        expect(parse('yyyyMMddHHmmss', text, zone)).toBe(instantOf(kept(time, 'second'), zone));
        const short = `${text.slice(2, 8)}${padded(time.dayOfYear(), 3)}`;
        expect(parse('yyMMddDDD', short, 'UTC')).toBe(instantOf(time.toLocalDate().atStartOfDay(), 'UTC'));
      }),
      { numRuns: 300 },
    );
  });

  test('what is no date is none', () => {
    const numbers = fc.tuple(
      fc.integer({ min: 1, max: 9999 }),
      fc.nat(15),
      fc.nat(34),
      fc.nat(26),
      fc.nat(62),
      fc.nat(62),
    );
    fc.assert(
      fc.property(numbers, ([ofYear, ofMonth, ofDay, ofHour, ofMinute, ofSecond]) => {
        let expected: number | null = null;
        try {
          const time = LocalDateTime.of(ofYear, ofMonth, ofDay, ofHour, ofMinute, ofSecond);
          expected = instantOf(time, 'UTC');
        } catch (error) {
          if (!(error instanceof DateTimeException)) throw error;
        }
        const text = `${padded(ofYear, 4)}-${ofMonth}-${ofDay} ${ofHour}:${ofMinute}:${ofSecond}`;
        expect([text, parse('yyyy-M-d H:m:s', text, 'UTC')]).toEqual([text, expected]);
      }),
      { numRuns: 1000 },
    );
  });

  test('weeks are those of ISO, and a year has as many as it has', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1900, max: 2100 }), fc.integer({ min: 0, max: 55 }), (ofYear, ofWeek) => {
        const fourth = LocalDate.of(ofYear, 1, 4);
        const count = IsoFields.WEEK_OF_WEEK_BASED_YEAR.rangeRefinedBy(fourth).maximum();
        const monday =
          ofWeek < 1 || ofWeek > count
            ? null
            : fourth.with(IsoFields.WEEK_OF_WEEK_BASED_YEAR, ofWeek).with(ChronoField.DAY_OF_WEEK, 1);
        expect(parse("xxxx-'W'ww", `${ofYear}-W${padded(ofWeek, 2)}`, 'UTC')).toBe(
          monday === null ? null : instantOf(monday.atStartOfDay(), 'UTC'),
        );
      }),
    );
  });

  test('a century alone is its first year', () => {
    expect(parse('CC-MM-dd', '20-03-04', 'UTC')).toBe(Date.UTC(2000, 2, 4));
  });
});
