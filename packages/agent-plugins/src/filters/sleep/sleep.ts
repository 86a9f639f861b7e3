/**
 * sleep: slows a pipeline down, by a fixed time or as fast as the events' own times went by.
 */
import { compileTemplate } from '@shoal/agent-event';
import type { PluginDefinition } from '@shoal/agent-plugin-kit';

export const sleepFilter: PluginDefinition = {
  kind: 'filter',
  name: 'sleep',
  version: '3.0.7',
  options: {
    time: { type: 'string' },
    every: { type: 'string', default: '1' },
    replay: { type: 'boolean', default: false },
  },
  create: (options, context) => {
    const time = compileTemplate(options.has('time') ? options.string('time') : '1', context);
    const every = compileTemplate(options.string('every'), context);
    const replay = options.boolean('replay');
    let count = 0;
    let lastMs: number | null = null;
    const pause = (ms: number): Promise<void> =>
      new Promise((resolve) => void context.runtime.sched.after(Math.max(0, ms), resolve));
    return {
      filter: async (event) => {
        const factor = Number(time.render(event)) || 0;
        if (replay) {
          const now = event.timestamp?.epochMs ?? null;
          if (now !== null && lastMs !== null && now > lastMs && factor > 0) await pause((now - lastMs) / factor);
          if (now !== null) lastMs = now;
          return 'matched';
        }
        count++;
        if (count < (Number(every.render(event)) || 1)) return 'unmatched';
        count = 0;
        await pause(factor * 1000);
        return 'matched';
      },
    };
  },
};
