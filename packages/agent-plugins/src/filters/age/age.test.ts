import { createEvent, type EventValue, Timestamp } from '@shoal/agent-event';
import { expect, test } from 'vitest';
import { makeFilter } from '../../../../agent-config/src/options/plugin-fixture.test-support.ts';
import { withClock } from '../filter-outcome.test-support.ts';
import { ageFilter } from './age.ts';

const { runtime } = withClock();

async function run(options: Record<string, string>, time: EventValue) {
  const event = createEvent(new Map([['@timestamp', time]]));
  const { outcome } = await makeFilter(ageFilter, options, { runtime }).run(event);
  return { outcome, event };
}

test('age is the time between the event and now, a float in the metadata', async () => {
  const { event } = await run({}, new Timestamp(runtime.clock.wallMs() - 2500));
  expect(event.metadata.get('age')).toBe(2.5);
});

test('its target may be any field, and whole seconds stay a float', async () => {
  const { event } = await run({ target: '[event][age]' }, new Timestamp(runtime.clock.wallMs() - 2000));
  expect(String(event.get({ text: '[event][age]', path: ['event', 'age'], isMetadata: false }))).toBe('2.0');
});

test('an event without a time has no age', async () => {
  expect((await run({}, 'noon')).outcome).toBe('unmatched');
});
