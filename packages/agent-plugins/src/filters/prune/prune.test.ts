import { expect, test } from 'vitest';
import { runFilter } from '../filter-outcome.test-support.ts';
import { pruneFilter } from './prune.ts';

test('prune by names and values', async () => {
  const prune = async (options: Record<string, unknown>) =>
    (await runFilter(pruneFilter, options, { ab: 'x', abc: ['x', 'y'], d: 5, '%{e}': 1 })).event;
  expect(await prune({})).toEqual({ ab: 'x', abc: ['x', 'y'], d: 5 });
  expect(await prune({ whitelist_names: ['^ab$'] })).toEqual({ ab: 'x' });
  expect(await prune({ blacklist_names: ['ab'] })).toEqual({ d: 5, '%{e}': 1 });
  expect(await prune({ whitelist_values: { abc: ['x'] }, blacklist_values: { d: ['5'] } })).toEqual({
    ab: 'x',
    abc: ['x'],
  });
});
