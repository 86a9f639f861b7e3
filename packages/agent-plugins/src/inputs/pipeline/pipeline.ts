/**
 * `pipeline` as an input: takes what other pipelines of this process send to an address.
 */

import type { Input, PluginDefinition } from '@shoal/agent-plugin-kit';
import { assert } from '@shoal/core';

export const pipelineInput: PluginDefinition = {
  kind: 'input',
  name: 'pipeline',
  version: '1.0.0',
  needsMainThread: true,
  options: { address: { type: 'string', isRequired: true } },
  create(options, context): Input {
    const { bus } = context;
    assert(bus !== undefined, 'the pipeline input needs a pipeline around it');
    let close: () => void = () => {};
    let running = 0;
    let idle: () => void = () => {};
    return {
      finished: null,
      start: async (sink) => {
        close = bus.listen(options.string('address'), {
          push: async (events) => {
            running++;
            try {
              // Copies: the sender may have more outputs that read the same events.
              await sink.push(events.map((event) => event.clone()));
              await sink.confirmed?.();
            } finally {
              running--;
              if (running === 0) idle();
            }
          },
        });
      },
      stop: async () => {
        close();
        if (running > 0) await new Promise<void>((resolve) => void (idle = resolve));
      },
    };
  },
};
