/**
 * Numbers of requests: limits that several aggregations share, and how a decoded message's numbers are checked.
 */
import { DoubleNumber, type ItemReader, illegalArgument, type ValueReader } from '@shoal/core';
import type { OptionReader } from './option-reader.ts';

/** @param shown name of the option in the error */
export function notNegative(
  options: OptionReader,
  name: string,
  fallback: number,
  aggregation: string,
  shown: string = name,
): number {
  const value = options.integer(name) ?? fallback;
  if (value >= 0) return value;
  throw illegalArgument(`[${shown}] must be greater than or equal to 0. Found [${value}] in [${aggregation}]`);
}

/** Text of a number as Java prints a double. */
export function shownNumber(value: number): string {
  return String(new DoubleNumber(value));
}

/** A whole number of at least `min` from a message; requests may give numbers beyond the safe integers. */
export function readWhole(r: ValueReader, field: string, min: number): number {
  const value = r.number(field);
  return value >= min && Math.trunc(value) === value ? value : r.refuse(field, `a whole number of at least ${min}`);
}

/** A number above zero from a message. */
export function readPositive(r: ValueReader, field: string): number {
  const value = r.number(field);
  return value > 0 ? value : r.refuse(field, 'a number above 0');
}

/** Most numbers in a list of a message: a request of ten megabytes has fewer. */
const NUMBERS_MAX = 10_000_000;

export function readNumbers(r: ValueReader, field: string, read: ItemReader<number>): readonly number[] {
  return r.list(field, read, NUMBERS_MAX);
}
