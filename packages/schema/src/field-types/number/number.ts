/**
 * Declaration of the number types, which all take the same parameters.
 */
import { DoubleNumber, FloatNumber } from '@shoal/core';
import { type DeclaredType, plainType, type SourceValue } from '../contract/declared-type.ts';
import { indexFlag, SCALAR_PARAMETERS } from '../contract/parameter-rule.ts';

/** Digits of a text that is read as a whole number beyond 2^53. */
const WIDE_INTEGER = /^[+-]?\d{1,20}$/;

function numberType(storedValue: DeclaredType['storedValue']): DeclaredType {
  return plainType(new Map([...SCALAR_PARAMETERS, ['coerce', indexFlag(true)]]), storedValue);
}

export const WHOLE_NUMBER: DeclaredType = numberType(storedInteger);
export const FLOAT: DeclaredType = numberType((value) => storedFraction(value, (number) => new FloatNumber(number)));
/** Shown as it is written: the engine narrows what it indexes. */
export const HALF_FLOAT: DeclaredType = FLOAT;
export const DOUBLE: DeclaredType = numberType((value) => storedFraction(value, (number) => new DoubleNumber(number)));

/** A whole number, its decimals cut off; null for what is none. */
export function storedInteger(value: SourceValue): unknown {
  if (typeof value === 'bigint') return value;
  const number = numberOf(value);
  if (number === null) return null;
  if (typeof value === 'string' && !Number.isSafeInteger(number) && WIDE_INTEGER.test(value)) {
    return BigInt(value.replace('+', ''));
  }
  return Math.trunc(number);
}

function storedFraction(value: SourceValue, print: (number: number) => unknown): unknown {
  if (typeof value === 'bigint') return value;
  const number = numberOf(value);
  return number === null ? null : print(number);
}

function numberOf(value: Exclude<SourceValue, bigint>): number | null {
  const number = typeof value === 'number' ? value : Number(value);
  return value === '' || Number.isNaN(number) ? null : number;
}
