/**
 * An output: counts events by what a template says of them, and writes the counts when it stops.
 *
 *     output { tally { by => "%{level}" path => "/var/tmp/levels.json" } }
 */
import { writeFile } from 'node:fs/promises';
import type { PluginDefinition } from '@shoal/pipeline-agent';

export const tally: PluginDefinition = {
  kind: 'output',
  name: 'tally',
  version: '1.0.0',
  // One for all workers, so that there is one sum. `each` would make one a worker, without the way to the main thread.
  concurrency: 'single',
  options: {
    by: { type: 'template', isRequired: true },
    path: { type: 'string', isRequired: true },
  },
  create(options) {
    const by = options.template('by');
    const counts = new Map<string, number>();
    return {
      async receive(events) {
        for (const event of events) {
          const key = by.render(event);
          counts.set(key, (counts.get(key) ?? 0) + 1);
        }
      },
      async stop() {
        await writeFile(options.string('path'), JSON.stringify(Object.fromEntries(counts)));
      },
    };
  },
};
