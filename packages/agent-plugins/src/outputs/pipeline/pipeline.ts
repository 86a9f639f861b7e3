/**
 * `pipeline` as an output: sends copies of events to other pipelines of this process.
 */

import type { Output, PluginDefinition } from '@shoal/agent-plugin-kit';
import { assert } from '@shoal/core';

export const pipelineOutput: PluginDefinition = {
  kind: 'output',
  name: 'pipeline',
  version: '1.0.0',
  concurrency: 'each',
  options: {
    send_to: { type: 'array', isRequired: true },
    ensure_delivery: { type: 'boolean', default: true },
  },
  create(options, context): Output {
    const { bus } = context;
    assert(bus !== undefined, 'the pipeline output needs a pipeline around it');
    const addresses = options.strings('send_to');
    const ensureDelivery = options.boolean('ensure_delivery');
    return {
      receive: async (events) => {
        await Promise.all(addresses.map((address) => bus.send(address, events, ensureDelivery)));
      },
    };
  },
};
