/**
 * Reads extensible data notation (EDN), the data of Clojure, as values of events: keywords, symbols and characters are
 * texts, lists, vectors and sets are lists, and `#inst` is a time.
 */
import { type EventMap, type EventValue, parseTimestamp, printValue } from '@shoal/agent-event';
import { asFloat, asInteger, ShoalError } from '@shoal/core';

/** Values within values: deeper text is an attack on the stack. */
const DEPTH_MAX = 500;

const BLANK = /(?:[\s,]+|;[^\n]*)*/y;
const TOKEN = /[^\s,;"()[\]{}]+/y;
const INTEGER = /^[-+]?(?:0|[1-9]\d*)N?$/;
const FLOAT = /^[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?M?$/;
const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '#{': '}' };
const NAMED_CHARACTERS: Readonly<Record<string, string>> = {
  newline: '\n',
  return: '\r',
  space: ' ',
  tab: '\t',
  backspace: '\b',
  formfeed: '\f',
};
const ESCAPES: Readonly<Record<string, string>> = { t: '\t', r: '\r', n: '\n', b: '\b', f: '\f' };

/**
 * The first value of a text; what follows it is not looked at.
 *
 * @throws ShoalError for what is no EDN
 */
export function readEdn(text: string): EventValue {
  return new EdnReader(text).value(0);
}

class EdnReader {
  private readonly text: string;
  private position = 0;

  constructor(text: string) {
    this.text = text;
  }

  value(depth: number): EventValue {
    if (depth > DEPTH_MAX) throw invalid(`it is deeper than ${DEPTH_MAX} levels`);
    this.skipBlank(depth);
    const opener = this.opener();
    if (opener !== null) return this.collection(opener, depth);
    if (this.text[this.position] === '"') return this.string();
    if (this.text[this.position] === '\\') return this.character();
    const token = this.matched(TOKEN);
    if (token === null)
      throw invalid(this.isAtEnd() ? 'it ends too early' : `[${this.text[this.position]}] is unexpected`);
    return token.startsWith('#') ? this.tagged(token, depth) : scalar(token);
  }

  private skipBlank(depth: number): void {
    this.matched(BLANK);
    // `#_` leaves out the value behind it.
    while (this.text.startsWith('#_', this.position)) {
      this.position += 2;
      this.value(depth + 1);
      this.matched(BLANK);
    }
  }

  private isAtEnd(): boolean {
    return this.position >= this.text.length;
  }

  private matched(pattern: RegExp): string | null {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text);
    if (found === null) return null;
    this.position = pattern.lastIndex;
    return found[0];
  }

  private opener(): string | null {
    const opener = this.text.startsWith('#{', this.position) ? '#{' : (this.text[this.position] ?? '');
    if (!Object.hasOwn(CLOSERS, opener)) return null;
    this.position += opener.length;
    return opener;
  }

  private collection(opener: string, depth: number): EventValue {
    const closer = CLOSERS[opener] ?? '';
    const items: EventValue[] = [];
    for (this.skipBlank(depth); this.text[this.position] !== closer; this.skipBlank(depth))
      items.push(this.value(depth + 1));
    this.position++;
    return opener === '{' ? mapOf(items) : items;
  }

  private string(): string {
    const start = this.position + 1;
    let end = start;
    // By hand: an expression would keep a step for every sign of a long text.
    while (end < this.text.length && this.text[end] !== '"') end += this.text[end] === '\\' ? 2 : 1;
    if (end >= this.text.length) throw invalid('a text has no end');
    this.position = end + 1;
    return this.text
      .slice(start, end)
      .replace(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (_all, hex: string | undefined, sign: string | undefined) =>
        hex === undefined ? (ESCAPES[sign ?? ''] ?? sign ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
      );
  }

  private character(): string {
    this.position++;
    const [first = ''] = this.text.slice(this.position, this.position + 2);
    const token = this.matched(TOKEN) ?? first;
    const hex = /^u([0-9a-fA-F]{4})$/.exec(token)?.[1];
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    const named = NAMED_CHARACTERS[token];
    if (named !== undefined) return named;
    if ([...token].length !== 1) throw invalid(`[\\${token}] is no character`);
    // Brackets and blanks end a token, and are characters all the same.
    if (token === first && !TOKEN_SIGN.test(first)) this.position += first.length;
    return token;
  }

  /** A time is one; the value of any other tag stands for itself. */
  private tagged(tag: string, depth: number): EventValue {
    if (!/^#[A-Za-z]/.test(tag)) throw invalid(`[${tag}] is no tag`);
    const value = this.value(depth + 1);
    if (tag !== '#inst') return value;
    const time = typeof value === 'string' ? parseTimestamp(value) : null;
    if (time === null) throw invalid(`[${printValue(value)}] is no time`);
    return time;
  }
}

const TOKEN_SIGN = /^[^\s,;"()[\]{}]$/;

function mapOf(items: readonly EventValue[]): EventMap {
  if (items.length % 2 !== 0) throw invalid('a map has a key without a value');
  const map: EventMap = new Map();
  for (let i = 0; i < items.length; i += 2) map.set(printValue(items[i] ?? null), items[i + 1] ?? null);
  return map;
}

function scalar(token: string): EventValue {
  if (token === 'nil') return null;
  if (token === 'true' || token === 'false') return token === 'true';
  if (INTEGER.test(token)) {
    const whole = BigInt(token.replace(/[+N]/g, ''));
    return asInteger(whole);
  }
  if (FLOAT.test(token)) {
    const real = Number(token.replace('M', ''));
    return asFloat(real);
  }
  if (/^[-+]?\d/.test(token) || token === ':') throw invalid(`[${token}] is no number and no name`);
  return token.startsWith(':') ? token.slice(1) : token;
}

function invalid(why: string): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, `this is no EDN: ${why}`);
}
