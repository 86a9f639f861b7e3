/**
 * Fields that were read of a text, to a date and a time. `SMART` is what formatters do unless they are told otherwise: the 31st of
 * April is its 30th; `STRICT` refuses it, `LENIENT` counts on.
 */
import {
  dayOfWeek,
  epochDayOf,
  floorDiv,
  floorMod,
  lengthOfMonth,
  NANOS_PER_DAY,
  plusMonths,
} from './calendar-math.ts';
import type { ParseState } from './format-parts.ts';
import { checkedDay, dateText, dayOfYearIn, nanoOfDayOf, timeText } from './local-temporal.ts';
import { JavaLocalDate, JavaLocalTime } from './local-values.ts';
import { JavaTemporal } from './temporal.ts';
import { chronoField, type JavaField } from './temporal-field.ts';
import { dateTimeException } from './time-errors.ts';
import { type JavaZone, offsetOfSeconds } from './time-zones.ts';
import { QUARTER_OF_YEAR, WEEK_BASED_YEAR, WEEK_OF_WEEK_BASED_YEAR } from './week-fields.ts';

export type ResolverStyle = 'SMART' | 'STRICT' | 'LENIENT';

/** `java.time.format.Parsed`: what was read, as far as it is known. */
export class JavaParsed extends JavaTemporal {
  readonly javaClass = 'java.time.temporal.TemporalAccessor';
  readonly epochDay: number | null;
  readonly nanoOfDay: number | null;
  /** Fields that are in no date and no time. */
  readonly left: ReadonlyMap<JavaField, number>;
  override readonly zone: JavaZone | null;

  constructor(state: ParseState, style: ResolverStyle) {
    super();
    const fields = new Map(state.fields);
    const offset = fields.get(chronoField('OFFSET_SECONDS'));
    this.zone = state.zone ?? (offset === undefined ? null : offsetOfSeconds(offset));
    const seconds = fields.get(chronoField('INSTANT_SECONDS'));
    if (seconds !== undefined && this.zone !== null) {
      const local = seconds + this.zone.offsetAt(seconds * 1_000);
      fields.set(chronoField('EPOCH_DAY'), floorDiv(local, 86_400));
      fields.set(chronoField('SECOND_OF_DAY'), floorMod(local, 86_400));
    }
    const day = resolveDay(fields, style);
    const [nano, days] = resolveTime(fields, style);
    this.epochDay = day === null ? null : day + days;
    this.nanoOfDay = nano;
    this.left = fields;
    checkDay(fields, this.epochDay);
  }

  override get typeName(): string {
    return 'java.time.format.Parsed';
  }

  override get offsetSeconds(): number | null {
    const own = this.left.get(chronoField('OFFSET_SECONDS'));
    if (own !== undefined) return own;
    return this.instant === null || this.zone === null ? null : this.zone.offsetAt(this.instant[0] * 1_000);
  }

  override get instant(): readonly [number, number] | null {
    if (this.epochDay === null || this.nanoOfDay === null || this.zone === null) return null;
    const local = this.epochDay * 86_400 + Math.floor(this.nanoOfDay / 1e9);
    const own = this.left.get(chronoField('OFFSET_SECONDS'));
    const offset = own ?? this.zone.offsetAt((local - this.zone.offsetAt(local * 1_000)) * 1_000);
    return [local - offset, this.nanoOfDay % 1e9];
  }

  supports(field: JavaField): boolean {
    if (this.left.has(field)) return true;
    if (field.name === 'INSTANT_SECONDS') return this.instant !== null;
    return (field.kind === 'date' && this.epochDay !== null) || (field.kind === 'time' && this.nanoOfDay !== null);
  }

  supportsUnit(): boolean {
    return false;
  }

  protected read(field: JavaField): number {
    const own = this.left.get(field);
    if (own !== undefined) return own;
    if (field.name === 'INSTANT_SECONDS') return this.instant?.[0] ?? 0;
    const part = field.kind === 'date' ? new JavaLocalDate(this.epochDay ?? 0) : new JavaLocalTime(this.nanoOfDay ?? 0);
    return part.get(field);
  }

  protected written(): JavaTemporal {
    return this;
  }

  protected added(): JavaTemporal {
    return this;
  }

  protected distance(): bigint {
    return 0n;
  }

  protected likeThis(): this {
    return this;
  }

  text(): string {
    const fields = [...this.left].map(([field, value]) => `${field.label}=${value}`).join(', ');
    const zone = this.zone === null || this.left.has(chronoField('OFFSET_SECONDS')) ? '' : `,${this.zone.id}`;
    const day = this.epochDay === null ? '' : dateText(this.epochDay);
    const time = this.nanoOfDay === null ? '' : `${day === '' ? '' : 'T'}${timeText(this.nanoOfDay)}`;
    return `{${fields}},ISO${zone}${day === '' && time === '' ? '' : ` resolved to ${day}${time}`}`;
  }
}

type Fields = Map<JavaField, number>;

/** The value of a field, which is taken out; undefined without one. */
function take(fields: Fields, field: JavaField): number | undefined {
  const value = fields.get(field);
  fields.delete(field);
  return value;
}

function has(fields: Fields, ...names: string[]): boolean {
  return names.every((name) => fields.has(chronoField(name)));
}

const valued = (fields: Fields, name: string): number => take(fields, chronoField(name)) ?? 0;

function resolveYear(fields: Fields, style: ResolverStyle): void {
  const ofEra = fields.get(chronoField('YEAR_OF_ERA'));
  if (ofEra !== undefined) {
    const era = fields.get(chronoField('ERA'));
    if (era === undefined && style === 'STRICT' && !has(fields, 'YEAR')) return;
    chronoField('YEAR_OF_ERA').checked(ofEra);
    fields.delete(chronoField('YEAR_OF_ERA'));
    fields.delete(chronoField('ERA'));
    fields.set(chronoField('YEAR'), era === 0 ? 1 - ofEra : ofEra);
  }
  const months = take(fields, chronoField('PROLEPTIC_MONTH'));
  if (months !== undefined) {
    fields.set(chronoField('YEAR'), floorDiv(months, 12));
    fields.set(chronoField('MONTH_OF_YEAR'), floorMod(months, 12) + 1);
  }
}

function resolveDay(fields: Fields, style: ResolverStyle): number | null {
  const day = take(fields, chronoField('EPOCH_DAY'));
  if (day !== undefined) return day;
  resolveYear(fields, style);
  const week = [...fields.keys()].find(({ name }) => name === 'WeekBasedYear' || name === 'WEEK_BASED_YEAR');
  if (week !== undefined) return resolveWeek(fields, week);
  if (!has(fields, 'YEAR')) return null;
  const quarter = fields.get(QUARTER_OF_YEAR);
  if (quarter !== undefined && has(fields, 'DAY_OF_MONTH') && !has(fields, 'MONTH_OF_YEAR')) return null;
  if (has(fields, 'MONTH_OF_YEAR', 'DAY_OF_MONTH')) {
    const [year, month, dayOfMonth] = ['YEAR', 'MONTH_OF_YEAR', 'DAY_OF_MONTH'].map((name) => valued(fields, name));
    return dayIn(year ?? 0, month ?? 1, dayOfMonth ?? 1, style);
  }
  if (has(fields, 'DAY_OF_YEAR')) {
    const year = valued(fields, 'YEAR');
    const value = valued(fields, 'DAY_OF_YEAR');
    return style === 'LENIENT' ? epochDayOf(year, 1, 1) + value - 1 : dayOfYearIn(year, value);
  }
  return null;
}

function dayIn(year: number, month: number, day: number, style: ResolverStyle): number {
  if (style === 'LENIENT') return plusMonths(epochDayOf(year, 1, 1), month - 1) + day - 1;
  if (style === 'STRICT') return checkedDay(year, month, day);
  chronoField('YEAR').checked(year);
  chronoField('MONTH_OF_YEAR').checked(month);
  return checkedDay(year, month, Math.min(chronoField('DAY_OF_MONTH').checked(day), lengthOfMonth(year, month)));
}

/** Year, number and day of a week, of ISO 8601 or of a locale. */
function resolveWeek(fields: Fields, year: JavaField): number | null {
  const isIso = year === WEEK_BASED_YEAR;
  const number = isIso
    ? WEEK_OF_WEEK_BASED_YEAR
    : [...fields.keys()].find(
        ({ name, label }) =>
          name === 'WeekOfWeekBasedYear' && label.slice(name.length) === year.label.slice(year.name.length),
      );
  const own = [...fields.keys()].find(({ name }) => name === 'DayOfWeek');
  const day = own ?? (has(fields, 'DAY_OF_WEEK') ? chronoField('DAY_OF_WEEK') : undefined);
  if (number === undefined || day === undefined || !fields.has(number)) return null;
  const [yearValue, weekValue, dayValue] = [year, number, day].map((field) => field.checked(take(fields, field) ?? 1));
  // From any day of the middle of that year, which all weeks of the rule agree on.
  const middle = year.rule?.set(epochDayOf(yearValue ?? 0, 7, 1), yearValue ?? 0) ?? 0;
  const inWeek = number.rule?.set(middle, weekValue ?? 1) ?? middle;
  const current = day.rule === null ? dayOfWeek(inWeek) : day.rule.get(inWeek);
  return inWeek + (dayValue ?? 1) - current;
}

function resolveHalves(fields: Fields): void {
  const clock = take(fields, chronoField('CLOCK_HOUR_OF_DAY'));
  if (clock !== undefined) fields.set(chronoField('HOUR_OF_DAY'), chronoField('CLOCK_HOUR_OF_DAY').checked(clock) % 24);
  const half = take(fields, chronoField('CLOCK_HOUR_OF_AMPM'));
  if (half !== undefined) fields.set(chronoField('HOUR_OF_AMPM'), chronoField('CLOCK_HOUR_OF_AMPM').checked(half) % 12);
  if (has(fields, 'AMPM_OF_DAY', 'HOUR_OF_AMPM')) {
    const hour = chronoField('HOUR_OF_AMPM').checked(valued(fields, 'HOUR_OF_AMPM'));
    fields.set(chronoField('HOUR_OF_DAY'), valued(fields, 'AMPM_OF_DAY') * 12 + hour);
  }
}

const OF_DAY: readonly (readonly [name: string, nanos: number])[] = [
  ['NANO_OF_DAY', 1],
  ['MICRO_OF_DAY', 1_000],
  ['MILLI_OF_DAY', 1_000_000],
  ['SECOND_OF_DAY', 1e9],
  ['MINUTE_OF_DAY', 60e9],
];

/** Nanoseconds since midnight, and days beyond. */
function resolveTime(fields: Fields, style: ResolverStyle): readonly [number | null, number] {
  resolveHalves(fields);
  for (const [name, size] of OF_DAY) {
    const value = take(fields, chronoField(name));
    if (value === undefined) continue;
    const whole = chronoField(name).checked(value) * size;
    const rest = size === 1e9 ? (take(fields, chronoField('NANO_OF_SECOND')) ?? 0) : 0;
    return [whole + rest, 0];
  }
  const milli = take(fields, chronoField('MILLI_OF_SECOND'));
  if (milli !== undefined)
    fields.set(chronoField('NANO_OF_SECOND'), chronoField('MILLI_OF_SECOND').checked(milli) * 1_000_000);
  if (!has(fields, 'HOUR_OF_DAY')) return [null, 0];
  const isShort = !has(fields, 'MINUTE_OF_HOUR') && (has(fields, 'SECOND_OF_MINUTE') || has(fields, 'NANO_OF_SECOND'));
  if (isShort || (!has(fields, 'SECOND_OF_MINUTE') && has(fields, 'NANO_OF_SECOND'))) return [null, 0];
  const [hour = 0, minute = 0, second = 0, nano = 0] = [
    'HOUR_OF_DAY',
    'MINUTE_OF_HOUR',
    'SECOND_OF_MINUTE',
    'NANO_OF_SECOND',
  ].map((name) => valued(fields, name));
  if (style === 'LENIENT') {
    const total = ((hour * 60 + minute) * 60 + second) * 1e9 + nano;
    return [floorMod(total, NANOS_PER_DAY), floorDiv(total, NANOS_PER_DAY)];
  }
  if (style === 'SMART' && hour === 24 && minute + second + nano === 0) return [0, 1];
  return [nanoOfDayOf({ hour, minute, second, nano }), 0];
}

/** @throws JavaException where a day of the week was read that the date is not */
function checkDay(fields: Fields, epochDay: number | null): void {
  if (epochDay === null) return;
  const named = take(fields, chronoField('DAY_OF_WEEK'));
  if (named !== undefined && named !== dayOfWeek(epochDay)) {
    const conflict = `Field DayOfWeek ${dayOfWeek(epochDay)} differs from DayOfWeek ${named}`;
    throw dateTimeException(`Conflict found: ${conflict} derived from ${dateText(epochDay)}`);
  }
  for (const [field, value] of fields) {
    if (field.kind !== 'date') continue;
    const actual = new JavaLocalDate(epochDay).get(field);
    if (actual !== value) {
      throw dateTimeException(
        `Conflict found: Field ${field.label} ${actual} differs from ${field.label} ${value} derived from ${dateText(epochDay)}`,
      );
    }
    fields.delete(field);
  }
}
