/**
 * `DateTimeFormatter` and its builder.
 */

import { call } from '../contract/calls.ts';
import { type Invoke, type ScriptClass, scriptClass } from '../contract/script-class.ts';
import type { ScriptFunction } from '../machine/script-machine.ts';
import { type FormatPart, numberPart, PartList, type SignStyle } from '../time/format-parts.ts';
import { offsetPart, patternParts } from '../time/format-pattern.ts';
import { enumValues, type JavaEnum } from '../time/java-enum.ts';
import { CONSTANTS, JavaFormatter, patternFormatter } from '../time/java-formatter.ts';
import { type JavaLocale, ROOT } from '../time/java-locale.ts';
import type { ResolverStyle } from '../time/resolve-fields.ts';
import type { JavaTemporal } from '../time/temporal.ts';
import type { JavaField } from '../time/temporal-field.ts';
import { DateTimeParseException } from '../time/time-errors.ts';
import type { JavaZone } from '../time/time-zones.ts';
import { illegalArgumentException } from '../values/java-exception.ts';
import { ScriptObject } from '../values/script-object.ts';
import { styleOf } from './name-classes.ts';
import { OBJECT, required } from './temporal-members.ts';

const RESOLVER_STYLES = enumValues('java.time.format.ResolverStyle', 'STRICT SMART LENIENT');

const FORMATTER = scriptClass('java.time.format.DateTimeFormatter', [OBJECT], {
  ...Object.fromEntries(CONSTANTS.map((formatter) => [`const DateTimeFormatter ${formatter.name}`, formatter])),
  'static DateTimeFormatter ofPattern(String)': (_m, _s, pattern: string) => patternFormatter(required(pattern)),
  'static DateTimeFormatter ofPattern(String,Locale)': (_m, _s, pattern: string, locale: JavaLocale) =>
    patternFormatter(required(pattern), required(locale)),
  'String format(TemporalAccessor)': (m, self: JavaFormatter, temporal: JavaTemporal) => {
    const text = self.print(required(temporal));
    m.grow(text.length);
    return text;
  },
  'TemporalAccessor parse(CharSequence)': (_m, self: JavaFormatter, text: unknown) =>
    self.parse(String(required(text))),
  'def parse(CharSequence,Function)': (m, self: JavaFormatter, text: unknown, query: ScriptFunction) =>
    self.parseTo(String(required(text)), (parsed) => call(m, query, parsed)),
  'Locale getLocale()': (_m, self: JavaFormatter) => self.locale,
  'ZoneId getZone()': (_m, self: JavaFormatter) => self.zone,
  'ResolverStyle getResolverStyle()': (_m, self: JavaFormatter) =>
    RESOLVER_STYLES.find(({ name }) => name === self.style),
  'DateTimeFormatter withLocale(Locale)': (_m, self: JavaFormatter, locale: JavaLocale) =>
    self.with({ locale: required(locale) }),
  'DateTimeFormatter withZone(ZoneId)': (_m, self: JavaFormatter, zone: JavaZone | null) => self.with({ zone }),
  'DateTimeFormatter withResolverStyle(ResolverStyle)': (_m, self: JavaFormatter, style: JavaEnum) =>
    self.with({ style: required(style).name as ResolverStyle }),
});

class Builder extends ScriptObject {
  readonly javaClass = 'java.time.format.DateTimeFormatterBuilder';
  readonly lists: PartList[] = [new PartList()];
  #padding: Omit<Extract<FormatPart, { kind: 'pad' }>, 'part'> | null = null;

  add(part: FormatPart): this {
    this.lists.at(-1)?.add(this.#padding === null ? part : { ...this.#padding, part });
    this.#padding = null;
    return this;
  }

  addAll(parts: readonly FormatPart[]): this {
    for (const part of parts) this.add(part);
    return this;
  }

  pad(width: number, filler: string): this {
    if (width < 1) throw illegalArgumentException(`The pad width must be at least one but was ${width}`);
    this.#padding = { kind: 'pad', width: Math.min(width, WIDTH_MAX), filler };
    return this;
  }

  end(): this {
    if (this.lists.length < 2)
      throw illegalArgumentException('Cannot call optionalEnd() as there was no previous call to optionalStart()');
    const inner = this.lists.pop();
    if (inner !== undefined && inner.parts.length > 0) this.add({ kind: 'optional', parts: inner.parts });
    return this;
  }

  build(locale: JavaLocale): JavaFormatter {
    while (this.lists.length > 1) this.end();
    return new JavaFormatter({ parts: [...(this.lists[0]?.parts ?? [])], name: 'DateTimeFormatter', locale });
  }

  text(): string {
    return this.javaClass;
  }
}

const WIDTH_MAX = 1_000;
const OFFSET_PATTERNS = ['+HHmm', '+HHMM', '+HH:MM', '+HHMMss', '+HH:MM:ss'];

function offsetOf(pattern: string, none: string): FormatPart {
  if (pattern === '+HH') return { kind: 'offset', hasColon: false, minutes: 'never', seconds: 'never', none };
  if (pattern === '+HH:mm') return { kind: 'offset', hasColon: true, minutes: 'needed', seconds: 'never', none };
  if (pattern === '+HHMMSS' || pattern === '+HH:MM:SS') {
    return { kind: 'offset', hasColon: pattern.includes(':'), minutes: 'always', seconds: 'always', none };
  }
  const index = OFFSET_PATTERNS.indexOf(pattern);
  if (index < 0) throw illegalArgumentException(`Invalid zone offset pattern: ${pattern}`);
  return offsetPart(index, none);
}

function widths(min: number, max: number): void {
  if (min < 1 || min > 19) {
    throw illegalArgumentException(`The minimum width must be from 1 to 19 inclusive but was ${min}`);
  }
  if (max < 1 || max > 19) {
    throw illegalArgumentException(`The maximum width must be from 1 to 19 inclusive but was ${max}`);
  }
  if (max < min) {
    throw illegalArgumentException(`The maximum width must exceed or equal the minimum width but ${max} < ${min}`);
  }
}

function value(field: JavaField, min: number, max: number, sign: SignStyle, base: number | null = null): FormatPart {
  widths(min, max);
  return numberPart(required(field), min, max, sign, base);
}

const adding =
  (part: () => FormatPart): Invoke =>
  (_m, self: Builder) =>
    self.add(part());

const BUILDER = scriptClass('java.time.format.DateTimeFormatterBuilder', [OBJECT], {
  'new()': () => new Builder(),
  'DateTimeFormatterBuilder append(DateTimeFormatter)': (_m, self: Builder, formatter: JavaFormatter) =>
    self.addAll(required(formatter).parts),
  'DateTimeFormatterBuilder appendOptional(DateTimeFormatter)': (_m, self: Builder, formatter: JavaFormatter) =>
    self.add({ kind: 'optional', parts: required(formatter).parts }),
  'DateTimeFormatterBuilder appendPattern(String)': (_m, self: Builder, pattern: string) =>
    self.addAll(patternParts(required(pattern), ROOT)),
  'DateTimeFormatterBuilder appendLiteral(String)': (_m, self: Builder, text: string) =>
    self.add({ kind: 'literal', text: required(text) }),
  'DateTimeFormatterBuilder appendValue(TemporalField)': (_m, self: Builder, field: JavaField) =>
    self.add(value(field, 1, 19, 'NORMAL')),
  'DateTimeFormatterBuilder appendValue(TemporalField,int)': (_m, self: Builder, field: JavaField, width: number) =>
    self.add(value(field, width, width, 'NOT_NEGATIVE')),
  'DateTimeFormatterBuilder appendValue(TemporalField,int,int,SignStyle)': (
    _m,
    self: Builder,
    field: JavaField,
    min: number,
    max: number,
    sign: JavaEnum,
  ) => self.add(value(field, min, max, required(sign).name as SignStyle)),
  'DateTimeFormatterBuilder appendValueReduced(TemporalField,int,int,int)': (
    _m,
    self: Builder,
    field: JavaField,
    width: number,
    max: number,
    base: number,
  ) => self.add(value(field, width, max, 'NOT_NEGATIVE', base)),
  'DateTimeFormatterBuilder appendFraction(TemporalField,int,int,boolean)': (
    _m,
    self: Builder,
    field: JavaField,
    min: number,
    max: number,
    hasPoint: boolean,
  ) => {
    if (min < 0 || min > 9)
      throw illegalArgumentException(`Minimum width must be from 0 to 9 inclusive but was ${min}`);
    if (max < 1 || max > 9)
      throw illegalArgumentException(`Maximum width must be from 1 to 9 inclusive but was ${max}`);
    return self.add({ kind: 'fraction', field: required(field), min, max, hasPoint });
  },
  'DateTimeFormatterBuilder appendText(TemporalField)': (_m, self: Builder, field: JavaField) =>
    self.add({ kind: 'text', field: required(field), style: 'long', names: null }),
  'DateTimeFormatterBuilder appendText(TemporalField,TextStyle)': (
    _m,
    self: Builder,
    field: JavaField,
    style: JavaEnum,
  ) => self.add({ kind: 'text', field: required(field), style: styleOf(required(style)), names: null }),
  'DateTimeFormatterBuilder appendInstant()': adding(() => ({ kind: 'instant' })),
  'DateTimeFormatterBuilder appendOffsetId()': adding(() => offsetPart(4, 'Z')),
  'DateTimeFormatterBuilder appendOffset(String,String)': (_m, self: Builder, pattern: string, none: string) =>
    self.add(offsetOf(required(pattern), required(none))),
  'DateTimeFormatterBuilder appendLocalizedOffset(TextStyle)': (_m, self: Builder, style: JavaEnum) =>
    self.add({ kind: 'localizedOffset', isFull: required(style).name === 'FULL' }),
  'DateTimeFormatterBuilder appendZoneId()': adding(() => ({ kind: 'zoneId' })),
  'DateTimeFormatterBuilder appendZoneOrOffsetId()': adding(() => ({ kind: 'zoneId' })),
  'DateTimeFormatterBuilder appendZoneText(TextStyle)': (_m, self: Builder, style: JavaEnum) =>
    self.add({ kind: 'zoneText', isFull: styleOf(required(style)) === 'long' }),
  'DateTimeFormatterBuilder optionalStart()': (_m, self: Builder) => {
    self.lists.push(new PartList());
    return self;
  },
  'DateTimeFormatterBuilder optionalEnd()': (_m, self: Builder) => self.end(),
  'DateTimeFormatterBuilder padNext(int)': (_m, self: Builder, width: number) => self.pad(width, ' '),
  'DateTimeFormatterBuilder padNext(int,char)': (_m, self: Builder, width: number, unit: number) =>
    self.pad(width, String.fromCharCode(unit)),
  'DateTimeFormatterBuilder parseCaseInsensitive()': adding(() => ({ kind: 'case', isSensitive: false })),
  'DateTimeFormatterBuilder parseCaseSensitive()': adding(() => ({ kind: 'case', isSensitive: true })),
  'DateTimeFormatterBuilder parseLenient()': adding(() => ({ kind: 'strict', isStrict: false })),
  'DateTimeFormatterBuilder parseStrict()': adding(() => ({ kind: 'strict', isStrict: true })),
  'DateTimeFormatterBuilder parseDefaulting(TemporalField,long)': (
    _m,
    self: Builder,
    field: JavaField,
    given: bigint,
  ) => self.add({ kind: 'default', field: required(field), value: Number(given) }),
  'DateTimeFormatter toFormatter()': (_m, self: Builder) => self.build(ROOT),
  'DateTimeFormatter toFormatter(Locale)': (_m, self: Builder, locale: JavaLocale) => self.build(required(locale)),
});

const PARSE_EXCEPTION = scriptClass(
  'java.time.format.DateTimeParseException',
  ['java.time.DateTimeException', 'java.lang.RuntimeException', 'java.lang.Exception', 'java.lang.Throwable', OBJECT],
  {
    'new(String,CharSequence,int)': (_m, _s, text: string, parsed: unknown, index: number) =>
      new DateTimeParseException(text, String(parsed), index),
    'int getErrorIndex()': (_m, self: DateTimeParseException) => self.index,
    'String getParsedString()': (_m, self: DateTimeParseException) => self.parsed,
  },
);

export const FORMAT_CLASSES: readonly ScriptClass[] = [FORMATTER, BUILDER, PARSE_EXCEPTION];
