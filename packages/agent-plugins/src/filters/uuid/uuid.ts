/**
 * uuid: a random id in a field.
 */
import { type PluginDefinition, randomUuidText } from '@shoal/agent-plugin-kit';

export const uuidFilter: PluginDefinition = {
  kind: 'filter',
  name: 'uuid',
  version: '3.0.5',
  isStateless: true,
  options: {
    target: { type: 'fieldReference', isRequired: true },
    overwrite: { type: 'boolean', default: false },
  },
  create: (options, context) => {
    const target = options.reference('target');
    const overwrites = options.boolean('overwrite');
    const random = context.runtime.random.fork(`uuid ${context.pluginId}`);
    return {
      filter: (event) => {
        if (overwrites || event.get(target) === undefined) event.set(target, randomUuidText(random));
        return 'matched';
      },
    };
  },
};
