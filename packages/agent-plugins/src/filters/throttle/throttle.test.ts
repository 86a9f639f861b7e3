import { expect, test } from 'vitest';
import { eventOf, makeFilter } from '../../../../agent-config/src/options/plugin-fixture.test-support.ts';
import { throttleFilter } from './throttle.ts';

test('throttle matches below and above its counts in a period', async () => {
  const filter = makeFilter(throttleFilter, { key: '%{h}', before_count: 2, after_count: 3, period: 10 });
  const outcomes: string[] = [];
  for (const second of [0, 1, 2, 3, 11]) {
    outcomes.push((await filter.run(eventOf({ h: 'a', '@timestamp': `2026-01-02T03:04:${10 + second}Z` }))).outcome);
  }
  expect(outcomes).toEqual(['matched', 'unmatched', 'unmatched', 'matched', 'matched']);
});

test('throttle counts late events in the slot of their own time, until max_age', async () => {
  const filter = makeFilter(throttleFilter, { key: '%{h}', after_count: 1, period: 10, max_age: 25 });
  const outcomes: string[] = [];
  for (const second of [0, 10, 1, 11, 5, 20, 30, 2]) {
    const time = new Date(Date.UTC(2026, 0, 2, 3, 4, second)).toISOString();
    outcomes.push((await filter.run(eventOf({ h: 'a', '@timestamp': time }))).outcome);
  }
  expect(outcomes.map((outcome) => outcome === 'matched')).toEqual([
    false,
    false,
    true,
    true,
    true,
    false,
    false,
    // The slot of the first ten seconds is forgotten by now.
    false,
  ]);
});
