/**
 * `Year`, `YearMonth` and `MonthDay`: dates of which some parts are not there.
 */
import type { ScriptObject } from '../values/script-object.ts';
import { dateOf, epochDayOf } from './calendar-math.ts';
import { addedDays, LocalTemporal, yearText } from './local-temporal.ts';
import { unobtainable } from './local-values.ts';
import { JavaTemporal } from './temporal.ts';
import { chronoField, type JavaField } from './temporal-field.ts';
import type { JavaUnit } from './temporal-unit.ts';
import { dateTimeException } from './time-errors.ts';

const two = (value: number): string => String(value).padStart(2, '0');
const YEAR_FIELDS: readonly string[] = ['YEAR', 'YEAR_OF_ERA', 'ERA'];
const MONTH_FIELDS: readonly string[] = [...YEAR_FIELDS, 'MONTH_OF_YEAR', 'PROLEPTIC_MONTH'];
const YEAR_UNITS: readonly string[] = ['YEARS', 'DECADES', 'CENTURIES', 'MILLENNIA', 'ERAS'];

/** Year, and a month of it that may be the first one only: counted from the first day. */
abstract class FirstDay extends LocalTemporal {
  readonly first: number;
  readonly epochDay: null = null;
  readonly nanoOfDay: null = null;

  constructor(first: number) {
    super();
    this.first = first;
  }

  override get day(): number {
    return this.first;
  }

  get year(): number {
    return this.dateParts.year;
  }

  protected abstract readonly fields: readonly string[];
  protected abstract readonly units: readonly string[];

  override supports(field: JavaField): boolean {
    return this.fields.includes(field.name);
  }

  override supportsUnit(unit: JavaUnit): boolean {
    return this.units.includes(unit.name);
  }

  protected override added(count: bigint, unit: JavaUnit): JavaTemporal {
    return this.rebuilt(addedDays(this.first, count, unit));
  }

  protected abstract override rebuilt(epochDay: number): LocalTemporal;
}

export class JavaYear extends FirstDay {
  readonly javaClass = 'java.time.Year';
  protected readonly fields: readonly string[] = YEAR_FIELDS;
  protected readonly units: readonly string[] = YEAR_UNITS;

  static of(year: number): JavaYear {
    return new JavaYear(epochDayOf(chronoField('YEAR').checked(year), 1, 1));
  }

  static from(other: JavaTemporal): JavaYear {
    if (other instanceof JavaYear) return other;
    if (!other.supports(chronoField('YEAR'))) throw unobtainable('Year', other);
    return JavaYear.of(other.get(chronoField('YEAR')));
  }

  protected rebuilt(epochDay: number): JavaYear {
    return JavaYear.of(dateOf(epochDay).year);
  }

  protected likeThis(other: JavaTemporal): this {
    return JavaYear.from(other) as this;
  }

  text(): string {
    return String(this.year);
  }

  override key(): unknown {
    return `year ${this.year}`;
  }

  override equals(other: ScriptObject): boolean {
    return other instanceof JavaYear && other.year === this.year;
  }

  override compare(other: ScriptObject): number | null {
    return other instanceof JavaYear ? this.year - other.year : null;
  }
}

export class JavaYearMonth extends FirstDay {
  readonly javaClass = 'java.time.YearMonth';
  protected readonly fields: readonly string[] = MONTH_FIELDS;
  protected readonly units: readonly string[] = ['MONTHS', ...YEAR_UNITS];

  static of(year: number, month: number): JavaYearMonth {
    chronoField('YEAR').checked(year);
    return new JavaYearMonth(epochDayOf(year, chronoField('MONTH_OF_YEAR').checked(month), 1));
  }

  static from(other: JavaTemporal): JavaYearMonth {
    if (other instanceof JavaYearMonth) return other;
    if (!other.supports(chronoField('MONTH_OF_YEAR')) || !other.supports(chronoField('YEAR'))) {
      throw unobtainable('YearMonth', other);
    }
    return JavaYearMonth.of(other.get(chronoField('YEAR')), other.get(chronoField('MONTH_OF_YEAR')));
  }

  get month(): number {
    return this.dateParts.month;
  }

  protected rebuilt(epochDay: number): JavaYearMonth {
    const { year, month } = dateOf(epochDay);
    return JavaYearMonth.of(year, month);
  }

  protected likeThis(other: JavaTemporal): this {
    return JavaYearMonth.from(other) as this;
  }

  text(): string {
    return `${yearText(this.year)}-${two(this.month)}`.replace(/^\+/, '');
  }

  override key(): unknown {
    return `month ${this.first}`;
  }

  override equals(other: ScriptObject): boolean {
    return other instanceof JavaYearMonth && other.first === this.first;
  }

  override compare(other: ScriptObject): number | null {
    return other instanceof JavaYearMonth ? this.year - other.year || this.month - other.month : null;
  }
}

const LENGTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export class JavaMonthDay extends JavaTemporal {
  readonly javaClass = 'java.time.MonthDay';
  readonly epochDay = null;
  readonly nanoOfDay = null;
  readonly month: number;
  readonly dayOfMonth: number;

  constructor(month: number, dayOfMonth: number) {
    super();
    chronoField('MONTH_OF_YEAR').checked(month);
    chronoField('DAY_OF_MONTH').checked(dayOfMonth);
    if (dayOfMonth > (LENGTHS[month - 1] ?? 0)) {
      throw dateTimeException(
        `Illegal value for DayOfMonth field, value ${dayOfMonth} is not valid for month ${MONTHS[month - 1]}`,
      );
    }
    this.month = month;
    this.dayOfMonth = dayOfMonth;
  }

  static from(other: JavaTemporal): JavaMonthDay {
    if (other instanceof JavaMonthDay) return other;
    if (!other.supports(chronoField('MONTH_OF_YEAR')) || !other.supports(chronoField('DAY_OF_MONTH'))) {
      throw unobtainable('MonthDay', other);
    }
    return new JavaMonthDay(other.get(chronoField('MONTH_OF_YEAR')), other.get(chronoField('DAY_OF_MONTH')));
  }

  supports(field: JavaField): boolean {
    return field.name === 'MONTH_OF_YEAR' || field.name === 'DAY_OF_MONTH';
  }

  supportsUnit(): boolean {
    return false;
  }

  protected read(field: JavaField): number {
    return field.name === 'MONTH_OF_YEAR' ? this.month : this.dayOfMonth;
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

  protected likeThis(other: JavaTemporal): this {
    return JavaMonthDay.from(other) as this;
  }

  text(): string {
    return `--${two(this.month)}-${two(this.dayOfMonth)}`;
  }

  override key(): unknown {
    return `month day ${this.text()}`;
  }

  override equals(other: ScriptObject): boolean {
    return other instanceof JavaMonthDay && other.text() === this.text();
  }

  override compare(other: ScriptObject): number | null {
    return other instanceof JavaMonthDay ? this.month - other.month || this.dayOfMonth - other.dayOfMonth : null;
  }
}

const MONTHS = [
  ...['JANUARY', 'FEBRUARY', 'MARCH', 'APRIL', 'MAY', 'JUNE'],
  ...['JULY', 'AUGUST', 'SEPTEMBER', 'OCTOBER', 'NOVEMBER', 'DECEMBER'],
];
