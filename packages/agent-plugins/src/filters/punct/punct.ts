/**
 * punct: what is left of a text without letters, digits and blanks of ASCII: lines of one kind have the same.
 */
import type { PluginDefinition } from '@shoal/agent-plugin-kit';

const LEFT_OUT = /[A-Za-z0-9 \t]/g;

export const punctFilter: PluginDefinition = {
  kind: 'filter',
  name: 'punct',
  version: '3.0.3',
  isStateless: true,
  options: {
    source: { type: 'fieldReference', default: 'message' },
    target: { type: 'fieldReference', default: 'punct' },
  },
  create: (options) => {
    const source = options.reference('source');
    const target = options.reference('target');
    return {
      filter: (event) => {
        const value = event.get(source);
        const text = Array.isArray(value) ? value[0] : value;
        if (typeof text !== 'string') return 'unmatched';
        event.set(target, text.replace(LEFT_OUT, ''));
        return 'matched';
      },
    };
  },
};
