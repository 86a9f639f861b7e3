/**
 * Ranges of the whole number types.
 */
import type { WholeRange } from '../contract/field-type.ts';

export const LONG_RANGE: WholeRange = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
export const INTEGER_RANGE: WholeRange = { min: -(2n ** 31n), max: 2n ** 31n - 1n };
export const SHORT_RANGE: WholeRange = { min: -32_768n, max: 32_767n };
export const BYTE_RANGE: WholeRange = { min: -128n, max: 127n };

/** Number instead of a bigint where that is exact: comparisons with numbers are faster. */
export function narrow(value: bigint): number | bigint {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}
