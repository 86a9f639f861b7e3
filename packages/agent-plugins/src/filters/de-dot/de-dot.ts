/**
 * de_dot: renames fields with dots in their names, or nests them.
 */

import { type FieldReference, type LogEvent, parseFieldReference } from '@shoal/agent-event';
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
    const rename = (event: LogEvent, reference: FieldReference): void => {
      const place = moved(event, reference, namesOf);
      if (!isRecursive) return;
      const value = event.get(place);
      if (value instanceof Map) for (const name of [...value.keys()]) rename(event, below(place, name));
      if (Array.isArray(value)) for (const position of value.keys()) rename(event, below(place, `${position}`));
    };
    return {
      filter: (event) => {
        const references = named ?? [...event.fields.keys()].map((name) => parsePlain(name));
        for (const reference of references) rename(event, reference);
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

/**
 * Moves a field to its name without dots and answers where it is. The new place is set before the old one is removed, so
 * that a value in the path of the new place, which `set` refuses, loses nothing.
 */
function moved(event: LogEvent, reference: FieldReference, namesOf: NamesOf): FieldReference {
  const value = event.get(reference);
  if (value === undefined || !reference.path.some((name) => name.includes('.'))) return reference;
  const place = renamed(reference, namesOf);
  if (place.text === textOf(reference.path)) return reference;
  event.set(place, value);
  event.remove(reference);
  removeEmptied(event, reference);
  return place;
}

function below({ path, isMetadata }: FieldReference, name: string): FieldReference {
  const inside = [...path, name];
  return { text: textOf(inside), path: inside, isMetadata };
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
