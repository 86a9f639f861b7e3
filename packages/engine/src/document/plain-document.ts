/**
 * Reads documents in which nothing is special straight from their bytes: one object of mapped fields, each once, with plain ASCII
 * strings, numbers that doubles hold exactly, `true`, `false` or `null`.
 *
 * That is most of what is indexed, and costs neither a parsed object nor a copy of its texts. Whatever else stands there, or is
 * wrong, is not this reader's business: it answers no, and the exact way tells what it is.
 */
import type { FieldMapping, Mapping } from '@shoal/schema';
import { TextSpan } from '../field-types/contract/indexed-value.ts';
import { fieldType } from '../field-types/field-types.ts';

/** What a field is given: as JSON has it, or text of a text field as a span. */
export type PlainValue = string | number | boolean | null | TextSpan;

/** Fields that came, and what they were given: value i to field i. Valid until the next read. */
export interface PlainDocument {
  readonly fields: readonly FieldMapping[];
  readonly values: readonly PlainValue[];
}

interface KnownField {
  readonly mapping: FieldMapping;
  readonly name: Uint8Array;
  /** Its text need not be a string: nobody else wants it. */
  readonly takesSpan: boolean;
  /** Number of the last document that had it. */
  seenIn: number;
}

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const ASCII_END = 0x80;
/** Runs of so many digits are exact as doubles. */
const DIGITS_MAX = 15;
/** Longer strings are decoded by the platform. */
const SHORT_STRING = 24;
const HASH_FACTOR = 31;
/** What the exact way may have to say something about is left to it: dots, numbers as names, metadata. */
const PLAIN_NAME = /^[A-Za-z@][\w@-]*$/;
const LITERALS: readonly (readonly [Uint8Array, boolean | null])[] = [
  [Buffer.from('true'), true],
  [Buffer.from('false'), false],
  [Buffer.from('null'), null],
];

export class PlainDocumentReader {
  /** By the hash of their names; null for two of one hash. */
  private readonly known = new Map<number, KnownField | null>();
  private source: Uint8Array = new Uint8Array(0);
  private at = 0;
  private documents = 0;
  private fields: FieldMapping[] = [];
  private values: PlainValue[] = [];

  constructor(mapping: Mapping) {
    for (const [path, field] of mapping.fields) {
      if (field.isMultiField || !PLAIN_NAME.test(path)) continue;
      const name = Buffer.from(path, 'latin1');
      let hash = 0;
      for (const byte of name) hash = Math.imul(hash, HASH_FACTOR) + byte;
      const takesSpan =
        fieldType(field.kind).parts(field).isAnalyzed && field.multiFields.length === 0 && field.copyTo.length === 0;
      this.known.set(hash | 0, this.known.has(hash | 0) ? null : { mapping: field, name, takesSpan, seenIn: 0 });
    }
  }

  /** null: the exact way has to read it. */
  read(source: Uint8Array): PlainDocument | null {
    this.source = source;
    this.at = 0;
    this.documents++;
    this.fields = [];
    this.values = [];
    if (!this.take(OPEN)) return null;
    if (!this.take(CLOSE)) {
      do if (!this.member()) return null;
      while (this.take(COMMA));
      if (!this.take(CLOSE)) return null;
    }
    this.skipSpace();
    return this.at === source.length ? { fields: this.fields, values: this.values } : null;
  }

  private skipSpace(): void {
    const { source } = this;
    let { at } = this;
    while (at < source.length) {
      const byte = source[at] as number;
      if (byte !== SPACE && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
      at++;
    }
    this.at = at;
  }

  /** Takes the byte when it is the next one behind white space. */
  private take(byte: number): boolean {
    if (this.source[this.at] !== byte) this.skipSpace();
    if (this.source[this.at] !== byte) return false;
    this.at++;
    return true;
  }

  private member(): boolean {
    const field = this.name();
    if (field === null || field.seenIn === this.documents || !this.take(COLON)) return false;
    field.seenIn = this.documents;
    this.skipSpace();
    const value = this.value(field);
    if (value === undefined) return false;
    this.fields.push(field.mapping);
    this.values.push(value);
    return true;
  }

  private name(): KnownField | null {
    if (!this.take(QUOTE)) return null;
    const { source } = this;
    const from = this.at;
    let hash = 0;
    let at = from;
    while (at < source.length && source[at] !== QUOTE) hash = Math.imul(hash, HASH_FACTOR) + (source[at++] as number);
    const field = this.known.get(hash | 0) ?? null;
    if (field === null || field.name.length !== at - from) return null;
    for (let i = from; i < at; i++) if (source[i] !== field.name[i - from]) return null;
    this.at = at + 1;
    return field;
  }

  /** undefined: nothing plain. */
  private value(field: KnownField): PlainValue | undefined {
    const byte = this.source[this.at];
    if (byte === QUOTE) return this.text(field.takesSpan);
    if (byte === MINUS || (byte !== undefined && isDigit(byte))) return this.number();
    for (const [word, value] of LITERALS) if (this.isNext(word)) return value;
    return undefined;
  }

  private isNext(word: Uint8Array): boolean {
    for (let i = 0; i < word.length; i++) if (this.source[this.at + i] !== word[i]) return false;
    this.at += word.length;
    return true;
  }

  private text(isSpan: boolean): string | TextSpan | undefined {
    const { source } = this;
    const from = ++this.at;
    const end = source.length;
    let at = from;
    for (; at < end; at++) {
      const byte = source[at] as number;
      if (byte === QUOTE) break;
      if (byte === BACKSLASH || byte < SPACE || byte >= ASCII_END) return undefined;
    }
    if (at === end) return undefined;
    this.at = at + 1;
    return isSpan ? new TextSpan(source, from, at) : asciiText(source, from, at);
  }

  private number(): number | undefined {
    const { source } = this;
    const from = this.at;
    const isNegative = source[from] === MINUS;
    const start = isNegative ? from + 1 : from;
    let at = start;
    let whole = 0;
    while (at < source.length && isDigit(source[at] as number)) whole = whole * 10 + (source[at++] as number) - ZERO;
    const digits = at - start;
    if (digits === 0 || digits > DIGITS_MAX || (digits > 1 && source[start] === ZERO)) return undefined;
    if (source[at] === DOT) {
      const point = at++;
      while (at < source.length && isDigit(source[at] as number)) at++;
      if (at === point + 1 || at - point > DIGITS_MAX) return undefined;
      // An exponent is no end of a member: the reader stops there.
      this.at = at;
      return Number(asciiText(source, from, at));
    }
    this.at = at;
    return isNegative ? -whole : whole;
  }
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= 0x39;
}

function asciiText(source: Uint8Array, from: number, to: number): string {
  if (to - from > SHORT_STRING)
    return Buffer.from(source.buffer, source.byteOffset + from, to - from).toString('latin1');
  let text = '';
  for (let i = from; i < to; i++) text += String.fromCharCode(source[i] as number);
  return text;
}
