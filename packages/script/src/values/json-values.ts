/**
 * JSON to values of scripts: whole numbers are ints, longs or larger as they need, others doubles.
 */
import { DoubleNumber, FloatNumber, type JsonNode } from '@shoal/core';
import { JavaMap } from './java-map.ts';
import { JavaBigInteger, JavaFloat, JavaInteger } from './java-numbers.ts';

const INT_MAX = 2 ** 31 - 1;
const INT_MIN = -(2 ** 31);
const LONG_BITS = 64;

/** A whole number as an int, a long, or what is larger. */
export function wholeNumber(value: number | bigint): JavaInteger | bigint | JavaBigInteger {
  if (typeof value === 'number' && value >= INT_MIN && value <= INT_MAX) return JavaInteger.of(value);
  const whole = BigInt(value);
  if (whole >= BigInt(INT_MIN) && whole <= BigInt(INT_MAX)) return JavaInteger.of(Number(whole));
  return BigInt.asIntN(LONG_BITS, whole) === whole ? whole : new JavaBigInteger(whole);
}

/** The value of parsed JSON. Numbers without a fraction are whole, whatever their text was. */
export function fromPlain(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return Number.isInteger(value) ? wholeNumber(value) : value;
  if (typeof value === 'bigint') return wholeNumber(value);
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(fromPlain);
  if (value instanceof DoubleNumber) return value.value;
  if (value instanceof FloatNumber) return new JavaFloat(value.value);
  const map = new JavaMap();
  for (const [name, one] of value instanceof Map ? value : Object.entries(value)) map.set(name, fromPlain(one));
  return map;
}

/** The value of a JSON text's tree, exact: `1.0` is a double. */
export function fromJsonNode(node: JsonNode): unknown {
  switch (node.kind) {
    case 'null':
      return null;
    case 'array':
      return node.items.map(fromJsonNode);
    case 'object': {
      const map = new JavaMap();
      for (const { name, value } of node.members) map.set(name, fromJsonNode(value));
      return map;
    }
    case 'number':
      return /[.eE]/.test(node.text) ? Number(node.value) : wholeNumber(node.value);
    default:
      return node.value;
  }
}
