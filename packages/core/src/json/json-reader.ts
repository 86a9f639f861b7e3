/**
 * Reads JSON tokens from bytes, with exact integers and with the position of every token.
 *
 * The caller drives it by grammar (`json-tree.ts`, `json-value.ts`); this file knows only bytes: white space, strings,
 * numbers, literals, and the error for each way in which they can be wrong. Never looks behind `bytes.length`.
 */
import { ShoalError } from '../errors/shoal-error.ts';
import { type JsonLocation, jsonEndOfInput, jsonParseError, sourceText } from './json-location.ts';

/** Deeper JSON is refused: recursion must not exhaust the stack. */
export const JSON_DEPTH_MAX = 1_000;
/**
 * Tokens of one text: values, names and closing markers. A tree takes a hundred bytes for a value of two, and packed
 * bodies a thousandth of that, so that a limit of bytes alone bounds no memory.
 */
export const JSON_TOKENS_MAX = 1_000_000;
/** Longer numbers are refused: exact integers take time that grows with the square of their digits. */
const NUMBER_CHARS_MAX = 1_000;

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const DOT = 0x2e;

const EXPECTED_VALUE = "JSON String, Number, Array, Object or token 'null', 'true' or 'false'";
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

export type JsonContainer = 'Object' | 'Array';

/** Counts tokens of one text, or of several that are held together. */
export class JsonTokens {
  readonly #max: number;
  #count = 0;

  constructor(max: number = JSON_TOKENS_MAX) {
    this.#max = max;
  }

  get count(): number {
    return this.#count;
  }

  /** Counts further tokens. @throws x_content_parse_exception when there are too many */
  take(count = 1): void {
    this.#count += count;
    if (this.#count > this.#max) throw tooManyTokens(this.#max);
  }
}

/** 400: reading on would take more memory than any request needs. */
function tooManyTokens(max: number): ShoalError {
  return new ShoalError(
    'x_content_parse_exception',
    400,
    `Token count (${max + 1}) exceeds the maximum allowed (${max}, from \`StreamReadConstraints.getMaxTokenCount()\`)`,
  );
}

export class JsonReader {
  readonly bytes: Uint8Array;
  readonly tokens: JsonTokens;
  /** Next byte to read. */
  at = 0;
  private line = 1;
  private lineStart = 0;

  constructor(bytes: Uint8Array, tokens: JsonTokens) {
    this.bytes = bytes;
    this.tokens = tokens;
  }

  /** Position of the next byte. */
  location(): JsonLocation {
    return { line: this.line, col: this.at - this.lineStart + 1 };
  }

  /** Skips white space and returns the next byte without taking it; -1 at the end. */
  peek(): number {
    const { bytes } = this;
    for (let i = this.at; i < bytes.length; i++) {
      const b = bytes[i] ?? 0;
      if (b === LF) {
        this.line++;
        this.lineStart = i + 1;
      } else if (b !== SPACE && b !== TAB && b !== CR) {
        this.at = i;
        return b;
      }
    }
    this.at = bytes.length;
    return -1;
  }

  endOfInput(what: string): ShoalError {
    return jsonEndOfInput(what, this.location());
  }

  /** The end came where a container was still open. */
  unclosed(container: JsonContainer, start: JsonLocation): ShoalError {
    return this.endOfInput(`: expected close marker for ${container} (start marker at ${sourceText(start)})`);
  }

  /** The next byte may not stand here. The position shown is the one behind it. */
  unexpected(expected: string): ShoalError {
    const text = this.takeCharacter();
    const code = text.codePointAt(0) ?? 0;
    const shown = code < SPACE ? `(CTRL-CHAR, code ${code})` : `'${text}' (code ${code})`;
    return this.error(`Unexpected character (${shown}): ${expected}`);
  }

  unexpectedValue(): ShoalError {
    return this.unexpected(`expected a valid value (${EXPECTED_VALUE})`);
  }

  error(reason: string): ShoalError {
    return jsonParseError(reason, this.location());
  }

  /** The string whose opening quote is next. */
  string(what: 'in field name' | 'in VALUE_STRING'): string {
    const { bytes } = this;
    const start = this.at + 1;
    for (let i = start; i < bytes.length; i++) {
      const b = bytes[i] ?? 0;
      if (b === QUOTE) {
        this.at = i + 1;
        return decode(bytes, start, i);
      }
      if (b === BACKSLASH) return this.stringWithEscapes(start, i, what);
      if (b < SPACE) throw this.controlCharacter(i, b, what);
    }
    this.at = bytes.length;
    throw this.endOfInput(` ${what}`);
  }

  private stringWithEscapes(start: number, firstEscape: number, what: string): string {
    const { bytes } = this;
    let text = decode(bytes, start, firstEscape);
    let from = firstEscape;
    for (let i = firstEscape; i < bytes.length; i++) {
      const b = bytes[i] ?? 0;
      if (b === QUOTE) {
        this.at = i + 1;
        return text + decode(bytes, from, i);
      }
      if (b === BACKSLASH) {
        text += decode(bytes, from, i);
        this.at = i + 1;
        text += this.escape(what);
        from = this.at;
        i = from - 1;
      } else if (b < SPACE) throw this.controlCharacter(i, b, what);
    }
    this.at = bytes.length;
    throw this.endOfInput(` ${what}`);
  }

  private escape(what: string): string {
    const b = this.bytes[this.at];
    if (b === undefined) throw this.endOfInput(` ${what}`);
    this.at++;
    const simple = SIMPLE_ESCAPES.get(b);
    if (simple !== undefined) return simple;
    if (b !== 0x75) throw this.error(`Unrecognized character escape '${String.fromCharCode(b)}' (code ${b})`);
    let code = 0;
    for (let k = 0; k < 4; k++) {
      const h = this.bytes[this.at];
      if (h === undefined) throw this.endOfInput(` ${what}`);
      const digit = hexDigit(h);
      if (digit < 0) throw this.unexpected('expected a hex-digit for character escape sequence');
      code = code * 16 + digit;
      this.at++;
    }
    return String.fromCharCode(code);
  }

  private controlCharacter(i: number, b: number, what: string): ShoalError {
    this.at = i + 1;
    const context = what === 'in field name' ? 'name' : 'string value';
    return this.error(
      `Illegal unquoted character ((CTRL-CHAR, code ${b})): has to be escaped using backslash to be included in ${context}`,
    );
  }

  /** The number that starts at the next byte: as it is written. */
  numberText(): string {
    const { bytes } = this;
    const start = this.at;
    if (bytes[this.at] === MINUS) this.at++;
    const first = bytes[this.at];
    if (!isDigit(first)) {
      if (first === undefined) throw this.endOfInput(' in VALUE_NUMBER_INT');
      throw this.badNumber('expected digit (0-9) to follow minus sign, for valid numeric value');
    }
    if (first === 0x30 && isDigit(bytes[this.at + 1])) {
      this.at++;
      throw this.error('Invalid numeric value: Leading zeroes not allowed');
    }
    this.digits();
    if (bytes[this.at] === DOT) {
      this.at++;
      if (!isDigit(bytes[this.at])) throw this.badNumber('Decimal point not followed by a digit');
      this.digits();
    }
    if (bytes[this.at] === 0x65 || bytes[this.at] === 0x45) {
      this.at++;
      if (bytes[this.at] === 0x2b || bytes[this.at] === MINUS) this.at++;
      if (!isDigit(bytes[this.at])) throw this.badNumber('Exponent indicator not followed by a digit');
      this.digits();
    }
    const chars = this.at - start;
    if (chars > NUMBER_CHARS_MAX) {
      throw new ShoalError(
        'x_content_parse_exception',
        400,
        `Number value length (${chars}) exceeds the maximum allowed (${NUMBER_CHARS_MAX}, from \`StreamReadConstraints.getMaxNumberLength()\`)`,
      );
    }
    return decode(bytes, start, this.at);
  }

  private digits(): void {
    while (isDigit(this.bytes[this.at])) this.at++;
  }

  private badNumber(text: string): ShoalError {
    if (this.at >= this.bytes.length) return this.endOfInput(' in VALUE_NUMBER_FLOAT');
    const character = this.takeCharacter();
    return this.error(
      `Unexpected character ('${character}' (code ${character.codePointAt(0)})) in numeric value: ${text}`,
    );
  }

  /** `true`, `false` or `null`, which the next byte starts. */
  literal(): boolean | null {
    const { bytes } = this;
    const start = this.at;
    let end = start;
    while (end < bytes.length && isWordByte(bytes[end] ?? 0)) end++;
    const word = decode(bytes, start, end);
    this.at = end;
    if (word === 'true') return true;
    if (word === 'false') return false;
    if (word === 'null') return null;
    throw this.error(`Unrecognized token '${word}': was expecting (${EXPECTED_VALUE})`);
  }

  private takeCharacter(): string {
    const b = this.bytes[this.at] ?? 0;
    const length = b < 0x80 ? 1 : b < 0xe0 ? 2 : b < 0xf0 ? 3 : 4;
    const text = decode(this.bytes, this.at, Math.min(this.bytes.length, this.at + length));
    this.at++;
    return text;
  }
}

/** An integer beyond ±2^53 as a bigint, every other number as a number. */
export function numberValue(text: string): number | bigint {
  const value = Number(text);
  // Fifteen digits and a sign always fit a double exactly.
  if (text.length < 16 || Number.isSafeInteger(value) || /^-?9007199254740992$/.test(text)) return value;
  return /^-?\d+$/.test(text) ? BigInt(text) : value;
}

export function isNumberStart(b: number): boolean {
  return b === MINUS || isDigit(b);
}

/** A letter: a bare word follows, good or bad. */
export function isLiteralStart(b: number): boolean {
  return (b >= 0x61 && b <= 0x7a) || (b >= 0x41 && b <= 0x5a) || b === 0x5f || b === 0x24;
}

function isDigit(b: number | undefined): boolean {
  return b !== undefined && b >= 0x30 && b <= 0x39;
}

function isWordByte(b: number): boolean {
  return isLiteralStart(b) || isDigit(b) || b >= 0x80;
}

function hexDigit(b: number): number {
  if (b >= 0x30 && b <= 0x39) return b - 0x30;
  const lower = b | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** Short ASCII runs are faster by hand than through the decoder. */
function decode(bytes: Uint8Array, from: number, to: number): string {
  if (to - from <= 24) {
    let text = '';
    for (let i = from; i < to; i++) {
      const b = bytes[i] ?? 0;
      if (b >= 0x80) return utf8.decode(bytes.subarray(from, to));
      text += String.fromCharCode(b);
    }
    return text;
  }
  return utf8.decode(bytes.subarray(from, to));
}

const SIMPLE_ESCAPES: ReadonlyMap<number, string> = new Map([
  [0x22, '"'],
  [0x5c, '\\'],
  [0x2f, '/'],
  [0x62, '\b'],
  [0x66, '\f'],
  [0x6e, '\n'],
  [0x72, '\r'],
  [0x74, '\t'],
]);
