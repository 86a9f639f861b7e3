/**
 * Objects of a request by the name under which they stand, and the request with others in their place.
 */
import { isObject } from '@shoal/core';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Outermost objects that stand under `name`, wherever that is. */
export function objectsNamed(value: unknown, name: string): readonly JsonObject[] {
  const found: JsonObject[] = [];
  collect(value, name, found);
  return found;
}

function collect(value: unknown, name: string, into: JsonObject[]): void {
  if (Array.isArray(value)) for (const item of value) collect(item, name, into);
  else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      if (key === name && isObject(inner)) into.push(inner);
      else collect(inner, name, into);
    }
  }
}

/** `value` with each object of `others`, told by its identity, as the map has it. */
export function withOthers(value: unknown, others: ReadonlyMap<unknown, unknown>): unknown {
  if (others.has(value)) return others.get(value);
  if (Array.isArray(value)) return value.map((item) => withOthers(item, others));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withOthers(inner, others)]));
}
