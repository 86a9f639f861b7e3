/**
 * Objects whose fields may be named without them (type `passthrough`): a search for `host.name` finds `attributes.host.name`.
 */
import { mapperParsing } from '../declaration/mapping-error.ts';
import type { FieldMapping } from './field-mapping.ts';
import type { Mapping } from './mapping.ts';

/**
 * Fields by the names that their objects pass through. A field that has such a name itself keeps it.
 *
 * @throws mapper_parsing_exception for two objects of one priority: neither is the first
 */
export function passedNames({
  objects,
  fields,
  named,
}: Pick<Mapping, 'objects' | 'fields' | 'named'>): ReadonlyMap<string, FieldMapping> {
  const byPriority = new Map<number, string>();
  for (const { path, passthroughPriority: priority } of objects.values()) {
    if (priority === null) continue;
    const other = byPriority.get(priority);
    if (other !== undefined) {
      throw mapperParsing(
        `Pass-through object [${path}] has a conflicting param [priority=${priority}] with object [${other}]`,
      );
    }
    byPriority.set(priority, path);
  }
  const passed = new Map<string, FieldMapping>();
  for (const [, path] of [...byPriority].sort(([a], [b]) => a - b)) {
    for (const field of fields.values()) {
      if (!field.path.startsWith(`${path}.`)) continue;
      const name = field.path.slice(path.length + 1);
      if (!named.has(name)) passed.set(name, field);
    }
  }
  return passed;
}
