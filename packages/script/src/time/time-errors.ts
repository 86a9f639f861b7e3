/**
 * Exceptions of `java.time`, in Java's words.
 */
import { JavaException } from '../values/java-exception.ts';

export function dateTimeException(text: string): JavaException {
  return new JavaException('java.time.DateTimeException', text);
}

export function unsupported(what: 'field' | 'unit', name: string): JavaException {
  return unsupportedType(`Unsupported ${what}: ${name}`);
}

export function unsupportedType(text: string): JavaException {
  return new JavaException('java.time.temporal.UnsupportedTemporalTypeException', text);
}

export function arithmeticException(text: string): JavaException {
  return new JavaException('java.lang.ArithmeticException', text);
}

/** Text that is no date; scripts may ask it for the text and the place. */
export class DateTimeParseException extends JavaException {
  readonly parsed: string;
  readonly index: number;

  constructor(text: string, parsed: string, index: number) {
    super('java.time.format.DateTimeParseException', text);
    this.parsed = parsed;
    this.index = index;
  }
}

/** Characters of a text that is refused which its exception repeats. */
const SHOWN_MAX = 64;

export function notParsed(
  parsed: string,
  index: number,
  behind = `could not be parsed at index ${index}`,
): JavaException {
  const shown = parsed.length > SHOWN_MAX ? `${parsed.slice(0, SHOWN_MAX)}...` : parsed;
  return new DateTimeParseException(`Text '${shown}' ${behind}`, parsed, index);
}
