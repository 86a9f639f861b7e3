/**
 * The null output: nothing happens to events but being counted.
 */
import type { PluginDefinition } from '@shoal/agent-plugin-kit';

export const nullOutput: PluginDefinition = {
  kind: 'output',
  name: 'null',
  version: '3.0.5',
  concurrency: 'each',
  options: { codec: { type: 'codec', default: 'plain' } },
  create: () => ({ receive: () => Promise.resolve() }),
};
