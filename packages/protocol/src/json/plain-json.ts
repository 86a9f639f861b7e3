/**
 * Free-form JSON that another node sent, such as its part of `_nodes/stats`: copied into plain values within limits.
 *
 * Only for what is printed as it came. What the program acts on has a reader that names its fields.
 */
import { type ItemReader, ValueReader } from '@shoal/core';

export type PlainObject = Readonly<Record<string, unknown>>;

/** A mapping of 20 nested objects, each under its `properties`, must pass. */
const DEPTH_MAX = 64;
/** Values in one document, containers included. */
const VALUES_MAX = 1_000_000;

/** A map of JSON values (strings, numbers, booleans, null, lists, maps). */
export const readPlainObject: ItemReader<PlainObject> = (value, field) => {
  const budget = { left: VALUES_MAX };
  return copyMap(ValueReader.of(value, field), field, 0, budget);
};

interface Budget {
  left: number;
}

function copyMap(reader: ValueReader, field: string, depth: number, budget: Budget): PlainObject {
  const out: Record<string, unknown> = {};
  for (const key of reader.fields()) {
    const value = copyValue(reader.raw(key), `${field}.${key}`, depth + 1, budget);
    // Defined, not assigned: a key named `__proto__` must stay a key.
    Object.defineProperty(out, key, { value, enumerable: true, writable: true, configurable: true });
  }
  return out;
}

function copyValue(value: unknown, field: string, depth: number, budget: Budget): unknown {
  if (budget.left-- <= 0 || depth > DEPTH_MAX) refuse(field, `a document of depth ${DEPTH_MAX} at most`);
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint') {
    return value;
  }
  if (typeof value === 'number') return value;
  if (Array.isArray(value))
    return value.map((item: unknown, i) => copyValue(item, `${field}[${i}]`, depth + 1, budget));
  if (typeof value === 'object' && !ArrayBuffer.isView(value)) {
    return copyMap(ValueReader.of(value, field), field, depth, budget);
  }
  return refuse(field, 'a JSON value');
}

function refuse(field: string, wanted: string): never {
  return new ValueReader({ [field]: '…' }).refuse(field, wanted);
}
