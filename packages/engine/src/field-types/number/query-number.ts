/**
 * Numbers of a request's values.
 */
import { illegalArgument, ShoalError } from '@shoal/core';
import type { QueryValue } from '@shoal/query';

/** Value of request JSON as a number; texts are read as decimals. Throws `number_format_exception`. */
export function queryNumber(value: QueryValue): number | bigint {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value === 'boolean') throw illegalArgument(`Cannot parse a boolean as a number: ${value}`);
  const text = String(value);
  if (/^[+-]?\d{16,40}$/.test(text)) return BigInt(text.replace('+', ''));
  if (/^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/.test(text)) return Number(text);
  throw new ShoalError('number_format_exception', 400, `For input string: "${text}"`);
}
