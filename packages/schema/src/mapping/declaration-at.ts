/**
 * Declarations in the JSON of a mapping by their paths.
 */
import { asObject, own } from '../declaration/json-object.ts';
import type { MappingJson } from './mapping.ts';

/** Declaration of a field or object, not of a multi-field; null where the mapping has none at the path. */
export function declarationAt(json: MappingJson, path: string): MappingJson | null {
  let at: MappingJson | null = json;
  for (const part of path.split('.')) {
    at = asObject(own(asObject(at === null ? null : own(at, 'properties')) ?? {}, part));
    if (at === null) return null;
  }
  return at;
}
