/**
 * `NumberFormat`, `DecimalFormat` and `DecimalFormatSymbols`.
 */
import { type ScriptClass, scriptClass } from '../contract/script-class.ts';
import type { Rounding } from '../decimals/big-decimal.ts';
import { DecimalFormat, DecimalSymbols } from '../decimals/decimal-format.ts';
import { parseDecimalPattern } from '../decimals/decimal-pattern.ts';
import type { JavaEnum } from '../time/java-enum.ts';
import { JavaLocale } from '../time/java-locale.ts';
import { nullPointer } from '../values/java-exception.ts';

const OBJECT = 'java.lang.Object';
const FORMAT = 'java.text.Format';
const NUMBER_FORMAT = 'java.text.NumberFormat';
/** Locale of a server that is started with none. */
const DEFAULT_LOCALE = new JavaLocale('en', 'US');
/** Digits that a format may be told to show on one side of the point. */
const DIGITS_MAX = 340;

const NUMBERS = '#,##0.###';
const WHOLE_NUMBERS = '#,##0';
const PERCENTS = '#,##0%';

function given<T>(value: T | null): T {
  if (value === null) throw nullPointer();
  return value;
}

const formatOf = (pattern: string, locale: JavaLocale = DEFAULT_LOCALE): DecimalFormat =>
  new DecimalFormat(pattern, new DecimalSymbols(given(locale)));

const bounded = (digits: number): number => Math.max(0, Math.min(DIGITS_MAX, digits));

const FACTORIES = Object.fromEntries(
  [
    ['getInstance', NUMBERS],
    ['getNumberInstance', NUMBERS],
    ['getIntegerInstance', WHOLE_NUMBERS],
    ['getPercentInstance', PERCENTS],
  ].flatMap(([name = '', pattern = '']) => [
    [`static NumberFormat ${name}()`, () => formatOf(pattern)],
    [
      `static NumberFormat ${name}(Locale)`,
      (_m: unknown, _s: unknown, locale: JavaLocale) => formatOf(pattern, locale),
    ],
  ]),
);

const NUMBER_FORMAT_CLASS = scriptClass(NUMBER_FORMAT, [FORMAT, OBJECT], {
  ...FACTORIES,
  'Number parse(String)': (_m, self: DecimalFormat, text: string) => self.parse(given(text)),
  'int getMaximumFractionDigits()': (_m, self: DecimalFormat) => self.pattern.maxFraction,
  'int getMinimumFractionDigits()': (_m, self: DecimalFormat) => self.pattern.minFraction,
  'int getMinimumIntegerDigits()': (_m, self: DecimalFormat) => self.pattern.minWhole,
  'boolean isGroupingUsed()': (_m, self: DecimalFormat) => self.pattern.groupSize > 0,
  'void setGroupingUsed(boolean)': (_m, self: DecimalFormat, isUsed: boolean) => self.setGrouping(isUsed),
  'void setMaximumFractionDigits(int)': (_m, self: DecimalFormat, digits: number) => {
    const maxFraction = bounded(digits);
    self.change({ maxFraction, minFraction: Math.min(self.pattern.minFraction, maxFraction) });
  },
  'void setMinimumFractionDigits(int)': (_m, self: DecimalFormat, digits: number) => {
    const minFraction = bounded(digits);
    self.change({ minFraction, maxFraction: Math.max(self.pattern.maxFraction, minFraction) });
  },
  'void setMinimumIntegerDigits(int)': (_m, self: DecimalFormat, digits: number) =>
    self.change({ minWhole: bounded(digits) }),
  'void setRoundingMode(RoundingMode)': (_m, self: DecimalFormat, mode: JavaEnum) => {
    self.rounding = given(mode).name as Rounding; // Enums of that class have these names.
  },
});

const DECIMAL_FORMAT = scriptClass('java.text.DecimalFormat', [NUMBER_FORMAT, FORMAT, OBJECT], {
  'new()': () => formatOf(NUMBERS),
  'new(String)': (_m, _s, pattern: string) => formatOf(given(pattern)),
  'new(String,DecimalFormatSymbols)': (_m, _s, pattern: string, symbols: DecimalSymbols) =>
    new DecimalFormat(given(pattern), given(symbols)),
  'void applyPattern(String)': (_m, self: DecimalFormat, pattern: string) => {
    self.pattern = parseDecimalPattern(given(pattern));
  },
  'int getGroupingSize()': (_m, self: DecimalFormat) => self.pattern.groupSize,
  'int getMultiplier()': (_m, self: DecimalFormat) => self.pattern.multiplier,
});

const SYMBOLS = scriptClass('java.text.DecimalFormatSymbols', [OBJECT], {
  'new()': () => new DecimalSymbols(DEFAULT_LOCALE),
  'new(Locale)': (_m, _s, locale: JavaLocale) => new DecimalSymbols(given(locale)),
  'static DecimalFormatSymbols getInstance()': () => new DecimalSymbols(DEFAULT_LOCALE),
  'static DecimalFormatSymbols getInstance(Locale)': (_m, _s, locale: JavaLocale) => new DecimalSymbols(given(locale)),
  'char getDecimalSeparator()': (_m, self: DecimalSymbols) => self.decimal.charCodeAt(0),
  'char getGroupingSeparator()': (_m, self: DecimalSymbols) => self.grouping.charCodeAt(0),
  'void setDecimalSeparator(char)': (_m, self: DecimalSymbols, unit: number) => {
    self.decimal = String.fromCharCode(unit);
  },
  'void setGroupingSeparator(char)': (_m, self: DecimalSymbols, unit: number) => {
    self.grouping = String.fromCharCode(unit);
  },
});

export const NUMBER_FORMAT_CLASSES: readonly ScriptClass[] = [
  scriptClass(FORMAT, [OBJECT], {
    'String format(def)': (m, self: DecimalFormat, value: unknown) => self.format(m, value),
  }),
  NUMBER_FORMAT_CLASS,
  DECIMAL_FORMAT,
  SYMBOLS,
];
