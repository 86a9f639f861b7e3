/**
 * `pack` and `unpack`: numbers and texts as bytes, in the forms that configurations use.
 */
import { argumentError, cannotConvert, exception } from '../values/ruby-exception.ts';
import { float, integer, isInteger, numberOf, RubyString, str, type Value } from '../values/ruby-value.ts';
import { bytesOf, ofBytes } from './string-bytes.ts';

const DIRECTIVE = /([a-zA-Z@])([_!<>]*)(\*|\d+)?/g;

interface Directive {
  readonly type: string;
  readonly isBig: boolean;
  /** Infinity for `*`. */
  readonly count: number;
  readonly hasCount: boolean;
}

/** Bytes of an integer directive, and its order where the letter says one. */
const INTEGERS: Readonly<
  Record<string, { readonly size: number; readonly isBig?: boolean; readonly isSigned?: boolean }>
> = {
  C: { size: 1 },
  c: { size: 1, isSigned: true },
  S: { size: 2 },
  s: { size: 2, isSigned: true },
  n: { size: 2, isBig: true },
  v: { size: 2 },
  L: { size: 4 },
  l: { size: 4, isSigned: true },
  I: { size: 4 },
  i: { size: 4, isSigned: true },
  N: { size: 4, isBig: true },
  V: { size: 4 },
  Q: { size: 8 },
  q: { size: 8, isSigned: true },
};
const FLOATS: Readonly<Record<string, { readonly size: 4 | 8; readonly isBig: boolean }>> = {
  g: { size: 4, isBig: true },
  e: { size: 4, isBig: false },
  f: { size: 4, isBig: false },
  F: { size: 4, isBig: false },
  G: { size: 8, isBig: true },
  E: { size: 8, isBig: false },
  d: { size: 8, isBig: false },
  D: { size: 8, isBig: false },
};

function directives(format: string): readonly Directive[] {
  return [...format.matchAll(DIRECTIVE)].map(([, type = '', marks = '', count]) => ({
    type,
    isBig: INTEGERS[type]?.isBig ?? marks.includes('>'),
    count: count === '*' ? Number.POSITIVE_INFINITY : Number(count ?? 1),
    hasCount: count !== undefined,
  }));
}

export function unpacked(string: RubyString, format: string): Value[] {
  const bytes = bytesOf(string);
  const values: Value[] = [];
  let at = 0;
  for (const one of directives(format)) {
    const { type, count } = one;
    const left = bytes.length - at;
    const numeric = INTEGERS[type] ?? FLOATS[type];
    if (numeric !== undefined) {
      const wanted = Math.min(count, Math.floor(left / numeric.size));
      for (let i = 0; i < wanted; i++, at += numeric.size) values.push(readNumber(bytes, at, one));
      if (Number.isFinite(count)) for (let i = wanted; i < count; i++) values.push(null);
    } else if (type === 'U') {
      const text = Buffer.from(bytes.subarray(at)).toString('utf8');
      const points = [...text].slice(0, count === Number.POSITIVE_INFINITY ? undefined : count);
      for (const char of points) values.push(char.codePointAt(0) ?? 0);
      at += Buffer.byteLength(points.join(''));
    } else if (type === 'x') at = Math.min(bytes.length, at + (Number.isFinite(count) ? count : left));
    else if (type === '@') at = Math.min(bytes.length, count);
    else {
      const read = readText(bytes.subarray(at), one);
      values.push(read.value);
      at += read.length;
    }
  }
  return values;
}

function readNumber(bytes: Uint8Array, at: number, { type, isBig }: Directive): Value {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at);
  const real = FLOATS[type];
  if (real !== undefined)
    return float(real.size === 4 ? view.getFloat32(0, !real.isBig) : view.getFloat64(0, !real.isBig));
  const { size = 1, isSigned = false } = INTEGERS[type] ?? {};
  let value = 0n;
  for (let i = 0; i < size; i++) value = (value << 8n) | BigInt(bytes[at + (isBig ? i : size - 1 - i)] ?? 0);
  return integer(isSigned ? BigInt.asIntN(size * 8, value) : value);
}

function readText(
  bytes: Uint8Array,
  { type, count, hasCount }: Directive,
): { readonly value: Value; readonly length: number } {
  const size = Math.min(count, bytes.length);
  const part = bytes.subarray(0, size);
  const all = Buffer.from(part).toString('latin1');
  switch (type) {
    case 'a':
      return { value: ofBytes(part), length: size };
    case 'A':
      return { value: ofBytes(part.subarray(0, all.replace(/[\0 ]+$/, '').length)), length: size };
    case 'Z': {
      const end = all.indexOf('\0');
      const length = end < 0 ? size : end;
      return {
        value: ofBytes(part.subarray(0, length)),
        length: count === Number.POSITIVE_INFINITY && end >= 0 ? end + 1 : size,
      };
    }
    case 'H':
    case 'h':
    case 'B':
    case 'b': {
      const digits = digitsOf(bytes, type);
      const each = type === 'H' || type === 'h' ? 2 : 8;
      const shown = digits.slice(0, hasCount ? count : 1);
      return { value: str(shown), length: Math.ceil(shown.length / each) };
    }
    case 'm':
      return { value: ofBytes(Buffer.from(Buffer.from(bytes).toString('latin1'), 'base64')), length: bytes.length };
    default:
      throw argumentError(`the directive "${type}" of unpack is not supported`);
  }
}

function digitsOf(bytes: Uint8Array, type: string): string {
  const radix = type === 'H' || type === 'h' ? 16 : 2;
  return Array.from(bytes, (byte) => {
    const digits = byte.toString(radix).padStart(radix === 16 ? 2 : 8, '0');
    return type === 'h' || type === 'b' ? [...digits].reverse().join('') : digits;
  }).join('');
}

export function packed(values: readonly Value[], format: string): Value {
  const parts: Uint8Array[] = [];
  let next = 0;
  let isText = true;
  const take = (): Value => {
    if (next >= values.length) throw argumentError('too few arguments');
    return values[next++] ?? null;
  };
  for (const one of directives(format)) {
    const { type, count } = one;
    if (type === 'U') {
      const points = Number.isFinite(count) ? count : values.length - next;
      for (let i = 0; i < points; i++) parts.push(Buffer.from(String.fromCodePoint(numberOf(take()) ?? 0)));
      continue;
    }
    isText = false;
    if (INTEGERS[type] !== undefined || FLOATS[type] !== undefined) {
      const wanted = Number.isFinite(count) ? count : values.length - next;
      for (let i = 0; i < wanted; i++) parts.push(numberBytes(take(), one));
    } else if (type === 'x') parts.push(new Uint8Array(Math.min(count, 1_000_000)));
    else parts.push(textBytes(take(), one));
  }
  const all = Buffer.concat(parts);
  return isText
    ? str(all.toString('utf8'))
    : directives(format).every(({ type }) => type === 'm')
      ? str(all.toString('latin1'))
      : ofBytes(all);
}

function numberBytes(value: Value, { type, isBig }: Directive): Uint8Array {
  const real = FLOATS[type];
  if (real !== undefined) {
    const view = new DataView(new ArrayBuffer(real.size));
    if (real.size === 4) view.setFloat32(0, numberOf(value) ?? 0, !real.isBig);
    else view.setFloat64(0, numberOf(value) ?? 0, !real.isBig);
    return new Uint8Array(view.buffer);
  }
  if (numberOf(value) === null) throw cannotConvert(value, 'Integer');
  const { size = 1 } = INTEGERS[type] ?? {};
  const exact = isInteger(value) ? BigInt(value) : BigInt(Math.trunc(numberOf(value) ?? 0));
  const bytes = new Uint8Array(size);
  for (let i = 0; i < size; i++) bytes[isBig ? size - 1 - i : i] = Number((exact >> BigInt(8 * i)) & 0xffn);
  return bytes;
}

function textBytes(value: Value, { type, count, hasCount }: Directive): Uint8Array {
  if (!(value instanceof RubyString)) throw cannotConvert(value, 'String');
  const bytes = bytesOf(value);
  if (type === 'a' || type === 'A' || type === 'Z') {
    const size = Number.isFinite(count) ? Math.min(count, 1_000_000) : bytes.length + (type === 'Z' ? 1 : 0);
    const made = new Uint8Array(size).fill(type === 'A' ? 0x20 : 0);
    made.set(bytes.subarray(0, size));
    return made;
  }
  if (type === 'm') {
    const text = Buffer.from(bytes).toString('base64');
    return Buffer.from(hasCount && count === 0 ? text : text.replace(/.{1,60}/g, '$&\n'), 'latin1');
  }
  if (type === 'H' || type === 'B') {
    const each = type === 'H' ? 2 : 8;
    const digits = value.text.slice(0, hasCount ? count : 1);
    const groups = digits.match(new RegExp(`.{1,${each}}`, 'g')) ?? [];
    return Uint8Array.from(groups, (group) => Number.parseInt(group.padEnd(each, '0'), type === 'H' ? 16 : 2));
  }
  throw exception('ArgumentError', `the directive "${type}" of pack is not supported`);
}
