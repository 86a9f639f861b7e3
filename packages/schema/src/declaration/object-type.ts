/**
 * Types of objects: what has fields below it instead of values of its own.
 */
import { type JsonObject, own } from './json-object.ts';

/** Each object is a document of its own. */
export const NESTED_TYPE = 'nested';

/** Its fields may be named without it, as if they stood beside it. There are no objects in it. */
export const PASSTHROUGH_TYPE = 'passthrough';

/** Parameters of objects that are none of a nested one alone. */
export const OBJECT_KEYS: readonly string[] = ['type', 'dynamic', 'enabled', 'subobjects', 'properties'];
/** Parameters of pass-through objects. */
export const PASSTHROUGH_KEYS: readonly string[] = ['type', 'priority', 'dynamic', 'enabled', 'properties'];
export const NESTED_KEYS: readonly string[] = ['include_in_parent', 'include_in_root'];
/** Parameters that objects of Elasticsearch have, and objects here have not. */
const KEYS_ELSEWHERE: readonly string[] = ['store_array_source', 'synthetic_source_keep'];

/** True for a declared type of objects. */
export function isObjectType(type: unknown): boolean {
  return type === 'object' || type === NESTED_TYPE || type === PASSTHROUGH_TYPE;
}

/** A declaration of an object without what means something to fields with values alone. */
export function withoutFieldParameters(json: JsonObject): JsonObject {
  const known = [...OBJECT_KEYS, ...NESTED_KEYS, ...PASSTHROUGH_KEYS, ...KEYS_ELSEWHERE];
  return Object.fromEntries(Object.entries(json).filter(([key]) => known.includes(key)));
}

export function isNested(json: JsonObject): boolean {
  return own(json, 'type') === NESTED_TYPE;
}

export function isPassthrough(json: JsonObject): boolean {
  return own(json, 'type') === PASSTHROUGH_TYPE;
}
