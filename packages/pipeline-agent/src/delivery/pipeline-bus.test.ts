import { createEvent } from '@shoal/agent-event';
import { expect, test } from 'vitest';
import { ProcessBus } from './pipeline-bus.ts';

const refusing = {
  push: async () => {
    throw new Error('takes no more');
  },
};

test('a listener that refuses is not asked again: the one after it gets the events, and others run meanwhile', async () => {
  const bus = new ProcessBus();
  const close = bus.listen('a', refusing);
  const sent = bus.send('a', [createEvent(new Map([['n', 1]]))], true);
  // A sender that asks again and again would never let this turn come.
  await new Promise((resolve) => setImmediate(resolve));
  close();
  const taken: number[] = [];
  bus.listen('a', { push: async (events) => void taken.push(events.length) });
  await sent;
  expect(taken).toEqual([1]);
});
