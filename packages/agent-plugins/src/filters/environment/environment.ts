/**
 * environment: variables of the environment as metadata of events.
 */
import type { PluginDefinition } from '@shoal/agent-plugin-kit';
import { optionError } from '@shoal/agent-plugin-kit';

export const environmentFilter: PluginDefinition = {
  kind: 'filter',
  name: 'environment',
  version: '3.0.4',
  isStateless: true,
  options: {
    /** Name of the metadata to name of the variable. */
    add_metadata_from_env: { type: 'hash', default: {} },
  },
  create: (options) => {
    const values = [...options.hash('add_metadata_from_env')].map(([name, variable]) => {
      if (typeof variable !== 'string')
        throw optionError(`environment: [add_metadata_from_env] needs the name of a variable for [${name}]`);
      return [name, process.env[variable] ?? null] as const;
    });
    return {
      filter: (event) => {
        for (const [name, value] of values) event.metadata.set(name, value);
        return 'matched';
      },
    };
  },
};
