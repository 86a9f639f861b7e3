/**
 * Integers of 64 bits, signed or unsigned: whole numbers beyond what doubles hold exactly.
 */
import { assert } from './errors/assert.ts';

export type WideIntegers = BigInt64Array | BigUint64Array;

const SIGNED_MIN = -(2n ** 63n);
const SIGNED_MAX = 2n ** 63n - 1n;
const UNSIGNED_MAX = 2n ** 64n - 1n;

/** An integer as the number that holds it exactly, where one does. */
export function asInteger(value: bigint | number): bigint | number {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** True when all values fit one array: all signed, or all unsigned. */
export function fitWideIntegers(values: readonly bigint[]): boolean {
  return values.every((value) => value >= SIGNED_MIN && value <= SIGNED_MAX) || values.every(isUnsigned);
}

/** Array of the values: unsigned when one is beyond the signed range. */
export function wideIntegers(values: readonly bigint[]): WideIntegers {
  if (!values.some((value) => value > SIGNED_MAX)) return BigInt64Array.from(values);
  for (const value of values) assert(isUnsigned(value), `${value} among integers up to 2^64`);
  return BigUint64Array.from(values);
}

function isUnsigned(value: bigint): boolean {
  return value >= 0n && value <= UNSIGNED_MAX;
}
