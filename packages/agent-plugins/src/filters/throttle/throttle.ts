/**
 * throttle: matches events that come too rarely or too often in a period, so that they can be tagged or dropped.
 */
import { compileTemplate } from '@shoal/agent-event';
import type { PluginDefinition } from '@shoal/agent-plugin-kit';

export const throttleFilter: PluginDefinition = {
  kind: 'filter',
  name: 'throttle',
  version: '4.0.4',
  needsOneWorker: true,
  options: {
    key: { type: 'template', isRequired: true },
    before_count: { type: 'string', default: '-1' },
    after_count: { type: 'string', default: '-1' },
    period: { type: 'string', default: '60' },
    max_age: { type: 'number', default: 3600 },
    max_counters: { type: 'number', default: 100000 },
  },
  create: (options, context) => {
    const key = options.template('key');
    const before = compileTemplate(options.string('before_count'), context);
    const after = compileTemplate(options.string('after_count'), context);
    const period = compileTemplate(options.string('period'), context);
    const maxAgeMs = options.number('max_age') * 1000;
    const countersMax = options.number('max_counters');
    const counters = new Map<string, Counter>();
    return {
      filter: (event) => {
        const now = event.timestamp?.epochMs ?? context.runtime.clock.wallMs();
        const name = key.render(event);
        const periodMs = (Number(period.render(event)) || 60) * 1000;
        let counter = counters.get(name);
        if (counter === undefined || now >= counter.startMs + periodMs) {
          counters.delete(name);
          if (countersMax >= 0 && counters.size >= countersMax) forgetOldest(counters);
          counter = { startMs: now, count: 0 };
          counters.set(name, counter);
        }
        counter.count++;
        const least = Number(before.render(event));
        const most = Number(after.render(event));
        const isTooRare = least !== -1 && counter.count < least;
        const isTooOften = most !== -1 && counter.count > most;
        return isTooRare || isTooOften ? 'matched' : 'unmatched';
      },
      flush: () => {
        let newest = 0;
        for (const counter of counters.values()) newest = Math.max(newest, counter.startMs);
        for (const [name, counter] of counters) if (newest - counter.startMs > maxAgeMs) counters.delete(name);
        return [];
      },
    };
  },
};

interface Counter {
  readonly startMs: number;
  count: number;
}

/** Maps keep the order in which names came. */
function forgetOldest(counters: Map<string, Counter>): void {
  const [oldest] = counters.keys();
  if (oldest !== undefined) counters.delete(oldest);
}
