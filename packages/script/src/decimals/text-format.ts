/**
 * `String.format`: the conversions of `java.util.Formatter`, in the texts of `Locale.ROOT`.
 */
import type { ScriptMachine } from '../machine/script-machine.ts';
import { hashOf } from '../values/equality.ts';
import { JavaException } from '../values/java-exception.ts';
import { JavaBigInteger, numberType, rawNumber } from '../values/java-numbers.ts';
import { classOf, textOf } from '../values/java-text.ts';
import { decimalOf, JavaBigDecimal, rescaled, roundedTo } from './big-decimal.ts';

interface Specifier {
  readonly whole: string;
  readonly flags: string;
  readonly width: number;
  /** -1: none is given. */
  readonly precision: number;
  readonly conversion: string;
}

const SPECIFIER = /%(\d+\$)?([-#+ 0,(<]*)(\d+)?(?:\.(\d+))?([tT]?[a-zA-Z%])?/g;
const CONVERSIONS = 'bBhHsScCdoxXeEfgGaA%n';
/** Characters of one converted value, and digits behind its point. */
const WIDTH_MAX = 100_000;
const DIGITS_MAX = 10_000;

function failure(name: string, text: string): JavaException {
  return new JavaException(`java.util.${name}`, text);
}

const wrongType = ({ conversion }: Specifier, value: unknown): JavaException =>
  failure('IllegalFormatConversionException', `${conversion} != ${classOf(value)}`);

/** @throws JavaException of `java.util` for a format that is none, or an argument that does not fit */
export function formatted(machine: ScriptMachine, format: string, args: readonly unknown[]): string {
  let out = '';
  let at = 0;
  let next = 0;
  let last = -1;
  for (const match of format.matchAll(SPECIFIER)) {
    const [whole, position, flags = '', width, precision, conversion] = match;
    machine.step();
    out += format.slice(at, match.index);
    at = match.index + whole.length;
    const odd = format.charAt(at);
    if (conversion === undefined) {
      throw failure('UnknownFormatConversionException', `Conversion = '${odd === '' ? '%' : odd}'`);
    }
    if (!CONVERSIONS.includes(conversion)) {
      throw failure('UnknownFormatConversionException', `Conversion = '${conversion.charAt(0)}'`);
    }
    const specifier = { whole, flags, width: Number(width ?? 0), precision: Number(precision ?? -1), conversion };
    if (specifier.width > WIDTH_MAX || specifier.precision > DIGITS_MAX) {
      throw failure('IllegalFormatWidthException', String(Math.max(specifier.width, specifier.precision)));
    }
    if (flags.includes('-') && width === undefined) throw failure('MissingFormatWidthException', whole);
    let value: unknown = null;
    if (conversion !== '%' && conversion !== 'n') {
      last = flags.includes('<') ? last : position === undefined ? next++ : Number.parseInt(position, 10) - 1;
      if (last < 0 || last >= args.length)
        throw failure('MissingFormatArgumentException', `Format specifier '${whole}'`);
      value = args[last];
    }
    const text = converted(machine, specifier, value);
    machine.grow(text.length);
    out += text;
  }
  machine.grow(format.length - at);
  return out + format.slice(at);
}

function padded({ flags, width }: Specifier, text: string): string {
  return flags.includes('-') ? text.padEnd(width) : text.padStart(width);
}

function converted(machine: ScriptMachine, specifier: Specifier, value: unknown): string {
  const { conversion } = specifier;
  const text = plain(machine, specifier, value);
  return padded(specifier, /[A-Z]/.test(conversion) ? text.toUpperCase() : text);
}

function plain(machine: ScriptMachine, specifier: Specifier, value: unknown): string {
  const { precision, conversion } = specifier;
  const cut = (text: string): string => (precision >= 0 ? text.slice(0, precision) : text);
  switch (conversion.toLowerCase()) {
    case '%':
      return '%';
    case 'n':
      return '\n';
    case 'b':
      return cut(typeof value === 'boolean' ? String(value) : String(value !== null));
    case 'h':
      return cut(value === null ? 'null' : (hashOf(value) >>> 0).toString(16));
    case 's':
      return cut(textOf(value));
    default:
      if (value === null) return 'null';
  }
  const type = numberType(value);
  switch (conversion) {
    case 'c':
    case 'C':
      if (type === 'char' || type === 'byte' || type === 'short') return String.fromCharCode(Number(rawNumber(value)));
      if (type === 'int') return String.fromCodePoint(Number(rawNumber(value)) & 0x1fffff);
      throw wrongType(specifier, value);
    case 'd':
    case 'o':
    case 'x':
    case 'X':
      return wholeText(specifier, value);
    default:
      return decimalText(machine, specifier, value);
  }
}

function wholeText(specifier: Specifier, value: unknown): string {
  const { conversion, precision, flags } = specifier;
  const type = numberType(value);
  const isBig = value instanceof JavaBigInteger;
  if (!isBig && type !== 'byte' && type !== 'short' && type !== 'int' && type !== 'long')
    throw wrongType(specifier, value);
  if (precision >= 0) throw failure('IllegalFormatPrecisionException', String(precision));
  const number = isBig ? value.value : BigInt(rawNumber(value));
  if (conversion === 'd') return signed(specifier, number < 0n, String(number < 0n ? -number : number), '');
  const bits = { byte: 8, short: 16, int: 32, long: 64 }[type as 'int'] ?? 0;
  const shown = isBig ? number : BigInt.asUintN(bits, number);
  const radix = conversion === 'o' ? 8 : 16;
  const mark = flags.includes('#') ? (radix === 8 ? '0' : '0x') : '';
  const digits = shown.toString(radix);
  return flags.includes('0') ? `${mark}${digits.padStart(specifier.width - mark.length, '0')}` : `${mark}${digits}`;
}

/** A number with its sign, in the form that the flags ask for. */
function signed({ flags, width }: Specifier, isNegative: boolean, digits: string, rest: string): string {
  const grouped = flags.includes(',') ? digits.replace(/\B(?=(?:\d{3})+$)/g, ',') : digits;
  const [before, behind] = isNegative
    ? flags.includes('(')
      ? ['(', ')']
      : ['-', '']
    : [flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '', ''];
  const body = `${grouped}${rest}`;
  const zeros = flags.includes('0') ? width - before.length - behind.length : 0;
  return `${before}${body.padStart(zeros, '0')}${behind}`;
}

function decimalText(machine: ScriptMachine, specifier: Specifier, value: unknown): string {
  const type = numberType(value);
  const isBig = value instanceof JavaBigDecimal;
  if (!isBig && type !== 'float' && type !== 'double') throw wrongType(specifier, value);
  const { conversion, precision } = specifier;
  // A float has the digits that Java prints of it, not those of the double that it is.
  const number = isBig ? null : Number(type === 'float' ? textOf(value) : rawNumber(value));
  if (number !== null && !Number.isFinite(number)) {
    const text = Number.isNaN(number) ? 'NaN' : 'Infinity';
    const { flags } = specifier;
    return number < 0 ? (flags.includes('(') ? `(${text})` : `-${text}`) : `${flags.includes('+') ? '+' : ''}${text}`;
  }
  const decimal = isBig ? value : decimalOf(number ?? 0);
  const isNegative = decimal.unscaled < 0n || Object.is(number, -0);
  const size = new JavaBigDecimal(decimal.unscaled < 0n ? -decimal.unscaled : decimal.unscaled, decimal.scale);
  const digits = precision < 0 ? 6 : precision;
  switch (conversion.toLowerCase()) {
    case 'f':
      return fixed(machine, specifier, isNegative, size, digits);
    case 'e':
      return scientific(machine, specifier, isNegative, size, digits);
    case 'g':
      return general(machine, specifier, isNegative, size, Math.max(1, digits));
    default:
      throw failure('UnknownFormatConversionException', `Conversion = '${conversion}'`);
  }
}

type Shown = [machine: ScriptMachine, specifier: Specifier, isNegative: boolean, size: JavaBigDecimal, digits: number];

function fixed(...[machine, specifier, isNegative, size, digits]: Shown): string {
  const [whole = '0', fraction = ''] = rescaled(machine, size, digits, 'HALF_UP').plain().split('.');
  return signed(specifier, isNegative, whole, fraction === '' ? '' : `.${fraction}`);
}

function scientific(...[machine, specifier, isNegative, size, digits]: Shown): string {
  const rounded = roundedTo(machine, size, digits + 1, 'HALF_UP');
  const exponent = rounded.unscaled === 0n ? 0 : rounded.precision - 1 - rounded.scale;
  const all = rounded.digits.padEnd(digits + 1, '0');
  const power = `${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
  const fraction = digits === 0 ? '' : `.${all.slice(1, digits + 1)}`;
  return signed(specifier, isNegative, all.charAt(0), `${fraction}e${power}`);
}

/** Fixed between 0.0001 and as many digits as are asked for, else with an exponent. */
function general(...[machine, specifier, isNegative, size, digits]: Shown): string {
  const rounded = roundedTo(machine, size, digits, 'HALF_UP');
  const exponent = rounded.precision - 1 - rounded.scale;
  if (rounded.unscaled === 0n) return fixed(machine, specifier, isNegative, rounded, digits - 1);
  return exponent >= -4 && exponent < digits
    ? fixed(machine, specifier, isNegative, rounded, digits - 1 - exponent)
    : scientific(machine, specifier, isNegative, rounded, digits - 1);
}
