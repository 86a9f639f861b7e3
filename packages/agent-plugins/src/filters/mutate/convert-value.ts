/**
 * Conversions of `mutate`, with Ruby's reading of numbers: `integer` takes the digits at the beginning and 0 where there are
 * none, `float` wants the whole text to be a number. What cannot be converted is an error.
 */

import { type EventValue, Timestamp } from '@shoal/agent-event';
import { rubyText } from '@shoal/agent-plugin-kit';
import { asFloat, asInteger, DoubleNumber, ShoalError } from '@shoal/core';

export type ConvertType = 'string' | 'integer' | 'float' | 'boolean' | 'integer_eu' | 'float_eu';

const TYPES: readonly string[] = ['string', 'integer', 'float', 'boolean', 'integer_eu', 'float_eu'];
/** One line of the text may be the word; the dot of Ruby's own expression stands for any character. */
const TRUE = /(?:^|\n)(?:true|t|yes|y|1|1[^\n]0)(?:\n|$)/i;
const FALSE = /(?:^|\n)(?:false|f|no|n|0|0[^\n]0)(?:\n|$)/i;
/** No separators, and never beyond what a number holds. */
const PLAIN_INTEGER = /^-?\d{1,15}$/;
const LEADING_INTEGER = /^[+-]?\d+(?:_\d+)*/;
const DECIMAL = /^[+-]?(?:\d+(?:_\d+)*)?(?:\.\d+(?:_\d+)*)?(?:e[+-]?\d+)?$/i;
const HEX_START = /^[+-]?0x/i;
const HEX = /^([+-]?)0x([0-9a-f]+(?:_[0-9a-f]+)*)(?:\.([0-9a-f]+))?(?:p([+-]?\d+))?$/i;
/** Ruby's white space, which a null counts to. */
const BLANKS = /^[\0\t-\r ]+|[\0\t-\r ]+$/g;
/** An exponent may make an integer this long; more would be memory for nothing. */
const INTEGER_DIGITS_MAX = 10_000;

export function isConvertType(name: string): name is ConvertType {
  return TYPES.includes(name);
}

/** Arrays item by item; maps and null stay as they are. @throws ShoalError for what cannot be converted */
export function convertValue(value: EventValue, type: ConvertType): EventValue {
  if (value === null || value instanceof Map) return value;
  if (Array.isArray(value)) return value.map((item) => (item === null ? null : convertItem(item, type)));
  return convertItem(value, type);
}

function convertItem(value: EventValue, type: ConvertType): EventValue {
  switch (type) {
    case 'string':
      return rubyText(value);
    case 'boolean':
      return toBoolean(value);
    case 'integer':
      return toInteger(value);
    case 'integer_eu':
      return toInteger(fromEuropean(value));
    case 'float':
      return toFloat(value);
    default:
      return toFloat(fromEuropean(value));
  }
}

/** What is neither true nor false stays as it is. */
function toBoolean(value: EventValue): EventValue {
  const text = rubyText(value);
  if (TRUE.test(text)) return true;
  return text === '' || FALSE.test(text) ? false : value;
}

/** Points and commas change places. */
function fromEuropean(value: EventValue): EventValue {
  if (typeof value !== 'string') return value;
  return value.replace(/[.,]/g, (sign) => (sign === '.' ? ',' : '.'));
}

function toInteger(value: EventValue): EventValue {
  if (typeof value === 'string') return PLAIN_INTEGER.test(value) ? Number(value) + 0 : integerOf(withoutGroups(value));
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return narrow(Math.trunc(value));
  if (value instanceof DoubleNumber) return narrow(Math.trunc(value.value));
  if (value instanceof Timestamp) return Math.floor(value.epochMs / 1000);
  throw cannotConvert(value, 'integer');
}

function integerOf(text: string): EventValue {
  if (HEX_START.test(text)) return hexInteger(text);
  if (text.includes('e')) return scientificInteger(text);
  const digits = (LEADING_INTEGER.exec(text)?.[0] ?? '0').replaceAll('_', '');
  return exact(digits);
}

function hexInteger(text: string): EventValue {
  if (text.includes('.') || /p/i.test(text)) return narrow(Math.trunc(hexFloat(text)));
  const [, sign, digits = ''] = HEX.exec(text) ?? [];
  if (digits === '') throw cannotConvert(text, 'integer');
  const value = BigInt(`0x${digits.replaceAll('_', '')}`);
  return asInteger(sign === '-' ? -value : value);
}

/** Exact, as a decimal number of any size is; the part behind the point is cut off. */
function scientificInteger(text: string): EventValue {
  if (!isDecimal(text)) throw cannotConvert(text, 'integer');
  const [mantissa = '', exponent = '0'] = text.replaceAll('_', '').toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace(/^[+-]/, '').split('.');
  const power = Number(exponent);
  if (whole.length + power > INTEGER_DIGITS_MAX) throw cannotConvert(text, 'integer');
  const digits = whole + fraction;
  const length = whole.length + power;
  const kept = length <= 0 ? '0' : digits.slice(0, length).padEnd(length, '0');
  return exact(mantissa.startsWith('-') ? `-${kept}` : kept);
}

function toFloat(value: EventValue): EventValue {
  if (typeof value === 'boolean') return new DoubleNumber(value ? 1 : 0);
  if (typeof value === 'bigint') return new DoubleNumber(Number(value));
  if (value instanceof DoubleNumber) return value;
  if (typeof value === 'number') return asFloat(value);
  if (typeof value !== 'string') throw cannotConvert(value, 'float');
  const text = withoutGroups(value);
  if (HEX_START.test(text)) return asFloat(hexFloat(text));
  if (!isDecimal(text)) throw cannotConvert(value, 'float');
  return asFloat(Number(text.replaceAll('_', '')));
}

function isDecimal(text: string): boolean {
  return DECIMAL.test(text) && /^[+-]?\.?\d/.test(text);
}

function hexFloat(text: string): number {
  const [, sign, whole = '', fraction = '', power = '0'] = HEX.exec(text) ?? [];
  if (whole === '') throw cannotConvert(text, 'float');
  const digits = BigInt(`0x${whole.replaceAll('_', '')}${fraction}`);
  const size = Number(digits) * 2 ** (Number(power) - 4 * fraction.length);
  return sign === '-' ? -size : size;
}

/** Without the commas that group the digits. */
function withoutGroups(text: string): string {
  return text.replace(BLANKS, '').replaceAll(',', '');
}

function exact(digits: string): EventValue {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number + 0 : BigInt(digits.replace('+', ''));
}

function narrow(value: number): EventValue {
  if (!Number.isFinite(value)) throw cannotConvert(value, 'integer');
  return Number.isSafeInteger(value) ? value + 0 : BigInt(value);
}

function cannotConvert(value: EventValue, type: string): ShoalError {
  const shown = rubyText(value).slice(0, 100);
  return new ShoalError('illegal_argument_exception', 400, `cannot convert [${shown}] to ${type}`);
}
