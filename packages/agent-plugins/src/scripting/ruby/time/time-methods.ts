/**
 * Times, dates and date-times.
 */

import { indexArgument, nameArgument, option, optionalIndex, textArgument } from '../arguments/arguments.ts';
import { exception, kindName, typeError } from '../values/ruby-exception.ts';
import { DATE, DATE_TIME, epochOf, RubyTime, TIME, type TimeOffset, timeOf } from '../values/ruby-time.ts';
import {
  float,
  type Machine,
  type Methods,
  numberOf,
  type RubyClass,
  RubyHash,
  RubyString,
  str,
  type Value,
} from '../values/ruby-value.ts';
import { RubyTimestamp } from '../values/script-objects.ts';
import { iso8601, isoWeek, MONTHS, strftime, timeText, WEEKDAYS, zoneName } from '../values/time-format.ts';
import { defineCalendar } from './calendar-methods.ts';
import { parsePattern } from './time-pattern.ts';
import { parseOffset, parseTimeText } from './time-text.ts';

const DAY_SECONDS = 86_400;

function seconds(value: Value | undefined): number {
  const number = numberOf(value ?? null);
  if (number === null) throw typeError(`can't convert ${kindName(value ?? null)} into an exact number`);
  return number;
}

function moved(self: RubyTime, by: Value | undefined, sign: 1 | -1): Value {
  // Dates count in days.
  const unit = self.rubyClass === TIME ? 1 : DAY_SECONDS;
  return self.plusSeconds(sign * unit * seconds(by));
}

function difference(self: RubyTime, other: RubyTime): Value {
  const ms = self.epochMs - other.epochMs;
  const inSeconds = (ms * 1e6 + (self.nanos - other.nanos)) / 1e9;
  if (self.rubyClass === TIME) return float(inSeconds);
  const days = inSeconds / DAY_SECONDS;
  return Number.isInteger(days) ? days : float(days);
}

const field =
  (
    name: 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'weekday' | 'dayOfYear',
  ): Methods<RubyTime>[string] =>
  (_machine, self) =>
    self.fields()[name];

function zoneOf(value: Value | undefined): TimeOffset {
  if (value === undefined || value === null) return 'local';
  if (numberOf(value) !== null) return indexArgument(value);
  const text = textArgument(value);
  const offset = parseOffset(text);
  if (offset === null)
    throw exception('ArgumentError', `"+HH:MM", "-HH:MM", "UTC" or "A".."I","K".."Z" expected for utc_offset: ${text}`);
  return offset;
}

/** A year and a month on, the day at most the last one of that month. */
function monthsOn(self: RubyTime, by: number): RubyTime {
  const { year, month, day, hour, minute, second } = self.fields();
  const months = year * 12 + month - 1 + by;
  const target = { year: Math.floor(months / 12), month: (((months % 12) + 12) % 12) + 1 };
  const lastDay = new Date(epochOf({ year: target.year, month: target.month + 1, day: 1 }) - 1).getUTCDate();
  return timeOf(
    { ...target, day: Math.min(day, lastDay), hour, minute, second },
    self.nanosOfSecond,
    self.zone,
    self.rubyClass,
  );
}

const INSTANTS: Methods<RubyTime> = {
  '+': (_machine, self, [by]) => moved(self, by, 1),
  '-': (_machine, self, [other]) => {
    if (other instanceof RubyTime) return difference(self, other);
    if (other instanceof RubyTimestamp)
      return difference(self, new RubyTime(other.time.epochMs, other.time.nanos, 'utc'));
    return moved(self, other, -1);
  },
  '<=>': (_machine, self, [other]) => (other instanceof RubyTime ? self.compareTo(other) : null),
  '==': (_machine, self, [other]) => other instanceof RubyTime && self.compareTo(other) === 0,
  'between?': (_machine, self, [least, most]) =>
    least instanceof RubyTime &&
    most instanceof RubyTime &&
    (self.compareTo(least) ?? -1) >= 0 &&
    (self.compareTo(most) ?? 1) <= 0,
  to_f: (_machine, self) => float(self.seconds),
  to_i: (_machine, self) => Math.floor(self.epochMs / 1000),
  tv_sec: (_machine, self) => Math.floor(self.epochMs / 1000),
  to_r: (_machine, self) => float(self.seconds),
  usec: (_machine, self) => Math.floor(self.nanosOfSecond / 1000),
  tv_usec: (_machine, self) => Math.floor(self.nanosOfSecond / 1000),
  nsec: (_machine, self) => self.nanosOfSecond,
  tv_nsec: (_machine, self) => self.nanosOfSecond,
  round: (_machine, self, [digits]) => {
    const unit = 10 ** (9 - optionalIndex(digits, 0));
    const rounded = Math.round(self.nanosOfSecond / unit) * unit;
    return new RubyTime(Math.floor(self.epochMs / 1000) * 1000, 0, self.zone, self.rubyClass).plusSeconds(
      rounded / 1e9,
    );
  },
  hash: (_machine, self) => self.epochMs,
};

function turned(self: RubyTime, zone: TimeOffset): RubyTime {
  self.zone = zone;
  return self;
}

const ZONES: Methods<RubyTime> = {
  utc: (_machine, self) => turned(self, 'utc'),
  gmtime: (_machine, self) => turned(self, 'utc'),
  getutc: (_machine, self) => self.inZone('utc'),
  getgm: (_machine, self) => self.inZone('utc'),
  localtime: (_machine, self, [offset]) => turned(self, zoneOf(offset)),
  getlocal: (_machine, self, [offset]) => self.inZone(zoneOf(offset)),
  new_offset: (_machine, self, [offset]) => self.inZone(offset === undefined ? 0 : zoneOf(offset)),
  'utc?': (_machine, self) => self.zone === 'utc',
  'gmt?': (_machine, self) => self.zone === 'utc',
  utc_offset: (_machine, self) => self.offset,
  gmt_offset: (_machine, self) => self.offset,
  gmtoff: (_machine, self) => self.offset,
  offset: (_machine, self) => float(self.offset / DAY_SECONDS),
  zone: (_machine, self) => (zoneName(self) === '' ? null : str(zoneName(self))),
  'dst?': (_machine, self) =>
    self.zone === 'local' &&
    self.offset !== new RubyTime(epochOf({ year: self.fields().year, month: 1, day: 1 }), 0, 'local').offset,
};

const FIELDS: Methods<RubyTime> = {
  year: field('year'),
  month: field('month'),
  mon: field('month'),
  day: field('day'),
  mday: field('day'),
  hour: field('hour'),
  min: field('minute'),
  minute: field('minute'),
  sec: field('second'),
  second: field('second'),
  wday: field('weekday'),
  yday: field('dayOfYear'),
  cwday: (_machine, self) => self.fields().weekday || 7,
  cweek: (_machine, self) => isoWeek(self.fields().year, self.fields().dayOfYear, self.fields().weekday).week,
  cwyear: (_machine, self) => isoWeek(self.fields().year, self.fields().dayOfYear, self.fields().weekday).year,
  to_a: (_machine, self) => {
    const { second, minute, hour, day, month, year, weekday, dayOfYear } = self.fields();
    return [second, minute, hour, day, month, year, weekday, dayOfYear, false, self.zone === 'utc' ? str('UTC') : null];
  },
  ...Object.fromEntries(
    WEEKDAYS.map((name, index): [string, Methods<RubyTime>[string]] => [
      `${name.toLowerCase()}?`,
      (_machine, self) => self.fields().weekday === index,
    ]),
  ),
};

const TEXTS: Methods<RubyTime> = {
  strftime: (_machine, self, [format]) => str(strftime(self, textArgument(format))),
  to_s: (_machine, self) => str(timeText(self)),
  inspect: (_machine, self) => str(inspectTime(self)),
  iso8601: (_machine, self, [digits]) => str(iso8601(self, optionalIndex(digits, 0))),
  xmlschema: (_machine, self, [digits]) => str(iso8601(self, optionalIndex(digits, 0))),
  rfc3339: (_machine, self, [digits]) => str(iso8601(self, optionalIndex(digits, 0))),
  rfc2822: (_machine, self) =>
    str(strftime(self, self.zone === 'utc' ? '%a, %d %b %Y %H:%M:%S -0000' : '%a, %d %b %Y %H:%M:%S %z')),
  httpdate: (_machine, self) => str(strftime(self.inZone('utc'), '%a, %d %b %Y %H:%M:%S GMT')),
  ctime: (_machine, self) => str(strftime(self, '%a %b %e %H:%M:%S %Y')),
  asctime: (_machine, self) => str(strftime(self, '%a %b %e %H:%M:%S %Y')),
  to_time: (_machine, self) => {
    if (self.rubyClass === TIME) return self;
    if (self.rubyClass === DATE_TIME) return new RubyTime(self.epochMs, self.nanos, self.zone);
    const { year, month, day } = self.fields();
    return timeOf({ year, month, day }, 0, 'local');
  },
  to_date: (_machine, self) => dateOf(self),
  to_datetime: (_machine, self) => new RubyTime(self.epochMs, self.nanos, self.offset, DATE_TIME),
};

function inspectTime(self: RubyTime): string {
  if (self.rubyClass !== TIME || self.nanosOfSecond === 0) return timeText(self);
  const digits = String(self.nanosOfSecond).padStart(9, '0').replace(/0+$/, '');
  return timeText(self).replace(/(\d\d:\d\d:\d\d)/, `$1.${digits}`);
}

function dateOf(time: RubyTime): RubyTime {
  const { year, month, day } = time.fields();
  return timeOf({ year, month, day }, 0, 0, DATE);
}

const DATES: Methods<RubyTime> = {
  '>>': (_machine, self, [by]) => monthsOn(self, indexArgument(by)),
  '<<': (_machine, self, [by]) => monthsOn(self, -indexArgument(by)),
  next_day: (_machine, self, [by]) => self.plusSeconds(DAY_SECONDS * optionalIndex(by, 1)),
  prev_day: (_machine, self, [by]) => self.plusSeconds(-DAY_SECONDS * optionalIndex(by, 1)),
  next_month: (_machine, self, [by]) => monthsOn(self, optionalIndex(by, 1)),
  prev_month: (_machine, self, [by]) => monthsOn(self, -optionalIndex(by, 1)),
  next_year: (_machine, self, [by]) => monthsOn(self, 12 * optionalIndex(by, 1)),
  prev_year: (_machine, self, [by]) => monthsOn(self, -12 * optionalIndex(by, 1)),
  succ: (_machine, self) => self.plusSeconds(DAY_SECONDS),
};

/** Arguments of `Time.new`, `utc` and their like: numbers, or texts of them, or the name of a month. */
function civil(args: readonly Value[], zone: TimeOffset, rubyClass: RubyClass): RubyTime {
  const part = (index: number, otherwise: number): number => {
    const value = args[index];
    if (value === undefined || value === null) return otherwise;
    if (!(value instanceof RubyString)) return seconds(value);
    const named = MONTHS.findIndex((name) => name.slice(0, 3).toLowerCase() === value.text.toLowerCase());
    return index === 1 && named >= 0 ? named + 1 : Number.parseInt(value.text, 10);
  };
  const [year, month, day, hour, minute] = [part(0, 1970), part(1, 1), part(2, 1), part(3, 0), part(4, 0)];
  const second = part(5, 0);
  const isOutside = month < 1 || month > 12 || day < 1 || day > 31 || hour > 24 || minute > 59 || second > 60;
  if (isOutside || (rubyClass !== TIME && new Date(epochOf({ year, month, day })).getUTCDate() !== day)) {
    throw rubyClass === TIME
      ? exception('ArgumentError', 'argument out of range')
      : exception('Date::Error', 'invalid date');
  }
  const nanos =
    Math.round((second - Math.floor(second)) * 1e9) +
    (args.length > 6 && rubyClass === TIME && numberOf(args[6] ?? null) !== null
      ? Math.round(seconds(args[6]) * 1000)
      : 0);
  return timeOf({ year, month, day, hour, minute, second: Math.floor(second) }, nanos, zone, rubyClass);
}

function now(machine: Machine, zone: TimeOffset, rubyClass: RubyClass): RubyTime {
  const ms = machine.wallMs();
  return new RubyTime(Math.floor(ms), Math.floor((ms % 1) * 1e6), zone, rubyClass);
}

function at(args: readonly Value[]): RubyTime {
  const [value, part, unit] = args;
  if (value instanceof RubyTime) return new RubyTime(value.epochMs, value.nanos, value.zone);
  if (value instanceof RubyTimestamp) return new RubyTime(value.time.epochMs, value.time.nanos, 'local');
  const zone = option(args, 'in');
  const base = RubyTime.ofSeconds(
    typeof value === 'bigint' ? value : seconds(value),
    zone === undefined ? 'local' : zoneOf(zone),
  );
  if (part === undefined || part instanceof RubyHash) return base;
  const name = unit === undefined || unit instanceof RubyHash ? 'microsecond' : nameArgument(unit);
  const scale = { millisecond: 1e3, usec: 1e6, microsecond: 1e6, nsec: 1e9, nanosecond: 1e9 }[name];
  if (scale === undefined) throw exception('ArgumentError', `unexpected unit: ${name}`);
  return base.plusSeconds(seconds(part) / scale);
}

function parsed(machine: Machine, text: string, rubyClass: RubyClass): RubyTime {
  const today = now(machine, rubyClass === TIME ? 'local' : 0, TIME);
  const zone = rubyClass === TIME ? 'local' : 0;
  const found = parseTimeText(text, { today, zone, hasRealDays: rubyClass !== TIME });
  if (found === null)
    throw rubyClass === TIME
      ? exception('ArgumentError', `no time information in ${JSON.stringify(text)}`)
      : exception('Date::Error', 'invalid date');
  const time = new RubyTime(
    found.epochMs,
    found.nanos,
    rubyClass !== TIME && found.zone === 'utc' ? 0 : found.zone,
    rubyClass,
  );
  return rubyClass === DATE ? dateOf(time) : time;
}

function onClass(rubyClass: RubyClass): Methods<RubyClass> {
  const zone: TimeOffset = rubyClass === TIME ? 'local' : 0;
  return {
    now: (machine) => now(machine, rubyClass === DATE_TIME ? now(machine, 'local', TIME).offset : 'local', rubyClass),
    parse: (machine, _self, [text]) => parsed(machine, textArgument(text), rubyClass),
    iso8601: (machine, _self, [text]) => strict(machine, textArgument(text), rubyClass),
    xmlschema: (machine, _self, [text]) => strict(machine, textArgument(text), rubyClass),
    rfc3339: (machine, _self, [text]) => strict(machine, textArgument(text), rubyClass),
    rfc2822: (machine, _self, [text]) => parsed(machine, textArgument(text), rubyClass),
    httpdate: (machine, _self, [text]) => parsed(machine, textArgument(text), rubyClass),
    strptime: (machine, _self, [text, format]) => {
      const found = parsePattern(
        textArgument(text),
        format === undefined ? '%FT%T%z' : textArgument(format),
        now(machine, 'local', TIME),
        zone,
        rubyClass,
      );
      if (found === null)
        throw rubyClass === TIME
          ? exception(
              'ArgumentError',
              `invalid date or strptime format - \`${textArgument(text)}' \`${textArgument(format)}'`,
            )
          : exception('Date::Error', 'invalid date');
      return rubyClass === DATE ? dateOf(found) : found;
    },
  };
}

function strict(machine: Machine, text: string, rubyClass: RubyClass): RubyTime {
  if (!/^\s*[-+]?\d{4,}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|z|[-+]\d\d:?\d\d)?)?\s*$/.test(text)) {
    throw rubyClass === TIME
      ? exception('ArgumentError', `invalid xmlschema format: ${JSON.stringify(text)}`)
      : exception('Date::Error', 'invalid date');
  }
  return parsed(machine, text, rubyClass);
}

export function defineTimes(): void {
  TIME.define({ ...INSTANTS, ...ZONES, ...FIELDS, ...TEXTS });
  DATE.define({ ...INSTANTS, ...ZONES, ...FIELDS, ...TEXTS, ...DATES });
  TIME.defineOnClass({
    ...onClass(TIME),
    at: (_machine, _self, args) => at(args),
    new: (machine, _self, args) =>
      args.length === 0 ? now(machine, 'local', TIME) : civil(args, zoneOf(args[6]), TIME),
    local: (_machine, _self, args) => civil(args, 'local', TIME),
    mktime: (_machine, _self, args) => civil(args, 'local', TIME),
    utc: (_machine, _self, args) => civil(args, 'utc', TIME),
    gm: (_machine, _self, args) => civil(args, 'utc', TIME),
  });
  DATE.defineOnClass({
    ...onClass(DATE),
    today: (machine) => dateOf(now(machine, 'local', TIME)),
    new: (_machine, _self, args) => civil(args, 0, DATE),
  });
  DATE_TIME.defineOnClass({
    ...onClass(DATE_TIME),
    new: (_machine, _self, args) => civil(args.slice(0, 6), args[6] === undefined ? 0 : zoneOf(args[6]), DATE_TIME),
  });
  defineCalendar();
}
