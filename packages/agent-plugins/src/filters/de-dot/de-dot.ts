/**
 * de_dot: renames fields with dots in their names, or nests them.
 */

import { type EventMap, type EventValue, type FieldReference, parseFieldReference } from '@shoal/agent-event';
import type { PluginDefinition } from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';

export const deDotFilter: PluginDefinition = {
  kind: 'filter',
  name: 'de_dot',
  version: '1.1.0',
  isStateless: true,
  options: {
    separator: { type: 'string', default: '_' },
    nested: { type: 'boolean', default: false },
    recursive: { type: 'boolean', default: false },
    fields: { type: 'array' },
  },
  create: (options) => {
    const separator = options.string('separator');
    if (separator.includes('.'))
      throw new ShoalError('illegal_argument_exception', 400, 'de_dot: separator cannot hold a dot');
    const nested = options.boolean('nested');
    const recursive = options.boolean('recursive');
    const named = options.has('fields') ? options.strings('fields').map((name) => parseFieldReference(name)) : null;
    return {
      filter: (event) => {
        const references = named ?? [...event.fields.keys()].map((name) => parsePlain(name));
        for (const reference of references) {
          const value = event.get(reference);
          if (value === undefined) continue;
          const changed = recursive ? renamedInside(value, separator) : value;
          const last = reference.path[reference.path.length - 1] ?? '';
          if (!last.includes('.')) {
            if (changed !== value) event.set(reference, changed);
            continue;
          }
          event.remove(reference);
          event.set(renamed(reference, nested ? last.split('.') : [last.replaceAll('.', separator)]), changed);
        }
        return 'matched';
      },
    };
  },
};

function parsePlain(name: string): FieldReference {
  return { text: name, path: [name], isMetadata: false };
}

function renamed(reference: FieldReference, last: readonly string[]): FieldReference {
  const path = [...reference.path.slice(0, -1), ...last.filter((part) => part !== '')];
  return { text: path.map((part) => `[${part}]`).join(''), path, isMetadata: reference.isMetadata };
}

function renamedInside(value: EventValue, separator: string): EventValue {
  if (Array.isArray(value)) return value.map((item) => renamedInside(item, separator));
  if (!(value instanceof Map)) return value;
  const map: EventMap = new Map();
  for (const [name, item] of value) map.set(name.replaceAll('.', separator), renamedInside(item, separator));
  return map;
}
