/**
 * de_dot: renames fields with dots in their names, or nests them.
 */

import {
  type EventMap,
  type EventValue,
  type FieldReference,
  type LogEvent,
  parseFieldReference,
} from '@shoal/agent-event';
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
    const isNested = options.boolean('nested');
    const isRecursive = options.boolean('recursive');
    const named = options.has('fields') ? options.strings('fields').map((name) => parseFieldReference(name)) : null;
    const namesOf: NamesOf = (name) => {
      if (!isNested) return [name.replaceAll('.', separator)];
      const parts = name.split('.').filter((part) => part !== '');
      return parts.length === 0 ? [name] : parts;
    };
    return {
      filter: (event) => {
        const references = named ?? [...event.fields.keys()].map((name) => parsePlain(name));
        for (const reference of references) {
          const value = event.get(reference);
          if (value === undefined) continue;
          const changed = isRecursive ? renamedInside(value, namesOf) : value;
          if (!reference.path.some((name) => name.includes('.'))) {
            if (changed !== value) event.set(reference, changed);
            continue;
          }
          event.remove(reference);
          removeEmptied(event, reference);
          event.set(renamed(reference, namesOf), changed);
        }
        return 'matched';
      },
    };
  },
};

/** What a name with dots becomes: one name, or those of maps inside each other. */
type NamesOf = (name: string) => readonly string[];

function parsePlain(name: string): FieldReference {
  return { text: name, path: [name], isMetadata: false };
}

function renamed(reference: FieldReference, namesOf: NamesOf): FieldReference {
  const path = reference.path.flatMap((name) => (name.includes('.') ? namesOf(name) : [name]));
  return { text: textOf(path), path, isMetadata: reference.isMetadata };
}

/** The maps of dotted names that a value was moved out of go with it once nothing is left in them. */
function removeEmptied(event: LogEvent, { path, isMetadata }: FieldReference): void {
  for (let depth = path.length - 1; depth > 0; depth--) {
    const parents = path.slice(0, depth);
    if (!parents.some((name) => name.includes('.'))) return;
    const parent: FieldReference = { text: textOf(parents), path: parents, isMetadata };
    const value = event.get(parent);
    if (!(value instanceof Map) || value.size > 0) return;
    event.remove(parent);
  }
}

function textOf(path: readonly string[]): string {
  return path.map((part) => `[${part}]`).join('');
}

function renamedInside(value: EventValue, namesOf: NamesOf): EventValue {
  if (Array.isArray(value)) return value.map((item) => renamedInside(item, namesOf));
  if (!(value instanceof Map)) return value;
  const map: EventMap = new Map();
  for (const [name, item] of value) put(map, namesOf(name), renamedInside(item, namesOf));
  return map;
}

/** Below maps that are made or extended; what is no map in the way gives way. */
function put(map: EventMap, names: readonly string[], value: EventValue): void {
  const [name = '', ...rest] = names;
  if (rest.length === 0) {
    map.set(name, value);
    return;
  }
  const existing = map.get(name);
  const inner: EventMap = existing instanceof Map ? existing : new Map();
  map.set(name, inner);
  put(inner, rest, value);
}
