/**
 * A mapping that differs from another in some parts, for one request or document.
 */
import type { Mapping } from './mapping.ts';

/** A spread leaves out methods of a class, of which the compiler does not tell: each has to be named. */
type MappingMethods = {
  readonly [K in keyof Mapping as Mapping[K] extends (...args: never[]) => unknown ? K : never]: Mapping[K];
};

/** The mapping with `changes` in the place of its own parts; it stays as it is. */
export function derivedMapping(base: Mapping, changes: Partial<Mapping>): Mapping {
  const methods: MappingMethods = {
    field: (name) => base.field(name),
    isObject: (path) => base.isObject(path),
    nestedAround: (path) => base.nestedAround(path),
    flatAround: (path) => base.flatAround(path),
  };
  return { ...base, ...methods, ...changes };
}
