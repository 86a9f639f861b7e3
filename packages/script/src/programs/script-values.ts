/**
 * Values of scripts to what JSON is printed from.
 */
import { DoubleNumber, FloatNumber } from '@shoal/core';
import { itemsOrNull } from '../library/items-of.ts';
import { illegalArgumentException } from '../values/java-exception.ts';
import { JavaMap, JavaSet } from '../values/java-map.ts';
import { JavaBigInteger, JavaFloat, JavaInteger, JavaSmall } from '../values/java-numbers.ts';
import { classOf, textOf } from '../values/java-text.ts';
import { ScriptObject } from '../values/script-object.ts';

/** Values within values that are written; those that hold themselves would never end. */
const DEPTH_MAX = 1_000;

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
