/**
 * `format`: numbers and texts in columns.
 */

import { checkSize } from '../arguments/arguments.ts';
import { inspect, toText } from '../values/inspect.ts';
import { argumentError, exception, typeError } from '../values/ruby-exception.ts';
import {
  isInteger,
  type Machine,
  numberOf,
  RubyHash,
  RubyString,
  RubySymbol,
  type Value,
} from '../values/ruby-value.ts';
import { charactersOf } from './string-bytes.ts';

const DIRECTIVE = /%([-+ 0#]*)(?:<(\w+)>)?([-+ 0#]*)(\*|\d+)?(?:\.(\d+))?(?:<(\w+)>)?([a-zA-Z%])|%\{(\w+)\}/g;
/** Wider columns are mistakes. */
const WIDTH_MAX = 100_000;

interface Form {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | null;
  readonly type: string;
}

export function formatted(machine: Machine, format: string, values: readonly Value[]): string {
  let next = 0;
  const take = (): Value => {
    if (next >= values.length) throw argumentError('too few arguments');
    return values[next++] ?? null;
  };
  const named = (name: string): Value => {
    const [hash] = values;
    if (!(hash instanceof RubyHash)) throw argumentError('one hash required');
    const value = hash.get(new RubySymbol(name));
    if (value === undefined) throw exception('KeyError', `key<${name}> not found`);
    return value;
  };
  const made = format.replace(DIRECTIVE, (...found: unknown[]) => {
    const [, before = '', nameA, after = '', width, precision, nameB, type, braced] = found as (string | undefined)[];
    if (braced !== undefined) return toText(named(braced));
    if (type === '%') return '%';
    const columns = width === '*' ? (numberOf(take()) ?? 0) : Number(width ?? 0);
    if (Math.abs(columns) > WIDTH_MAX || Number(precision ?? 0) > WIDTH_MAX) throw argumentError('width too big');
    const form: Form = {
      flags: `${before}${after}${columns < 0 ? '-' : ''}`,
      width: Math.abs(columns),
      precision: precision === undefined ? null : Number(precision),
      type: type ?? '',
    };
    const name = nameA ?? nameB;
    return formOne(name === undefined ? take() : named(name), form);
  });
  checkSize(machine, made.length);
  return made;
}

function formOne(value: Value, form: Form): string {
  switch (form.type) {
    case 's':
      return aligned(cut(toText(value), form.precision), form);
    case 'p':
      return aligned(cut(inspect(value), form.precision), form);
    case 'c':
      return aligned(character(value), form);
    case 'd':
    case 'i':
    case 'u':
      return signed(wholeOf(value), form, 10, '');
    case 'x':
      return signed(wholeOf(value), form, 16, '0x');
    case 'X':
      return signed(wholeOf(value), form, 16, '0X').toUpperCase();
    case 'o':
      return signed(wholeOf(value), form, 8, '0');
    case 'b':
    case 'B':
      return signed(wholeOf(value), form, 2, form.type === 'b' ? '0b' : '0B');
    case 'f':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
      return realText(realOf(value), form);
    default:
      throw argumentError(`malformed format string - %${form.type}`);
  }
}

function character(value: Value): string {
  if (typeof value === 'number') {
    if (!Number.isInteger(value) || value < 0 || value > 0x10_ffff)
      throw exception('RangeError', `${toText(value)} out of char range`);
    return String.fromCodePoint(value);
  }
  const text = toText(value);
  if (charactersOf(text).length !== 1) throw argumentError('%c requires a character');
  return text;
}

function cut(text: string, precision: number | null): string {
  return precision === null ? text : text.slice(0, precision);
}

function aligned(text: string, { flags, width }: Form): string {
  return flags.includes('-') ? text.padEnd(width) : text.padStart(width);
}

function wholeOf(value: Value): bigint {
  if (isInteger(value)) return BigInt(value);
  const number = numberOf(value);
  if (number !== null) {
    if (!Number.isFinite(number)) throw exception('FloatDomainError', toText(value));
    return BigInt(Math.trunc(number));
  }
  if (value instanceof RubyString) {
    const found = /^\s*([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)\s*$/.exec(value.text.replace(/(?<=\d)_(?=\d)/g, ''));
    if (found === null) throw argumentError(`invalid value for Integer(): ${inspect(value)}`);
    return BigInt(found[2] ?? '0') * (found[1] === '-' ? -1n : 1n);
  }
  throw typeError(`can't convert ${value === null ? 'nil' : inspect(value)} into Integer`);
}

function realOf(value: Value): number {
  const number = numberOf(value);
  if (number !== null) return number;
  if (value instanceof RubyString) {
    const text = value.text.replace(/(?<=\d)_(?=\d)/g, '').trim();
    if (text !== '' && !Number.isNaN(Number(text))) return Number(text);
  }
  if (value instanceof RubyString) throw argumentError(`invalid value for Float(): ${inspect(value)}`);
  throw typeError(`can't convert ${value === null ? 'nil' : inspect(value)} into Float`);
}

function signOf(isNegative: boolean, flags: string): string {
  return isNegative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
}

function signed(value: bigint, form: Form, radix: number, prefix: string): string {
  const isNegative = value < 0n;
  const { flags, precision } = form;
  // A negative number in another base is written with its complement: all digits before it are the highest.
  if (isNegative && radix !== 10 && !/[+ ]/.test(flags)) return complement(value, form, radix, prefix);
  const digits = (isNegative ? -value : value).toString(radix).padStart(precision ?? 0, '0');
  return numeric(
    signOf(isNegative, flags) + (flags.includes('#') && value !== 0n ? prefix : ''),
    digits,
    form,
    precision === null,
  );
}

function complement(value: bigint, form: Form, radix: number, prefix: string): string {
  const bits = radix === 16 ? 4n : radix === 8 ? 3n : 1n;
  const highest = (radix - 1).toString(radix);
  let size = 1n;
  while (-(1n << (size * bits - 1n)) > value) size++;
  const digits = BigInt.asUintN(Number(size * bits), value).toString(radix);
  const own = digits.startsWith(highest) ? digits : highest + digits;
  return aligned(`${form.flags.includes('#') ? prefix : ''}..${own}`, form);
}

function numeric(head: string, digits: string, form: Form, mayFill: boolean): string {
  const { flags, width } = form;
  if (flags.includes('0') && !flags.includes('-') && mayFill) return head + digits.padStart(width - head.length, '0');
  return aligned(head + digits, form);
}

function realText(value: number, form: Form): string {
  const { flags, type } = form;
  const size = Math.abs(value);
  const isNegative = value < 0 || Object.is(value, -0);
  if (!Number.isFinite(value)) return aligned(signOf(isNegative, flags) + (Number.isNaN(value) ? 'NaN' : 'Inf'), form);
  const precision = Math.min(form.precision ?? 6, 100);
  const lower = type.toLowerCase();
  let digits: string;
  if (lower === 'f') digits = fixedText(size, precision);
  else if (lower === 'e') digits = exponentText(size, precision);
  else digits = shortest(size, precision || 1, flags.includes('#'));
  return numeric(signOf(isNegative, flags), type === lower ? digits : digits.toUpperCase(), form, true);
}

/** `toFixed` rounds what lies exactly between two up; here it goes to the even one. */
function halfEvenText(value: number, precision: number): string {
  const rounded = value.toFixed(precision);
  const digits = value.toFixed(100);
  const cutAt = digits.indexOf('.') + 1 + precision;
  if (precision > 99 || !/^50*$/.test(digits.slice(cutAt))) return rounded;
  const below = digits.slice(0, precision === 0 ? cutAt - 1 : cutAt);
  return /[02468]$/.test(below) ? below : rounded;
}

/** `toFixed` stops at 10^21. */
function fixedText(value: number, precision: number): string {
  if (value < 1e21) return halfEvenText(value, precision);
  return precision === 0 ? BigInt(value).toString() : `${BigInt(value)}.${'0'.repeat(precision)}`;
}

function exponentText(value: number, precision: number): string {
  return value.toExponential(precision).replace(/e([-+])(\d)$/, 'e$10$2');
}

function shortest(value: number, precision: number, keepsZeros: boolean): string {
  const exponent = value === 0 ? 0 : Number(value.toExponential(precision - 1).split('e')[1]);
  const isWide = exponent < -4 || exponent >= precision;
  const text = isWide ? exponentText(value, precision - 1) : value.toFixed(Math.max(0, precision - 1 - exponent));
  if (keepsZeros) return text;
  return text.replace(/(\.\d*?)0+(?=e|$)/, '$1').replace(/\.(?=e|$)/, '');
}
