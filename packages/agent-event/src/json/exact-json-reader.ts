/**
 * Reads JSON with every number in its kind: `1` an integer, `1.0` a float, `12345678901234567890` exact.
 *
 * Slower than the platform's parser, therefore only for texts that hold such a number.
 */
import { asFloat, ShoalError } from '@shoal/core';
import type { EventMap, EventValue } from '../values/event-value.ts';

/** Deeper JSON is refused: recursion must not exhaust the stack. */
export const JSON_DEPTH_MAX = 1_000;
const SPACE = /[ \t\r\n]*/y;
const STRING = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"/y;
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const LITERAL = /true|false|null/y;

export class ExactJsonReader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** @throws ShoalError `json_parse_exception` */
  read(): EventValue {
    const value = this.value(0);
    this.take(SPACE);
    if (this.at < this.text.length) throw this.unexpected();
    return value;
  }

  private value(depth: number): EventValue {
    if (depth > JSON_DEPTH_MAX) throw this.error(`nested deeper than ${JSON_DEPTH_MAX}`);
    this.take(SPACE);
    const char = this.text[this.at];
    if (char === '{') return this.map(depth + 1);
    if (char === '[') return this.array(depth + 1);
    if (char === '"') return this.string();
    const number = this.match(NUMBER);
    if (number !== null) return numberValue(number[0], number[1] !== undefined || number[2] !== undefined);
    const literal = this.take(LITERAL);
    if (literal === '') throw this.unexpected();
    return literal === 'null' ? null : literal === 'true';
  }

  private map(depth: number): EventMap {
    const map: EventMap = new Map();
    this.at++;
    if (this.isNext('}')) return map;
    for (;;) {
      this.take(SPACE);
      const name = this.string();
      if (!this.isNext(':')) throw this.unexpected();
      map.set(name, this.value(depth));
      if (this.isNext('}')) return map;
      if (!this.isNext(',')) throw this.unexpected();
    }
  }

  private array(depth: number): EventValue[] {
    const items: EventValue[] = [];
    this.at++;
    if (this.isNext(']')) return items;
    for (;;) {
      items.push(this.value(depth));
      if (this.isNext(']')) return items;
      if (!this.isNext(',')) throw this.unexpected();
    }
  }

  private string(): string {
    const quoted = this.take(STRING);
    if (quoted === '') throw this.unexpected();
    try {
      return String(JSON.parse(quoted));
    } catch {
      // The platform refuses control characters and unknown escapes: so does this reader, with its own position.
      throw this.error('a string holds an illegal escape or control character');
    }
  }

  /** Takes `char` when it is next, behind any white space. */
  private isNext(char: string): boolean {
    this.take(SPACE);
    if (this.text[this.at] !== char) return false;
    this.at++;
    return true;
  }

  private take(pattern: RegExp): string {
    return this.match(pattern)?.[0] ?? '';
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match !== null) this.at += match[0].length;
    return match;
  }

  private unexpected(): ShoalError {
    const char = this.text[this.at];
    return this.error(char === undefined ? 'unexpected end' : `unexpected ${JSON.stringify(char)}`);
  }

  private error(what: string): ShoalError {
    return new ShoalError('json_parse_exception', 400, `${what} at position ${this.at} of the JSON text`);
  }
}

function numberValue(text: string, isFloat: boolean): EventValue {
  const value = Number(text);
  if (isFloat) return asFloat(value);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}
