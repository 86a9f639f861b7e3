/**
 * urldecode: turns `%41` into `A`; a plus stays a plus.
 */
import { bytesShown, type EventValue } from '@shoal/agent-event';
import type { PluginDefinition } from '@shoal/agent-plugin-kit';

const ESCAPES = /(?:%[0-9a-fA-F]{2})+/g;

export const urldecodeFilter: PluginDefinition = {
  kind: 'filter',
  name: 'urldecode',
  version: '3.0.6',
  isStateless: true,
  options: {
    field: { type: 'fieldReference', default: 'message' },
    all_fields: { type: 'boolean', default: false },
    charset: { type: 'string', default: 'UTF-8' },
    /** Nothing fails: what cannot be decoded is shown as it is. */
    tag_on_failure: { type: 'array', default: ['_urldecodefailure'] },
  },
  create: (options) => {
    const field = options.reference('field');
    const decoder = new TextDecoder(options.string('charset').toLowerCase(), { fatal: true, ignoreBOM: true });
    const decode = (value: EventValue): EventValue => {
      if (typeof value === 'string') return value.includes('%') ? decodeText(value, decoder) : value;
      if (Array.isArray(value)) return value.map(decode);
      return value instanceof Map ? new Map([...value].map(([name, item]) => [name, decode(item)])) : value;
    };
    return {
      filter: (event) => {
        if (options.boolean('all_fields')) {
          for (const [name, value] of event.fields) event.fields.set(name, decode(value));
        } else {
          const value = event.get(field);
          if (value !== undefined) event.set(field, decode(value));
        }
        return 'matched';
      },
    };
  },
};

/** Bytes that are no text of the charset are shown as `\xE9`, and then everything else as Ruby shows it. */
function decodeText(text: string, decoder: TextDecoder): string {
  const bytesOf = (run: string): Buffer => Buffer.from(run.replaceAll('%', ''), 'hex');
  try {
    return text.replace(ESCAPES, (run) => decoder.decode(bytesOf(run)));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return bytesShown(
      Buffer.concat(text.split(/((?:%[0-9a-fA-F]{2})+)/).map((part, i) => (i % 2 ? bytesOf(part) : Buffer.from(part)))),
    );
  }
}
