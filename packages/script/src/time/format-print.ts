/**
 * Parts of a formatter, printed.
 */
import type { FormatPart, NumberPart, OffsetPart, PrintContext } from './format-parts.ts';
import { JavaInstant } from './instants.ts';
import { dayNames, monthNames, type NameStyle } from './java-locale.ts';
import { chronoField, type JavaField } from './temporal-field.ts';
import { dateTimeException, unsupported } from './time-errors.ts';
import { JavaOffset } from './time-zones.ts';
import { zoneName } from './zone-names.ts';

export function printParts(parts: readonly FormatPart[], context: PrintContext): string {
  return parts.map((part) => printPart(part, context)).join('');
}

function printPart(part: FormatPart, context: PrintContext): string {
  const { temporal } = context;
  switch (part.kind) {
    case 'literal':
      return part.text;
    case 'number':
      return printNumber(part, temporal.get(part.field));
    case 'fraction':
      return printFraction(part, temporal.get(part.field));
    case 'text':
      return printText(part.field, part.style, part.names, context);
    case 'offset':
      return printOffset(part, offsetOf(context));
    case 'localizedOffset':
      return printLocalized(offsetOf(context), part.isFull);
    case 'zoneId':
      return zoneOf(context).id;
    case 'zoneText':
      return zoneName(zoneOf(context), temporal.instant, part.isFull);
    case 'instant': {
      if (temporal.instant === null) throw unsupported('field', 'InstantSeconds');
      return new JavaInstant(...temporal.instant).text();
    }
    case 'pad': {
      const text = printPart(part.part, context);
      if (text.length > part.width) {
        throw dateTimeException(
          `Cannot print as output of ${text.length} characters exceeds pad width of ${part.width}`,
        );
      }
      return text.padStart(part.width, part.filler);
    }
    case 'optional':
      return part.parts.every((one) => isThere(one, context)) ? printParts(part.parts, context) : '';
    default:
      return '';
  }
}

/** False where an optional piece prints nothing, as the date does not have it. */
function isThere(part: FormatPart, { temporal, zone }: PrintContext): boolean {
  switch (part.kind) {
    case 'number':
    case 'fraction':
    case 'text':
      return temporal.supports(part.field);
    case 'offset':
    case 'localizedOffset':
      return temporal.offsetSeconds !== null;
    case 'zoneId':
    case 'zoneText':
      return (zone ?? temporal.zone) !== null;
    case 'instant':
      return temporal.instant !== null;
    case 'pad':
      return isThere(part.part, { temporal, zone } as PrintContext);
    default:
      return true;
  }
}

function offsetOf({ temporal }: PrintContext): number {
  const { offsetSeconds } = temporal;
  if (offsetSeconds === null) throw unsupported('field', 'OffsetSeconds');
  return offsetSeconds;
}

function zoneOf({ temporal, zone }: PrintContext): NonNullable<PrintContext['zone']> {
  const found = temporal.zone ?? zone;
  if (found === null) throw dateTimeException(`Unable to extract ZoneId from temporal ${temporal.text()}`);
  return found;
}

function printNumber({ field, min, max, sign, base }: NumberPart, given: number): string {
  const value = base === null ? given : ((Math.abs(given) % 100) + 100) % 100;
  const digits = String(Math.abs(value));
  if (digits.length > max) {
    throw dateTimeException(
      `Field ${field.label} cannot be printed as the value ${value} exceeds the maximum print width of ${max}`,
    );
  }
  if (value < 0 && sign === 'NOT_NEGATIVE') {
    throw dateTimeException(
      `Field ${field.label} cannot be printed as the value ${value} cannot be negative according to the SignStyle`,
    );
  }
  const isLarge = sign === 'EXCEEDS_PAD' && min < 19 && digits.length > min;
  const mark = value < 0 ? (sign === 'NEVER' ? '' : '-') : sign === 'ALWAYS' || isLarge ? '+' : '';
  return `${mark}${digits.padStart(min, '0')}`;
}

function printFraction(part: Extract<FormatPart, { kind: 'fraction' }>, value: number): string {
  const { field, min, max, hasPoint } = part;
  const size = field.range.maximum + 1;
  const all = String(value)
    .padStart(String(size - 1).length, '0')
    .padEnd(9, '0');
  let digits = all.slice(0, max);
  while (digits.length > min && digits.endsWith('0')) digits = digits.slice(0, -1);
  return digits === '' ? '' : `${hasPoint ? '.' : ''}${digits}`;
}

const ERAS: Readonly<Record<NameStyle, readonly string[]>> = {
  long: ['Before Christ', 'Anno Domini'],
  short: ['BC', 'AD'],
  narrow: ['B', 'A'],
};

/** Names of the values of a field, of the least one first; null where it has none. */
export function fieldNames(
  field: JavaField,
  style: NameStyle,
  names: readonly string[] | null,
  { locale }: Pick<PrintContext, 'locale'>,
): readonly string[] | null {
  if (names !== null) return names;
  if (field === chronoField('DAY_OF_WEEK')) return dayNames(locale, style);
  if (field === chronoField('MONTH_OF_YEAR')) return monthNames(locale, style);
  if (field === chronoField('AMPM_OF_DAY')) return ['AM', 'PM'];
  return field === chronoField('ERA') ? ERAS[style] : null;
}

function printText(field: JavaField, style: NameStyle, names: readonly string[] | null, context: PrintContext): string {
  const value = context.temporal.get(field);
  return fieldNames(field, style, names, context)?.[value - field.range.minimum] ?? String(value);
}

const two = (value: number): string => String(value).padStart(2, '0');

export function printOffset({ hasColon, minutes, seconds, none }: OffsetPart, offset: number): string {
  if (offset === 0) return none;
  const size = Math.abs(offset);
  const [minute, second] = [Math.floor(size / 60) % 60, size % 60];
  const colon = hasColon ? ':' : '';
  let text = `${offset < 0 ? '-' : '+'}${two(Math.floor(size / 3_600))}`;
  if (minutes === 'always' || (minutes === 'needed' && minute !== 0)) {
    text += `${colon}${two(minute)}`;
    if (seconds === 'always' || (seconds === 'needed' && second !== 0)) text += `${colon}${two(second)}`;
  }
  return text;
}

function printLocalized(offset: number, isFull: boolean): string {
  if (offset === 0) return 'GMT';
  const { id } = new JavaOffset(offset);
  return `GMT${isFull ? id : id.replace(/^([+-])0/, '$1').replace(/:00$/, '')}`;
}
