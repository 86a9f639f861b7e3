/**
 * truncate: cuts texts to a number of bytes, never inside a character.
 */
import { type EventMap, type EventValue, parseFieldReference } from '@shoal/agent-event';
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
    // Texts of a list are cut, lists and maps in it are not; maps are entered at any depth.
    const cut = (value: EventValue): EventValue => {
      if (typeof value === 'string') return cutText(value, bytesMax);
      if (Array.isArray(value)) {
        const items = value.map((item) => (typeof item === 'string' ? cutText(item, bytesMax) : item));
        return items.some((item, index) => item !== value[index]) ? items : value;
      }
      return value instanceof Map ? cutMap(value) : value;
    };
    const cutMap = (map: EventMap): EventMap => {
      const entries = [...map].map(([name, item]) => [name, cut(item)] as const);
      return entries.some(([name, item]) => item !== map.get(name)) ? new Map(entries) : map;
    };
    return {
      filter: (event) => {
        let isCut = false;
        const all = fields ?? [...event.fields.keys()].map((name) => ({ text: name, path: [name], isMetadata: false }));
        for (const field of all) {
          const value = event.get(field);
          const shortened = value === undefined ? undefined : cut(value);
          if (shortened === undefined || shortened === value) continue;
          isCut = true;
          event.set(field, shortened);
        }
        return isCut ? 'matched' : 'unmatched';
      },
    };
  },
};

/** null when the limit is below zero. */
function cutText(text: string, bytesMax: number): EventValue {
  if (bytesMax < 0) return null;
  // No character takes more than three bytes a unit.
  if (text.length * 3 <= bytesMax) return text;
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= bytesMax) return text;
  let end = bytesMax;
  // Bytes 10xxxxxx continue a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}
