/**
 * `Locale`, and the names of days and months in its language. `ROOT` and English are Java's own words; those of other languages
 * are the platform's.
 */
import { JavaException } from '../values/java-exception.ts';
import { ScriptObject } from '../values/script-object.ts';

export class JavaLocale extends ScriptObject {
  readonly javaClass = 'java.util.Locale';
  readonly language: string;
  readonly country: string;
  readonly variant: string;

  constructor(language: string, country = '', variant = '') {
    super();
    this.language = language.toLowerCase();
    this.country = country.toUpperCase();
    this.variant = variant;
  }

  /** Tag of BCP 47. */
  get tag(): string {
    if (this.language === '' && this.country === '') return 'und';
    return [this.language === '' ? 'und' : this.language, this.country, this.variant]
      .filter((part) => part !== '')
      .join('-');
  }

  get isEnglish(): boolean {
    return this.language === '' || this.language === 'en';
  }

  text(): string {
    const country = this.country === '' && this.variant === '' ? '' : `_${this.country}`;
    return `${this.language}${country}${this.variant === '' ? '' : `_${this.variant}`}`;
  }

  override key(): unknown {
    return `locale ${this.text()}`;
  }

  override equals(other: ScriptObject): boolean {
    return other instanceof JavaLocale && other.text() === this.text();
  }

  /** The platform's name for it; that of no language where it knows none. */
  get platformTag(): string {
    const tag = this.language === '' ? 'en' : this.tag;
    try {
      return Intl.getCanonicalLocales(tag)[0] ?? 'en';
    } catch (error) {
      if (error instanceof RangeError) throw new JavaException('java.util.IllformedLocaleException', error.message);
      throw error;
    }
  }

  static ofTag(tag: string): JavaLocale {
    const [language = '', ...rest] = tag.split('-');
    const country = rest.find((part) => /^(?:[A-Za-z]{2}|\d{3})$/.test(part)) ?? '';
    const isLanguage = /^[A-Za-z]{2,8}$/.test(language) && language.toLowerCase() !== 'und';
    return new JavaLocale(isLanguage ? language : '', country);
  }
}

export const ROOT: JavaLocale = new JavaLocale('');

export type NameStyle = 'long' | 'short' | 'narrow';

const DAY_NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const MONTH_NAMES = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];
const DAY_MS = 86_400_000;
/** 2024-01-01, a Monday. */
const MONDAY_MS = 1_704_067_200_000;
const MONTH_LENGTH_MS = 31 * DAY_MS;

function english(name: string, style: NameStyle): string {
  return style === 'long' ? name : name.slice(0, style === 'short' ? 3 : 1);
}

/** Lists of names by locale and style: the platform takes long to make one. */
const NAMES = new Map<string, readonly string[]>();
const NAMES_MAX = 200;

function named(locale: JavaLocale, key: string, make: () => readonly string[]): readonly string[] {
  const full = `${locale.tag} ${key}`;
  let names = NAMES.get(full);
  if (names === undefined) {
    names = make();
    if (NAMES.size >= NAMES_MAX) NAMES.clear();
    NAMES.set(full, names);
  }
  return names;
}

/** Names of the days, Monday first. */
export function dayNames(locale: JavaLocale, style: NameStyle): readonly string[] {
  return named(locale, `days ${style}`, () => {
    if (locale.isEnglish) return DAY_NAMES.map((name) => english(name, style));
    const format = new Intl.DateTimeFormat(locale.platformTag, { weekday: style, timeZone: 'UTC' });
    return DAY_NAMES.map((_name, i) => format.format(MONDAY_MS + i * DAY_MS));
  });
}

/** Names of the months; those that stand alone, or as they are beside the number of a day. */
export function monthNames(locale: JavaLocale, style: NameStyle): readonly string[] {
  return named(locale, `months ${style}`, () => {
    if (locale.isEnglish) return MONTH_NAMES.map((name) => english(name, style));
    const format = new Intl.DateTimeFormat(locale.platformTag, { month: style, timeZone: 'UTC' });
    return MONTH_NAMES.map((_name, i) => format.format(MONDAY_MS + i * (MONTH_LENGTH_MS - DAY_MS / 2)));
  });
}
