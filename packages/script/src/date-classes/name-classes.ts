/**
 * `DayOfWeek`, `Month` and the enums of styles that formatters take, and `Locale`.
 */

import { type ScriptClass, scriptClass } from '../contract/script-class.ts';
import { dayOfYear, epochDayOf } from '../time/calendar-math.ts';
import { DAYS, enumValues, type JavaEnum, MONTHS } from '../time/java-enum.ts';
import { dayNames, JavaLocale, monthNames, type NameStyle, ROOT } from '../time/java-locale.ts';
import type { JavaTemporal } from '../time/temporal.ts';
import { chronoField } from '../time/temporal-field.ts';
import { dateTimeException } from '../time/time-errors.ts';
import { ENUM_SUPERS, enumClass, enumMembers } from './enum-members.ts';
import { ACCESSOR, ADJUSTER, OBJECT, required } from './temporal-members.ts';

/** The constant so many places on, round and round. */
function turned(values: readonly JavaEnum[], self: JavaEnum, count: bigint): JavaEnum {
  const size = BigInt(values.length);
  return values[Number((((BigInt(self.ordinal) + count) % size) + size) % size)] as JavaEnum;
}

function numbered(values: readonly JavaEnum[], what: string, value: number): JavaEnum {
  const found = values[value - 1];
  if (found === undefined) throw dateTimeException(`Invalid value for ${what}: ${value}`);
  return found;
}

/** Width of the names of a `TextStyle`. */
export function styleOf(style: JavaEnum): NameStyle {
  return style.name.startsWith('FULL') ? 'long' : style.name.startsWith('SHORT') ? 'short' : 'narrow';
}

const DAY = scriptClass('java.time.DayOfWeek', [...ENUM_SUPERS.slice(0, 2), ADJUSTER, ACCESSOR, OBJECT], {
  ...enumMembers('java.time.DayOfWeek', 'DayOfWeek', DAYS),
  'static DayOfWeek of(int)': (_m, _s, value: number) => numbered(DAYS, 'DayOfWeek', value),
  'static DayOfWeek from(def)': (_m, _s, temporal: JavaTemporal | JavaEnum) =>
    'ordinal' in required(temporal) ? temporal : DAYS[(temporal as JavaTemporal).get(chronoField('DAY_OF_WEEK')) - 1],
  'int getValue()': (_m, self: JavaEnum) => self.ordinal + 1,
  'DayOfWeek plus(long)': (_m, self: JavaEnum, count: bigint) => turned(DAYS, self, count),
  'DayOfWeek minus(long)': (_m, self: JavaEnum, count: bigint) => turned(DAYS, self, -count),
  'String getDisplayName(TextStyle,Locale)': (_m, self: JavaEnum, style: JavaEnum, locale: JavaLocale) =>
    dayNames(required(locale), styleOf(required(style)))[self.ordinal],
});

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const lengthOf = (self: JavaEnum, isLeap: boolean): number =>
  self.ordinal === 1 && isLeap ? 29 : (LENGTHS[self.ordinal] ?? 0);

const MONTH = scriptClass('java.time.Month', [...ENUM_SUPERS.slice(0, 2), ADJUSTER, ACCESSOR, OBJECT], {
  ...enumMembers('java.time.Month', 'Month', MONTHS),
  'static Month of(int)': (_m, _s, value: number) => numbered(MONTHS, 'MonthOfYear', value),
  'static Month from(def)': (_m, _s, temporal: JavaTemporal | JavaEnum) =>
    'ordinal' in required(temporal)
      ? temporal
      : MONTHS[(temporal as JavaTemporal).get(chronoField('MONTH_OF_YEAR')) - 1],
  'int getValue()': (_m, self: JavaEnum) => self.ordinal + 1,
  'Month plus(long)': (_m, self: JavaEnum, count: bigint) => turned(MONTHS, self, count),
  'Month minus(long)': (_m, self: JavaEnum, count: bigint) => turned(MONTHS, self, -count),
  'int length(boolean)': (_m, self: JavaEnum, isLeap: boolean) => lengthOf(self, isLeap),
  'int maxLength()': (_m, self: JavaEnum) => lengthOf(self, true),
  'int minLength()': (_m, self: JavaEnum) => lengthOf(self, false),
  'int firstDayOfYear(boolean)': (_m, self: JavaEnum, isLeap: boolean) =>
    dayOfYear(epochDayOf(isLeap ? 2000 : 2001, self.ordinal + 1, 1)),
  'Month firstMonthOfQuarter()': (_m, self: JavaEnum) => MONTHS[self.ordinal - (self.ordinal % 3)],
  'String getDisplayName(TextStyle,Locale)': (_m, self: JavaEnum, style: JavaEnum, locale: JavaLocale) =>
    monthNames(required(locale), styleOf(required(style)))[self.ordinal],
});

const TEXT_STYLE = 'java.time.format.TextStyle';
const TEXT_STYLES = enumValues(TEXT_STYLE, 'FULL FULL_STANDALONE SHORT SHORT_STANDALONE NARROW NARROW_STANDALONE');
const enumOf = (name: string, values: string): ScriptClass => enumClass(name, enumValues(name, values));

const LOCALES: readonly (readonly [name: string, language: string, country?: string])[] = [
  ['CANADA', 'en', 'CA'],
  ['CANADA_FRENCH', 'fr', 'CA'],
  ['CHINA', 'zh', 'CN'],
  ['CHINESE', 'zh'],
  ['ENGLISH', 'en'],
  ['FRANCE', 'fr', 'FR'],
  ['FRENCH', 'fr'],
  ['GERMAN', 'de'],
  ['GERMANY', 'de', 'DE'],
  ['ITALIAN', 'it'],
  ['ITALY', 'it', 'IT'],
  ['JAPAN', 'ja', 'JP'],
  ['JAPANESE', 'ja'],
  ['KOREA', 'ko', 'KR'],
  ['KOREAN', 'ko'],
  ['PRC', 'zh', 'CN'],
  ['ROOT', ''],
  ['SIMPLIFIED_CHINESE', 'zh', 'CN'],
  ['TAIWAN', 'zh', 'TW'],
  ['TRADITIONAL_CHINESE', 'zh', 'TW'],
  ['UK', 'en', 'GB'],
  ['US', 'en', 'US'],
];

function displayName(type: 'language' | 'region', code: string, locale: JavaLocale): string {
  return code === '' ? '' : (new Intl.DisplayNames(locale.platformTag, { type }).of(code) ?? code);
}

function localeName(self: JavaLocale, locale: JavaLocale): string {
  const [language, country] = [
    displayName('language', self.language, locale),
    displayName('region', self.country, locale),
  ];
  return language === '' ? country : country === '' ? language : `${language} (${country})`;
}

const LOCALE = scriptClass('java.util.Locale', [OBJECT], {
  ...Object.fromEntries(
    LOCALES.map(([name, language, country]) => [
      `const Locale ${name}`,
      name === 'ROOT' ? ROOT : new JavaLocale(language, country),
    ]),
  ),
  'new(String)': (_m, _s, language: string) => new JavaLocale(required(language)),
  'new(String,String)': (_m, _s, language: string, country: string) =>
    new JavaLocale(required(language), required(country)),
  'new(String,String,String)': (_m, _s, language: string, country: string, variant: string) =>
    new JavaLocale(required(language), required(country), required(variant)),
  'static Locale forLanguageTag(String)': (_m, _s, tag: string) => JavaLocale.ofTag(required(tag)),
  'static Locale getDefault()': () => new JavaLocale('en'),
  'String getLanguage()': (_m, self: JavaLocale) => self.language,
  'String getCountry()': (_m, self: JavaLocale) => self.country,
  'String getVariant()': (_m, self: JavaLocale) => self.variant,
  'String getScript()': () => '',
  'String toLanguageTag()': (_m, self: JavaLocale) => self.tag,
  'String getDisplayLanguage()': (_m, self: JavaLocale) => displayName('language', self.language, ROOT),
  'String getDisplayLanguage(Locale)': (_m, self: JavaLocale, locale: JavaLocale) =>
    displayName('language', self.language, required(locale)),
  'String getDisplayCountry()': (_m, self: JavaLocale) => displayName('region', self.country, ROOT),
  'String getDisplayCountry(Locale)': (_m, self: JavaLocale, locale: JavaLocale) =>
    displayName('region', self.country, required(locale)),
  'String getDisplayName()': (_m, self: JavaLocale) => localeName(self, ROOT),
  'String getDisplayName(Locale)': (_m, self: JavaLocale, locale: JavaLocale) => localeName(self, required(locale)),
});

export const NAME_CLASSES: readonly ScriptClass[] = [
  DAY,
  MONTH,
  LOCALE,
  enumClass(TEXT_STYLE, TEXT_STYLES, {
    'boolean isStandalone()': (_m, self: JavaEnum) => self.ordinal % 2 === 1,
    'TextStyle asStandalone()': (_m, self: JavaEnum) => TEXT_STYLES[self.ordinal | 1],
    'TextStyle asNormal()': (_m, self: JavaEnum) => TEXT_STYLES[self.ordinal & ~1],
  }),
  enumOf('java.time.format.ResolverStyle', 'STRICT SMART LENIENT'),
  enumOf('java.time.format.SignStyle', 'NORMAL ALWAYS NEVER NOT_NEGATIVE EXCEEDS_PAD'),
];
