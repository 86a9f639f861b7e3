/**
 * Types of objects: what has fields below it instead of values of its own.
 */
import { type JsonObject, own } from './json-object.ts';

/** Each object is a document of its own. */
export const NESTED_TYPE = 'nested';

/** True for a declared type of objects. */
export function isObjectType(type: unknown): boolean {
  return type === 'object' || type === NESTED_TYPE;
}

export function isNested(json: JsonObject): boolean {
  return own(json, 'type') === NESTED_TYPE;
}
