/**
 * Equality, order and hash of boxed values, as Java's objects have them.
 */
import { javaTextHash } from '@shoal/core';
import { classCast, nullPointer } from './java-exception.ts';
import { JavaEntry, JavaMap, JavaSet } from './java-map.ts';
import { JavaBigInteger, JavaCharacter, numberType, promotedPair, rawNumber } from './java-numbers.ts';
import { classOf, textOf } from './java-text.ts';
import { ScriptObject } from './script-object.ts';

const DEPTH_MAX = 100;

/** `equals`: numbers of two classes differ. */
export function equalObjects(a: unknown, b: unknown, depth = 0): boolean {
  // The two zeros of doubles are one number and two objects.
  if (a === b) return a !== 0 || Object.is(a, b);
  if (a === null || b === null || depth > DEPTH_MAX) return false;
  const type = numberType(a);
  if (type !== null) {
    return numberType(b) === type && Object.is(rawNumber(a), rawNumber(b));
  }
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) && a.length === b.length && a.every((item, i) => equalObjects(item, b[i] as unknown, depth + 1))
    );
  }
  if (a instanceof JavaMap) {
    if (!(b instanceof JavaMap) || a.size !== b.size) return false;
    return a.entries().every(([key, value]) => b.has(key) && equalObjects(value, b.get(key), depth + 1));
  }
  if (a instanceof JavaSet) return b instanceof JavaSet && a.size === b.size && a.items().every((item) => b.has(item));
  if (a instanceof JavaEntry) {
    return b instanceof JavaEntry && equalObjects(a.key, b.key, depth + 1) && equalObjects(a.value, b.value, depth + 1);
  }
  if (a instanceof JavaBigInteger) return b instanceof JavaBigInteger && a.value === b.value;
  return a instanceof ScriptObject && b instanceof ScriptObject && a.equals(b);
}

/** `==` of values whose types are not known beforehand: numbers are brought to one type as for arithmetic. */
export function equalValues(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a === b;
  if (typeof a === 'string' || a === null || b === null) return a === b;
  const pair = promotedPair(a, b);
  return pair === null ? equalObjects(a, b) : pair[0] === pair[1];
}

/** `Comparable.compareTo`. Throws Java's exceptions where the values have no order. */
export function compareObjects(a: unknown, b: unknown): number {
  if (a === null || b === null) throw nullPointer();
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  const type = numberType(a);
  if (type !== null && type === numberType(b)) {
    const [left, right] = [rawNumber(a), rawNumber(b)];
    // Java subtracts where the difference has room in an int.
    return SMALL.has(type) ? Number(left) - Number(right) : compareNumbers(left, right);
  }
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (a instanceof JavaBigInteger && b instanceof JavaBigInteger) return compareNumbers(a.value, b.value);
  const order = a instanceof ScriptObject && b instanceof ScriptObject ? a.compare(b) : null;
  if (order !== null) return order;
  throw classCast(`class ${classOf(a)} cannot be cast to class ${classOf(b)}`);
}

const SMALL: ReadonlySet<string> = new Set(['byte', 'short', 'char']);

/** `String.compareTo`: the distance of the first letters that differ, else of the lengths. */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const distance = a.charCodeAt(at) - b.charCodeAt(at);
    if (distance !== 0) return distance;
  }
  return a.length - b.length;
}

/** Order of raw numbers; NaN is above all. */
export function compareNumbers(a: number | bigint, b: number | bigint): number {
  if (a < b) return -1;
  if (a > b) return 1;
  return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
}

const HASH_PRIME = 31;

export function hashOf(value: unknown): number {
  if (value === null) return 0;
  if (typeof value === 'string') return javaTextHash(value);
  if (typeof value === 'boolean') return value ? 1231 : 1237;
  if (typeof value === 'bigint') return Number(BigInt.asIntN(32, value ^ (BigInt.asUintN(64, value) >> 32n)));
  if (typeof value === 'number') {
    const bits = new DataView(new ArrayBuffer(8));
    bits.setFloat64(0, value);
    return bits.getInt32(0) ^ bits.getInt32(4);
  }
  if (numberType(value) !== null && !(value instanceof JavaCharacter)) return Number(rawNumber(value)) | 0;
  if (value instanceof JavaCharacter) return value.value;
  if (Array.isArray(value))
    return value.reduce((sum: number, item) => (Math.imul(HASH_PRIME, sum) + hashOf(item)) | 0, 1);
  if (value instanceof JavaMap) {
    return value.entries().reduce((sum, [key, item]) => (sum + (hashOf(key) ^ hashOf(item))) | 0, 0);
  }
  if (value instanceof JavaSet) return value.items().reduce((sum: number, item) => (sum + hashOf(item)) | 0, 0);
  return javaTextHash(textOf(value));
}
