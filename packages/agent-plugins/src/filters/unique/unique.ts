/**
 * unique: lists without the items that came before in them.
 */
import { type EventValue, jsonText, parseFieldReference } from '@shoal/agent-event';
import type { PluginDefinition } from '@shoal/agent-plugin-kit';

export const uniqueFilter: PluginDefinition = {
  kind: 'filter',
  name: 'unique',
  version: '3.0.0',
  isStateless: true,
  options: {
    fields: { type: 'array', isRequired: true },
  },
  create: (options) => {
    const fields = options.strings('fields').map((name) => parseFieldReference(name));
    return {
      filter: (event) => {
        for (const field of fields) {
          const value = event.get(field);
          if (Array.isArray(value)) event.set(field, distinct(value));
        }
        // Logstash's own says so of every event: its options for a success, such as add_tag, do nothing.
        return 'unmatched';
      },
    };
  },
};

/** The first of each; an integer and a float of one size are two, maps that differ in order alone are one. */
function distinct(items: readonly EventValue[]): EventValue[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const key = jsonText(inOrder(item));
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

function inOrder(value: EventValue): EventValue {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!(value instanceof Map)) return value;
  const names = [...value.keys()].sort();
  return new Map(names.map((name) => [name, inOrder(value.get(name) ?? null)]));
}
