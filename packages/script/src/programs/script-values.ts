/**
 * JSON to values of scripts and back: whole numbers are ints, longs or larger as they need, others doubles.
 */
import { DoubleNumber, FloatNumber, type JsonNode } from '@shoal/core';
import { itemsOrNull } from '../library/items-of.ts';
import { illegalArgumentException } from '../values/java-exception.ts';
import { JavaMap, JavaSet } from '../values/java-map.ts';
import { JavaBigInteger, JavaFloat, JavaInteger, JavaSmall } from '../values/java-numbers.ts';
import { classOf, textOf } from '../values/java-text.ts';
import { ScriptObject } from '../values/script-object.ts';

const INT_MAX = 2 ** 31 - 1;
const INT_MIN = -(2 ** 31);
const LONG_BITS = 64;

/** Values within values that are written; those that hold themselves would never end. */
const DEPTH_MAX = 1_000;

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

/**
 * The value as what `writeJson` prints: names in their order, doubles with a fraction.
 *
 * @throws JavaException `IllegalArgumentException` for values that JSON has not, and for those that hold themselves
 */
export function toPlain(value: unknown, depth = 0): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint') return value;
  if (typeof value === 'number') return new DoubleNumber(value);
  if (value instanceof JavaInteger || value instanceof JavaSmall || value instanceof JavaBigInteger) return value.value;
  if (value instanceof JavaFloat) return new FloatNumber(value.value);
  if (depth > DEPTH_MAX) {
    throw illegalArgumentException('Iterable object is self-referencing itself');
  }
  if (value instanceof JavaMap) {
    const members = new Map<string, unknown>();
    for (const [key, one] of value.entries()) members.set(textOf(key), toPlain(one, depth + 1));
    return members;
  }
  const items = value instanceof JavaSet ? value.items() : itemsOrNull(value);
  if (items !== null) return items.map((item) => toPlain(item, depth + 1));
  if (value instanceof ScriptObject) return toPlain(value.json(), depth + 1);
  throw illegalArgumentException(`cannot write xcontent for unknown value of type class ${classOf(value)}`);
}
