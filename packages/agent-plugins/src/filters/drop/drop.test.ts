import { expect, test } from 'vitest';
import { runFilter } from '../filter-outcome.test-support.ts';
import { dropFilter } from './drop.ts';

test('drop takes all events, or none at 0 percent', async () => {
  expect((await runFilter(dropFilter, {}, { a: 1 })).events).toEqual([]);
  expect((await runFilter(dropFilter, { percentage: 0 }, { a: 1 })).events).toEqual([{ a: 1 }]);
});
