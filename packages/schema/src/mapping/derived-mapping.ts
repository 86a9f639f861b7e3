/**
 * A mapping that differs from another in some parts, for one request or document.
 */
import type { Mapping } from './mapping.ts';

/** The mapping with `changes` in the place of its own parts; it stays as it is. */
export function derivedMapping(base: Mapping, changes: Partial<Mapping>): Mapping {
  return {
    ...base,
    field: (name) => base.field(name),
    isObject: (path) => base.isObject(path),
    nestedAround: (path) => base.nestedAround(path),
    ...changes,
  };
}
