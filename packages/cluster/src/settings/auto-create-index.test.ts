import { describe, expect, test } from 'vitest';
import { checkAutoCreateIndex, refusedAutoCreation } from './auto-create-index.ts';

describe('a write to an index that is not there', () => {
  test.each([
    ['true', 'a', null],
    ['', 'a', null],
    ['logs-*', 'logs-1', null],
    ['-logs-9,+logs-*', 'logs-1', null],
    ['false', 'a', 'no such index [a] and [action.auto_create_index] is [false]'],
    [
      '-logs-9, +logs-*',
      'logs-9',
      'no such index [logs-9] and [action.auto_create_index] contains [-logs-9] which forbids automatic creation of the index',
    ],
    ['+a*,-b*', 'c', "no such index [c] and [action.auto_create_index] ([+a*,-b*]) doesn't match"],
  ])('with [%s] creates %s, or says why not', (value, index, reason) => {
    const refused = refusedAutoCreation(value, index, null);
    expect([refused?.status ?? null, refused?.reason ?? null]).toEqual([reason === null ? null : 404, reason]);
  });
});

test.each([
  ['a,,b', 'must be either [true, false, or a comma separated list of index patterns]'],
  ['+', 'must contain an index name after [+]'],
])('[%s] is refused as a value', (value, text) => {
  expect(() => checkAutoCreateIndex(value)).toThrow(text);
});
