/**
 * Dates as days of a calendar: what is asked of them, how they are gone through, and other ways to name one.
 */
import { blockArgument, indexArgument, optionalIndex } from '../arguments/arguments.ts';
import { RubyEnumerator } from '../values/ruby-enumerator.ts';
import { exception } from '../values/ruby-exception.ts';
import { DATE, epochOf, RubyTime, TIME } from '../values/ruby-time.ts';
import {
  float,
  type Machine,
  type Methods,
  numberOf,
  type RubyClass,
  type RubyProc,
  type Value,
} from '../values/ruby-value.ts';

const DAY_SECONDS = 86_400;
const DAY_MS = DAY_SECONDS * 1000;
/** Julian day of 1970-01-01. */
const EPOCH_DAY = 2_440_588;
/** Julian day from which modified Julian days count. */
const MODIFIED_FROM = 2_400_001;

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const daysOf = (year: number, month: number): number =>
  new Date(epochOf({ year, month: month + 1, day: 1 }) - 1).getUTCDate();
const julianDay = (time: RubyTime): number => Math.floor((time.epochMs + time.offset * 1000) / DAY_MS) + EPOCH_DAY;
const dateOfMs = (epochMs: number): RubyTime => new RubyTime(epochMs, 0, 0, DATE);

/** A day counted from the end of its month where it is negative; null for none. */
function civilDay([year, month, day]: readonly number[]): number | null {
  if (year === undefined || month === undefined || day === undefined) return null;
  const own = month < 0 ? month + 13 : month;
  if (own < 1 || own > 12) return null;
  const last = daysOf(year, own);
  const wanted = day < 0 ? last + day + 1 : day;
  return wanted < 1 || wanted > last ? null : epochOf({ year, month: own, day: wanted });
}

function ordinalDay(year: number, dayOfYear: number): number | null {
  const length = isLeap(year) ? 366 : 365;
  const day = dayOfYear < 0 ? length + dayOfYear + 1 : dayOfYear;
  return day < 1 || day > length ? null : epochOf({ year, month: 1, day: 1 }) + (day - 1) * DAY_MS;
}

/** Weeks begin on Mondays; the first one has the year's first Thursday. */
function weekDay(year: number, week: number, weekday: number): number | null {
  const fourth = epochOf({ year, month: 1, day: 4 });
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY_MS;
  const day = monday + ((week - 1) * 7 + weekday - 1) * DAY_MS;
  const thursday = new Date(monday + ((week - 1) * 7 + 3) * DAY_MS);
  return weekday < 1 || weekday > 7 || week < 1 || thursday.getUTCFullYear() !== year ? null : day;
}

const integers = (args: readonly Value[], otherwise: readonly number[]): number[] =>
  otherwise.map((value, index) => optionalIndex(args[index], value));

/** Numbers of a date; null where something else is among them. */
function numbers(args: readonly Value[]): number[] | null {
  const found = args.map(numberOf);
  return found.every((one): one is number => one !== null) ? found : null;
}

function made(epochMs: number | null): RubyTime {
  if (epochMs === null) throw exception('Date::Error', 'invalid date');
  return dateOfMs(epochMs);
}

const isCivil: Methods<RubyClass>[string] = (_machine, _self, args) => {
  const given = numbers(args);
  return given !== null && civilDay(given) !== null;
};

const NAMES: Methods<RubyClass> = {
  'leap?': (_machine, _self, [year]) => isLeap(indexArgument(year)),
  'gregorian_leap?': (_machine, _self, [year]) => isLeap(indexArgument(year)),
  'valid_date?': isCivil,
  'valid_civil?': isCivil,
  civil: (_machine, _self, args) => made(civilDay(integers(args, [-4712, 1, 1]))),
  ordinal: (_machine, _self, args) => {
    const [year = 0, day = 0] = integers(args, [-4712, 1]);
    return made(ordinalDay(year, day));
  },
  commercial: (_machine, _self, args) => {
    const [year = 0, week = 0, day = 0] = integers(args, [-4712, 1, 1]);
    return made(weekDay(year, week, day));
  },
  jd: (_machine, _self, [day]) => dateOfMs((optionalIndex(day, 0) - EPOCH_DAY) * DAY_MS),
};

/** Days from the first to the last, so many apart; backwards for a negative number. */
function walked(
  machine: Machine,
  self: RubyTime,
  { last, by, block }: { readonly last: Value | undefined; readonly by: number; readonly block: RubyProc },
): RubyTime {
  if (!(last instanceof RubyTime)) throw exception('TypeError', 'expected a date');
  for (let day = self; (day.compareTo(last) ?? 1) * Math.sign(by) <= 0; day = day.plusSeconds(by * DAY_SECONDS)) {
    machine.step();
    block.run([day], null);
  }
  return self;
}

const walk =
  (name: string, sign: 1 | -1): Methods<RubyTime>[string] =>
  (machine, self, args, block) =>
    block === null
      ? new RubyEnumerator(self, name, args)
      : walked(machine, self, { last: args[0], by: sign * optionalIndex(args[1], 1), block: blockArgument(block) });

const DAYS: Methods<RubyTime> = {
  'leap?': (_machine, self) => isLeap(self.fields().year),
  mjd: (_machine, self) => julianDay(self) - MODIFIED_FROM,
  jd: (_machine, self) => julianDay(self),
  next: (_machine, self) => self.plusSeconds(DAY_SECONDS),
  step: walk('step', 1),
  upto: walk('upto', 1),
  downto: walk('downto', -1),
};

/** Times without the part of their second, or the next whole one. */
function whole(self: RubyTime, digits: Value | undefined, round: (value: number) => number): RubyTime {
  const unit = 10 ** (9 - optionalIndex(digits, 0));
  const nanos = round(self.nanosOfSecond / unit) * unit;
  const start = new RubyTime(Math.floor(self.epochMs / 1000) * 1000, 0, self.zone, self.rubyClass);
  return start.plusSeconds(nanos / 1e9);
}

const INSTANTS: Methods<RubyTime> = {
  floor: (_machine, self, [digits]) => whole(self, digits, Math.floor),
  ceil: (_machine, self, [digits]) => whole(self, digits, Math.ceil),
  subsec: (_machine, self) => (self.nanosOfSecond === 0 ? 0 : float(self.nanosOfSecond / 1e9)),
  isdst: (machine, self) => machine.call(self, 'dst?'),
};

export function defineCalendar(): void {
  DATE.define(DAYS);
  DATE.defineOnClass(NAMES);
  TIME.define(INSTANTS);
}

/** Days of a range of dates. */
export function daysBetween(machine: Machine, from: RubyTime, to: Value, isExclusive: boolean): RubyTime[] {
  const days: RubyTime[] = [];
  if (!(to instanceof RubyTime)) return days;
  for (let day = from; (day.compareTo(to) ?? 1) < (isExclusive ? 0 : 1); day = day.plusSeconds(DAY_SECONDS)) {
    machine.grow(1);
    days.push(day);
  }
  return days;
}
