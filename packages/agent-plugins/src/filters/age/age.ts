/**
 * age: how old an event is, in seconds, as the clock stands.
 */

import type { PluginDefinition } from '@shoal/agent-plugin-kit';
import { asFloat } from '@shoal/core';

export const ageFilter: PluginDefinition = {
  kind: 'filter',
  name: 'age',
  version: '1.0.2',
  isStateless: true,
  options: { target: { type: 'fieldReference', default: '[@metadata][age]' } },
  create: (options, { runtime }) => {
    const target = options.reference('target');
    return {
      filter: (event) => {
        if (event.timestamp === null) return 'unmatched';
        const seconds = (runtime.clock.wallMs() - event.timestamp.epochMs) / 1000;
        event.set(target, asFloat(seconds));
        return 'matched';
      },
    };
  },
};
