import { createEvent, type LogEvent } from '@shoal/agent-event';
import type { Filter } from '@shoal/agent-plugin-kit';
import { expect, test } from 'vitest';
import { type FilterStep, runFilters, type StageListener } from './filter-stage.ts';

const listener: StageListener = {
  nowMs: () => 0,
  entering: () => undefined,
  counted: () => undefined,
  created: () => undefined,
  dropped: () => undefined,
  wantsOriginals: false,
  filterFailed: async () => undefined,
  failed: async () => undefined,
};

function step(filter: Filter): FilterStep {
  const plan = { id: 'f', decorate: null };
  return { kind: 'plugin', running: { plan, filter, index: 0 } } as unknown as FilterStep;
}

test('a filter sees the events of a batch together before it gets each of them', async () => {
  const calls: string[] = [];
  const name = (event: LogEvent): string => String(event.fields.get('n'));
  const seeing: Filter = {
    beforeBatch: (events) => void calls.push(`batch ${events.map(name).join()}`),
    filter(event) {
      calls.push(name(event));
      return 'matched';
    },
  };
  const plain: Filter = {
    filter(event) {
      event.fields.set('n', `${name(event)}'`);
      return 'matched';
    },
  };
  const events = [1, 2].map((n) => createEvent(new Map([['n', n]])));
  await runFilters([step(plain), step(seeing)], events, listener);
  expect(calls).toEqual(["batch 1',2'", "1'", "2'"]);
});

test('an event may become more than a call has arguments, in a branch too', async () => {
  const made = 200_000;
  const splitting: Filter = {
    filter(event, emit) {
      if (event.fields.get('n') === 1) for (let n = 0; n < made; n++) emit(createEvent(new Map([['n', -n]])));
      return 'matched';
    },
  };
  const condition = { test: (event: LogEvent) => event.fields.get('n') === 1 };
  const branch = { kind: 'branch', condition, whenTrue: [step(splitting)], whenFalse: [] } as unknown as FilterStep;
  const events = (): LogEvent[] => [1, 2].map((n) => createEvent(new Map([['n', n]])));
  for (const steps of [[step(splitting)], [branch]]) {
    const result = await runFilters(steps, events(), listener);
    expect(result.length).toBe(made + 2);
    expect([result[0], result[made + 1]].map((event) => event?.fields.get('n'))).toEqual([1, 2]);
  }
});
