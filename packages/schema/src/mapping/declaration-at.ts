/**
 * Declarations in the JSON of a mapping by their paths. A name may have dots of its own, in an object that has no objects in it.
 */
import { asObject, own } from '../declaration/json-object.ts';
import type { MappingJson } from './mapping.ts';

type Container = 'properties' | 'fields';

/** Declaration of a field or object, not of a multi-field; null where the mapping has none at the path. */
export function declarationAt(json: MappingJson, path: string): MappingJson | null {
  return declarationIn(json, path, ['properties']);
}

/** Declaration of a field, a multi-field or an object; null where the mapping has none at the path. */
export function anyDeclarationAt(json: MappingJson, path: string): MappingJson | null {
  return declarationIn(json, path, ['properties', 'fields']);
}

function declarationIn(json: MappingJson, path: string, containers: readonly Container[]): MappingJson | null {
  for (const container of containers) {
    const children = asObject(own(json, container));
    if (children === null) continue;
    const itself = asObject(own(children, path));
    if (itself !== null) return itself;
    for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
      const above = asObject(own(children, path.slice(0, dot)));
      const found = above === null ? null : declarationIn(above, path.slice(dot + 1), containers);
      if (found !== null) return found;
    }
  }
  return null;
}
