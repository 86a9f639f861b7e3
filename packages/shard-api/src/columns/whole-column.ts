/**
 * Sort columns of whole numbers, of which some are beyond 2^53.
 */
import { fitWideIntegers, wideIntegers } from '@shoal/core';
import type { SortColumn } from './sort-column.ts';

/**
 * Exact column of the values. Doubles stand in where no column holds all of them: fractions among them, or negative numbers
 * beside others beyond 2^63, which only indices with different types of the field have.
 */
export function wholeColumn(values: readonly (number | bigint)[]): SortColumn {
  const isWhole = values.every((value) => typeof value === 'bigint' || Number.isInteger(value));
  const whole = isWhole ? values.map((value) => BigInt(value)) : [];
  if (!isWhole || !fitWideIntegers(whole)) return { kind: 'double', values: Float64Array.from(values, Number) };
  const wide = wideIntegers(whole);
  return wide instanceof BigInt64Array ? { kind: 'bigint', values: wide } : { kind: 'unsigned', values: wide };
}
