/**
 * Declaration of the number types, which all take the same parameters.
 */
import { DoubleNumber, FloatNumber } from '@shoal/core';
import { type DeclaredType, plainType, type SourceValue } from '../contract/declared-type.ts';
import { FRACTION_NULL_VALUE, wholeNullValue } from '../contract/null-value.ts';
import { indexFlag, type ParameterRule, SCALAR_PARAMETERS } from '../contract/parameter-rule.ts';

/** Digits of a text that is read as a whole number beyond 2^53. */
const WIDE_INTEGER = /^[+-]?\d{1,20}$/;

function numberType(nullValue: ParameterRule, storedValue: DeclaredType['storedValue']): DeclaredType {
  const parameters = new Map([...SCALAR_PARAMETERS, ['coerce', indexFlag(true)], ['null_value', nullValue]] as const);
  return plainType(parameters, storedValue);
}

function wholeType(name: string, bits: 8 | 16 | 32 | 64): DeclaredType {
  const end = 2n ** BigInt(bits - 1);
  return numberType(wholeNullValue(name, -end, end - 1n), storedInteger);
}

function fractionType(print: (number: number) => unknown): DeclaredType {
  return numberType(FRACTION_NULL_VALUE, (value) => storedFraction(value, print));
}

export const LONG: DeclaredType = wholeType('a long', 64);
export const INTEGER: DeclaredType = wholeType('an integer', 32);
export const SHORT: DeclaredType = wholeType('a short', 16);
export const BYTE: DeclaredType = wholeType('a byte', 8);
export const FLOAT: DeclaredType = fractionType((number) => new FloatNumber(number));
/** Shown as it is written: the engine narrows what it indexes. */
export const HALF_FLOAT: DeclaredType = FLOAT;
export const DOUBLE: DeclaredType = fractionType((number) => new DoubleNumber(number));

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
