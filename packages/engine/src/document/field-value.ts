/**
 * One JSON value to what a field of a given kind indexes, or the error that the user sees.
 */
import { illegalArgument, ShoalError } from '@shoal/core';
import type { DateFormatter, FieldMapping } from '@shoal/schema';
import ipaddr from 'ipaddr.js';
import type { IndexedValue } from './parsed-document.ts';

export interface IntegerRange {
  readonly min: bigint;
  readonly max: bigint;
}

const RANGES: ReadonlyMap<string, IntegerRange> = new Map([
  ['long', { min: -(2n ** 63n), max: 2n ** 63n - 1n }],
  ['integer', { min: -(2n ** 31n), max: 2n ** 31n - 1n }],
  ['short', { min: -32_768n, max: 32_767n }],
  ['byte', { min: -128n, max: 127n }],
]);

/** Longest decimal text that is read as a number: exponents beyond are out of any range. */
const NUMBER_TEXT_MAX = 400;

/**
 * The value as the field keeps it; null when there is nothing to index (an empty string for a number, or a value that
 * `ignore_above` leaves out). Throws `illegal_argument_exception` when it does not fit; the caller says which field.
 */
export function fieldValue(
  field: FieldMapping,
  value: unknown,
  dates: (format: string) => DateFormatter,
): IndexedValue | null {
  if (typeof value === 'object') {
    throw new ShoalError(
      'illegal_state_exception',
      400,
      `Can't get text on a ${Array.isArray(value) ? 'START_ARRAY' : 'START_OBJECT'}`,
    );
  }
  switch (field.kind) {
    case 'text':
      return String(value);
    case 'keyword': {
      const text = String(value);
      return field.ignoreAbove !== null && text.length > field.ignoreAbove ? null : text;
    }
    case 'boolean':
      return booleanValue(value);
    case 'date':
      if (typeof value === 'boolean')
        throw illegalArgument(`failed to parse date field [${value}] with format [${field.format}]`);
      return dates(field.format).parseMs(typeof value === 'number' ? value : String(value));
    case 'ip':
      return addressValue(String(value));
    case 'double':
    case 'float':
      return fractionValue(field, value);
    default:
      return integerValue(field, value);
  }
}

function booleanValue(value: unknown): boolean {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false' || value === '') return false;
  throw illegalArgument(`Failed to parse value [${String(value)}] as only [true] or [false] are allowed.`);
}

/** 16 characters of one byte each: the address as IPv6, IPv4 mapped into it. */
export function addressValue(text: string): string {
  // Four decimal parts or colons only: the library also reads octal and short forms, Elasticsearch does not.
  if (!/^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*)$/.test(text) || !ipaddr.isValid(text)) {
    throw illegalArgument(`'${text}' is not an IP string literal.`);
  }
  const parsed = ipaddr.parse(text);
  const bytes = parsed instanceof ipaddr.IPv4 ? parsed.toIPv4MappedAddress().toByteArray() : parsed.toByteArray();
  return String.fromCharCode(...bytes);
}

/** Decimal text, or null for what is to be left out. */
function numberText(field: FieldMapping, value: unknown): string | number | bigint | null {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value === 'boolean') {
    throw illegalArgument(
      `Current token (VALUE_${value ? 'TRUE' : 'FALSE'}) not numeric, can not use numeric value accessors`,
    );
  }
  const text = String(value);
  if (!field.coerce)
    throw illegalArgument(`${field.kind.charAt(0).toUpperCase()}${field.kind.slice(1)} value passed as String`);
  if (text === '') return null;
  const trimmed = text.trim();
  if (trimmed.length > NUMBER_TEXT_MAX || !/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(trimmed)) {
    throw illegalArgument(text.trim() === '' ? 'empty String' : `For input string: "${text}"`);
  }
  return trimmed;
}

function fractionValue(field: FieldMapping, value: unknown): number | null {
  const text = numberText(field, value);
  if (text === null) return null;
  const number = field.kind === 'float' ? Math.fround(Number(text)) : Number(text);
  if (!Number.isFinite(number)) {
    throw illegalArgument(
      `[${field.kind}] supports only finite values, but got [${number > 0 ? 'Infinity' : '-Infinity'}]`,
    );
  }
  return number;
}

function integerValue(field: FieldMapping, value: unknown): number | bigint | null {
  const text = numberText(field, value);
  if (text === null) return null;
  const range = RANGES.get(field.kind) ?? { min: 0n, max: 0n };
  if (typeof text === 'number' && Number.isSafeInteger(text) && field.kind === 'long') return text;
  const exact = exactInteger(field, text);
  if (exact < range.min || exact > range.max) {
    throw illegalArgument(
      `Value [${String(value)}] is out of range for ${field.kind === 'integer' ? 'an' : 'a'} ${field.kind}`,
    );
  }
  return exact >= BigInt(Number.MIN_SAFE_INTEGER) && exact <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(exact) : exact;
}

function exactInteger(field: FieldMapping, text: string | number | bigint): bigint {
  if (typeof text === 'bigint') return text;
  if (typeof text === 'string' && /^[+-]?\d+$/.test(text)) return BigInt(text.replace('+', ''));
  const number = Number(text);
  if (!Number.isFinite(number)) throw illegalArgument(`Value [${text}] is out of range for a ${field.kind}`);
  const whole = Math.trunc(number);
  if (whole !== number && !field.coerce) throw illegalArgument(`Value [${text}] has a decimal part`);
  // A text such as `9223372036854775806.5` has more digits than a double: its whole part is taken as written.
  const plain = typeof text === 'string' ? /^([+-]?\d+)\.\d*$/.exec(text) : null;
  return plain === null ? BigInt(whole) : BigInt((plain[1] ?? '0').replace('+', ''));
}
