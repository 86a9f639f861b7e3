/**
 * The stdout output: events on standard output, readable by people unless another codec is chosen.
 */
import { encodeAll, type PluginDefinition } from '@shoal/agent-plugin-kit';

export const stdoutOutput: PluginDefinition = {
  kind: 'output',
  name: 'stdout',
  version: '3.1.4',
  concurrency: 'each',
  options: { codec: { type: 'codec', default: 'rubydebug' } },
  create(options) {
    const codec = options.codec('codec');
    return {
      receive: (events) =>
        new Promise((resolve, reject) => {
          const bytes = encodeAll(codec, events);
          // The callback is the back-pressure: whoever reads slowly slows the pipeline.
          process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
        }),
    };
  },
};
