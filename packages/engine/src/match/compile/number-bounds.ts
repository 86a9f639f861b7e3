/**
 * Query values to numbers of a field, and ranges of them to inclusive bounds.
 */
import { illegalArgument } from '@shoal/core';
import type { QueryValue } from '@shoal/query';
import type { FieldKind } from '@shoal/schema';
import type { NumberBounds } from '../bits/column-range.ts';
import { numberFormatError } from '../context/compile-context.ts';

const LONG_MIN = -(2n ** 63n);
const LONG_MAX = 2n ** 63n - 1n;

/** A value of request JSON as a number; texts are read as decimals. Throws `number_format_exception`. */
export function queryNumber(value: QueryValue): number | bigint {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value === 'boolean') throw illegalArgument(`Cannot parse a boolean as a number: ${value}`);
  const text = String(value);
  if (/^[+-]?\d{16,40}$/.test(text)) return BigInt(text.replace('+', ''));
  if (/^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/.test(text)) return Number(text);
  throw numberFormatError(text);
}

/** Exactly one value; null when the field cannot hold it. */
export function boundsOfValue(kind: FieldKind, value: QueryValue): NumberBounds | null {
  const number = queryNumber(value);
  if (isFraction(kind)) {
    const exact = kind === 'float' ? Math.fround(Number(number)) : Number(number);
    return { from: exact, to: exact };
  }
  if (typeof number === 'number' && !Number.isInteger(number)) return null;
  return { from: number, to: number };
}

export interface RangeEnds {
  /** null: open. */
  readonly from: QueryValue;
  readonly includesFrom: boolean;
  readonly to: QueryValue;
  readonly includesTo: boolean;
}

export function boundsOfRange(kind: FieldKind, ends: RangeEnds): NumberBounds {
  if (isFraction(kind)) return fractionBounds(kind, ends);
  const from = ends.from === null ? LONG_MIN : lowerInteger(queryNumber(ends.from), ends.includesFrom);
  const to = ends.to === null ? LONG_MAX : upperInteger(queryNumber(ends.to), ends.includesTo);
  return { from: narrow(from), to: narrow(to) };
}

function isFraction(kind: FieldKind): boolean {
  return kind === 'double' || kind === 'float';
}

function lowerInteger(value: number | bigint, isIncluded: boolean): bigint {
  if (typeof value === 'bigint') return isIncluded ? value : value + 1n;
  if (!Number.isFinite(value)) return value > 0 ? LONG_MAX + 1n : LONG_MIN;
  if (!Number.isInteger(value)) return BigInt(Math.ceil(value));
  return isIncluded ? BigInt(value) : BigInt(value) + 1n;
}

function upperInteger(value: number | bigint, isIncluded: boolean): bigint {
  if (typeof value === 'bigint') return isIncluded ? value : value - 1n;
  if (!Number.isFinite(value)) return value > 0 ? LONG_MAX : LONG_MIN - 1n;
  if (!Number.isInteger(value)) return BigInt(Math.floor(value));
  return isIncluded ? BigInt(value) : BigInt(value) - 1n;
}

/** A number where that is exact: comparisons with numbers are faster. */
function narrow(value: bigint): number | bigint {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

function fractionBounds(kind: FieldKind, ends: RangeEnds): NumberBounds {
  const read = (value: QueryValue) => (kind === 'float' ? Math.fround : Number)(Number(queryNumber(value)));
  const from = ends.from === null ? Number.NEGATIVE_INFINITY : read(ends.from);
  const to = ends.to === null ? Number.POSITIVE_INFINITY : read(ends.to);
  return {
    from: ends.from === null || ends.includesFrom ? from : neighbour(kind, from, 1),
    to: ends.to === null || ends.includesTo ? to : neighbour(kind, to, -1),
  };
}

/** The next value of the field's type up (1) or down (-1). */
function neighbour(kind: FieldKind, value: number, direction: 1 | -1): number {
  if (!Number.isFinite(value)) return value;
  const view = new DataView(new ArrayBuffer(8));
  if (value === 0) return kind === 'float' ? direction * 2 ** -149 : direction * Number.MIN_VALUE;
  // Bit patterns of one sign are ordered by magnitude.
  const step = value > 0 ? direction : -direction;
  if (kind === 'float') {
    view.setFloat32(0, value);
    view.setInt32(0, view.getInt32(0) + step);
    return view.getFloat32(0);
  }
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) + BigInt(step));
  return view.getFloat64(0);
}
