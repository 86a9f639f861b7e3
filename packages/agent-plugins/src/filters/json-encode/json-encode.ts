/**
 * json_encode: the value of a field as JSON text, in its place or in another field.
 */
import { jsonText } from '@shoal/agent-event';
import type { PluginDefinition } from '@shoal/agent-plugin-kit';

export const jsonEncodeFilter: PluginDefinition = {
  kind: 'filter',
  name: 'json_encode',
  version: '3.0.3',
  isStateless: true,
  options: {
    source: { type: 'fieldReference', isRequired: true },
    /** Default: the source. */
    target: { type: 'fieldReference' },
  },
  create: (options) => {
    const source = options.reference('source');
    const target = options.has('target') ? options.reference('target') : source;
    return {
      filter: (event) => {
        // A missing field is `null`, as upstream writes it: consumers find the target in every event.
        event.set(target, jsonText(event.get(source) ?? null));
        return 'matched';
      },
    };
  },
};
