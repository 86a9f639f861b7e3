/**
 * `DateTimeFormatter`: prints dates, and reads them.
 */
import { JavaException } from '../values/java-exception.ts';
import { ScriptObject } from '../values/script-object.ts';
import { parseParts } from './format-parse.ts';
import { type FormatPart, numberPart, ParseState } from './format-parts.ts';
import { offsetPart, patternParts } from './format-pattern.ts';
import { printParts } from './format-print.ts';
import { JavaDateTime } from './instants.ts';
import { type JavaLocale, ROOT } from './java-locale.ts';
import { JavaParsed, type ResolverStyle } from './resolve-fields.ts';
import type { JavaTemporal } from './temporal.ts';
import { chronoField } from './temporal-field.ts';
import { notParsed } from './time-errors.ts';
import type { JavaZone } from './time-zones.ts';
import { WEEK_BASED_YEAR, WEEK_OF_WEEK_BASED_YEAR } from './week-fields.ts';

interface FormatterShape {
  readonly parts: readonly FormatPart[];
  readonly name: string;
  readonly locale?: JavaLocale;
  readonly zone?: JavaZone | null;
  readonly style?: ResolverStyle;
  /** Pattern that the parts were made of; null: they are not of a pattern. */
  readonly pattern?: string | null;
}

export class JavaFormatter extends ScriptObject {
  readonly javaClass = 'java.time.format.DateTimeFormatter';
  readonly parts: readonly FormatPart[];
  readonly name: string;
  readonly locale: JavaLocale;
  readonly zone: JavaZone | null;
  readonly style: ResolverStyle;
  readonly pattern: string | null;

  constructor({ parts, name, locale = ROOT, zone = null, style = 'SMART', pattern = null }: FormatterShape) {
    super();
    this.parts = parts;
    this.name = name;
    this.locale = locale;
    this.zone = zone;
    this.style = style;
    this.pattern = pattern;
  }

  with(change: Partial<Pick<FormatterShape, 'locale' | 'zone' | 'style'>>): JavaFormatter {
    const { locale } = change;
    // Weeks of a pattern are those of its locale.
    const parts = locale === undefined || this.pattern === null ? this.parts : patternParts(this.pattern, locale);
    return new JavaFormatter({ ...this, ...change, parts });
  }

  print(temporal: JavaTemporal): string {
    const { zone, locale } = this;
    const { instant } = temporal;
    const shown = zone === null || instant === null ? temporal : JavaDateTime.ofInstant(instant, zone);
    return printParts(this.parts, { temporal: shown, zone, locale });
  }

  /** @throws JavaException `DateTimeParseException` */
  parse(text: string): JavaParsed {
    const state = new ParseState(text, this.locale);
    const end = parseParts(this.parts, state, 0);
    if (end < 0) throw notParsed(text, -1 - end);
    if (end < text.length) throw notParsed(text, end, `could not be parsed, unparsed text found at index ${end}`);
    state.zone ??= state.fields.has(chronoField('OFFSET_SECONDS')) ? null : this.zone;
    return this.#resolved(text, () => new JavaParsed(state, this.style));
  }

  /** The text as a temporal of a class, which `from` makes. */
  parseTo<T>(text: string, from: (parsed: JavaTemporal) => T): T {
    const parsed = this.parse(text);
    return this.#resolved(text, () => from(parsed));
  }

  #resolved<T>(text: string, make: () => T): T {
    try {
      return make();
    } catch (error) {
      if (error instanceof JavaException) throw notParsed(text, 0, `could not be parsed: ${error.text}`);
      throw error;
    }
  }

  text(): string {
    return this.name;
  }
}

const FORMATTERS_MAX = 500;
const FORMATTERS = new Map<string, JavaFormatter>();

/** Formatters of patterns: scripts make the same one for every document. */
export function patternFormatter(pattern: string, locale: JavaLocale = ROOT): JavaFormatter {
  const key = `${locale.text()} ${pattern}`;
  let found = FORMATTERS.get(key);
  if (found === undefined) {
    found = new JavaFormatter({ parts: patternParts(pattern, locale), name: pattern, locale, pattern });
    if (FORMATTERS.size >= FORMATTERS_MAX) FORMATTERS.clear();
    FORMATTERS.set(key, found);
  }
  return found;
}

const literal = (text: string): FormatPart => ({ kind: 'literal', text });
const digits = (name: string, count = 2): FormatPart => numberPart(chronoField(name), count, count);
const optional = (...parts: FormatPart[]): FormatPart => ({ kind: 'optional', parts });
const IGNORE_CASE: FormatPart = { kind: 'case', isSensitive: false };
const YEAR = numberPart(chronoField('YEAR'), 4, 10, 'EXCEEDS_PAD');
const OFFSET = offsetPart(4, 'Z');

const DATE: readonly FormatPart[] = [YEAR, literal('-'), digits('MONTH_OF_YEAR'), literal('-'), digits('DAY_OF_MONTH')];
const SECONDS: readonly FormatPart[] = [
  literal(':'),
  digits('SECOND_OF_MINUTE'),
  { kind: 'fraction', field: chronoField('NANO_OF_SECOND'), min: 0, max: 9, hasPoint: true },
];
const TIME: readonly FormatPart[] = [
  digits('HOUR_OF_DAY'),
  literal(':'),
  digits('MINUTE_OF_HOUR'),
  optional(...SECONDS),
];
const DATE_TIME: readonly FormatPart[] = [IGNORE_CASE, ...DATE, literal('T'), ...TIME];
const ZONE = optional(literal('['), { kind: 'case', isSensitive: true }, { kind: 'zoneId' }, literal(']'));
const WEEK: readonly FormatPart[] = [
  { ...YEAR, field: WEEK_BASED_YEAR },
  literal('-W'),
  numberPart(WEEK_OF_WEEK_BASED_YEAR, 2, 2),
  literal('-'),
  digits('DAY_OF_WEEK', 1),
];
const RFC_1123: readonly FormatPart[] = [
  IGNORE_CASE,
  { kind: 'strict', isStrict: false },
  optional({ kind: 'text', field: chronoField('DAY_OF_WEEK'), style: 'short', names: null }, literal(', ')),
  numberPart(chronoField('DAY_OF_MONTH'), 1, 2, 'NOT_NEGATIVE'),
  literal(' '),
  { kind: 'text', field: chronoField('MONTH_OF_YEAR'), style: 'short', names: null },
  literal(' '),
  digits('YEAR', 4),
  literal(' '),
  digits('HOUR_OF_DAY'),
  literal(':'),
  digits('MINUTE_OF_HOUR'),
  optional(literal(':'), digits('SECOND_OF_MINUTE')),
  literal(' '),
  offsetPart(1, 'GMT'),
];

function iso(name: string, parts: readonly FormatPart[], style: ResolverStyle = 'STRICT'): JavaFormatter {
  return new JavaFormatter({ name, parts, style });
}

export const ISO_LOCAL_DATE: JavaFormatter = iso('ISO_LOCAL_DATE', DATE);
export const ISO_LOCAL_TIME: JavaFormatter = iso('ISO_LOCAL_TIME', TIME);
export const ISO_LOCAL_DATE_TIME: JavaFormatter = iso('ISO_LOCAL_DATE_TIME', DATE_TIME);
export const ISO_OFFSET_TIME: JavaFormatter = iso('ISO_OFFSET_TIME', [IGNORE_CASE, ...TIME, OFFSET]);
export const ISO_OFFSET_DATE_TIME: JavaFormatter = iso('ISO_OFFSET_DATE_TIME', [...DATE_TIME, OFFSET]);
export const ISO_ZONED_DATE_TIME: JavaFormatter = iso('ISO_ZONED_DATE_TIME', [...DATE_TIME, OFFSET, ZONE]);
export const ISO_INSTANT: JavaFormatter = iso('ISO_INSTANT', [{ kind: 'instant' }]);
export const YEAR_FORMAT: JavaFormatter = iso('Year', [numberPart(chronoField('YEAR'), 4, 10, 'EXCEEDS_PAD')], 'SMART');
export const YEAR_MONTH_FORMAT: JavaFormatter = iso(
  'YearMonth',
  [YEAR, literal('-'), digits('MONTH_OF_YEAR')],
  'SMART',
);
export const MONTH_DAY_FORMAT: JavaFormatter = iso(
  'MonthDay',
  [literal('--'), digits('MONTH_OF_YEAR'), literal('-'), digits('DAY_OF_MONTH')],
  'SMART',
);

/** Formatters that are constants of the class, by name. */
export const CONSTANTS: readonly JavaFormatter[] = [
  ...[ISO_LOCAL_DATE, ISO_LOCAL_TIME, ISO_LOCAL_DATE_TIME, ISO_OFFSET_TIME, ISO_OFFSET_DATE_TIME, ISO_ZONED_DATE_TIME],
  ISO_INSTANT,
  iso('ISO_DATE', [IGNORE_CASE, ...DATE, optional(OFFSET)]),
  iso('ISO_TIME', [IGNORE_CASE, ...TIME, optional(OFFSET)]),
  iso('ISO_DATE_TIME', [...DATE_TIME, optional(OFFSET, ZONE)]),
  iso('ISO_OFFSET_DATE', [IGNORE_CASE, ...DATE, OFFSET]),
  iso('ISO_ORDINAL_DATE', [IGNORE_CASE, YEAR, literal('-'), digits('DAY_OF_YEAR', 3), optional(OFFSET)]),
  iso('ISO_WEEK_DATE', [IGNORE_CASE, ...WEEK, optional(OFFSET)]),
  iso('BASIC_ISO_DATE', [
    IGNORE_CASE,
    digits('YEAR', 4),
    digits('MONTH_OF_YEAR'),
    digits('DAY_OF_MONTH'),
    optional(offsetPart(3, 'Z')),
  ]),
  iso('RFC_1123_DATE_TIME', RFC_1123, 'SMART'),
];
