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
