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

test('prune makes names and expressions of the event as it came', async () => {
  const prune = async (options: Record<string, unknown>) =>
    (await runFilter(pruneFilter, { interpolate: true, ...options }, { a: 'b', b: 'xb', c: 'xb', d: ['xb', 'y'] }))
      .event;
  expect(await prune({ whitelist_names: ['^[bcd]$'], blacklist_values: { c: 'x%{a}' } })).toEqual({
    b: 'xb',
    d: ['xb', 'y'],
  });
  expect(await prune({ blacklist_values: { '%{a}': '%{a}$', d: '%{a}' } })).toEqual({ a: 'b', c: 'xb', d: ['y'] });
  expect(await prune({ blacklist_names: ['^%{a}$'] })).toEqual({ a: 'b', c: 'xb', d: ['xb', 'y'] });
});
