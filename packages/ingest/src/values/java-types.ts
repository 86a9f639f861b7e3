/**
 * Values as a Java server names and prints them: types stand in errors, texts in templates and in fields of text.
 */
import { DoubleNumber } from '@shoal/core';
import type { DocumentValue } from './document-value.ts';

const INTEGER_MAX = 0x7fff_ffff;
const INTEGER_MIN = -0x8000_0000;
const LONG_MAX = 0x7fff_ffff_ffff_ffffn;
const LONG_MIN = -0x8000_0000_0000_0000n;

/** Name of the class that a Java server would hold the value in; null is `null`. */
export function javaType(value: DocumentValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'java.util.ArrayList';
  if (value instanceof Map) return 'java.util.HashMap';
  switch (typeof value) {
    case 'string':
      return 'java.lang.String';
    case 'boolean':
      return 'java.lang.Boolean';
    case 'bigint':
      return value > LONG_MAX || value < LONG_MIN ? 'java.math.BigInteger' : 'java.lang.Long';
    case 'number':
      return numberType(value);
    default:
      return value instanceof DoubleNumber ? 'java.lang.Double' : 'java.time.ZonedDateTime';
  }
}

/** Integers that a double cannot hold exactly are bigints: a number of their size was written with a fraction or an exponent. */
function numberType(value: number): string {
  if (!Number.isSafeInteger(value)) return 'java.lang.Double';
  return value > INTEGER_MAX || value < INTEGER_MIN ? 'java.lang.Long' : 'java.lang.Integer';
}

export function isInteger(value: DocumentValue): value is number | bigint {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
}

export function isNumber(value: DocumentValue): value is number | bigint | DoubleNumber {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof DoubleNumber;
}

/** True for values that are equal as Java compares them: an integer never equals a double. */
export function sameValue(a: DocumentValue, b: DocumentValue): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, at) => sameValue(item, b[at] ?? null));
  }
  if (a instanceof Map) {
    if (!(b instanceof Map) || a.size !== b.size) return false;
    return [...a].every(([name, item]) => b.has(name) && sameValue(item, b.get(name) ?? null));
  }
  return a instanceof DoubleNumber && b instanceof DoubleNumber && a.value === b.value;
}
