/**
 * truncate: cuts texts to a number of bytes, never inside a character.
 */
import { type EventValue, parseFieldReference } from '@shoal/agent-event';
import type { PluginDefinition } from '@shoal/agent-plugin-kit';

export const truncateFilter: PluginDefinition = {
  kind: 'filter',
  name: 'truncate',
  version: '1.0.6',
  isStateless: true,
  options: {
    length_bytes: { type: 'number', isRequired: true },
    fields: { type: 'array' },
  },
  create: (options) => {
    const bytesMax = options.number('length_bytes');
    const fields = options.has('fields') ? options.strings('fields').map((name) => parseFieldReference(name)) : null;
    const cut = (value: EventValue): EventValue => {
      if (typeof value === 'string') return cutText(value, bytesMax);
      if (Array.isArray(value)) return value.map(cut);
      return value instanceof Map ? new Map([...value].map(([name, item]) => [name, cut(item)])) : value;
    };
    return {
      filter: (event) => {
        if (fields === null) {
          for (const [name, value] of event.fields) event.fields.set(name, cut(value));
          return 'matched';
        }
        for (const field of fields) {
          const value = event.get(field);
          if (value !== undefined) event.set(field, cut(value));
        }
        return 'matched';
      },
    };
  },
};

function cutText(text: string, bytesMax: number): string {
  // No character takes more than three bytes a unit.
  if (text.length * 3 <= bytesMax) return text;
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= bytesMax) return text;
  let end = bytesMax;
  // Bytes 10xxxxxx continue a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}
