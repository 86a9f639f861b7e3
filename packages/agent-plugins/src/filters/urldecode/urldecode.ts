/**
 * urldecode: turns `%41` into `A`; a plus stays a plus.
 */
import type { EventValue } from '@shoal/agent-event';
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
    tag_on_failure: { type: 'array', default: ['_urldecodefailure'] },
  },
  create: (options) => {
    const field = options.reference('field');
    const decoder = new TextDecoder(options.string('charset').toLowerCase(), { fatal: true, ignoreBOM: true });
    const decode = (value: EventValue): EventValue => {
      if (typeof value === 'string') {
        return value.replace(ESCAPES, (run) => decoder.decode(Buffer.from(run.replaceAll('%', ''), 'hex')));
      }
      if (Array.isArray(value)) return value.map(decode);
      return value instanceof Map ? new Map([...value].map(([name, item]) => [name, decode(item)])) : value;
    };
    return {
      filter: (event) => {
        try {
          if (options.boolean('all_fields')) {
            for (const [name, value] of event.fields) event.fields.set(name, decode(value));
          } else {
            const value = event.get(field);
            if (value !== undefined) event.set(field, decode(value));
          }
          return 'matched';
        } catch (error) {
          // Bytes that are no text of the charset.
          if (!(error instanceof TypeError)) throw error;
          for (const tag of options.strings('tag_on_failure')) event.tag(tag);
          return 'unmatched';
        }
      },
    };
  },
};
