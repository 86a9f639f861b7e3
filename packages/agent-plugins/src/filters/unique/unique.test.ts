import { expect, test } from 'vitest';
import { eventOf, makeFilter } from '../../../../agent-config/src/options/plugin-fixture.test-support.ts';
import { runFilter } from '../filter-outcome.test-support.ts';
import { uniqueFilter } from './unique.ts';

const run = async (list: unknown) => (await runFilter(uniqueFilter, { fields: ['list'] }, { list })).event.list;

test.each([
  ['x x', 'x x'],
  [
    [3, 4, 3, 4],
    [3, 4],
  ],
  [
    ['b', 'a', 'b', 'B'],
    ['b', 'a', 'B'],
  ],
  [
    ['1', 1, null, null, true],
    ['1', 1, null, true],
  ],
  [
    [{ a: 1, b: [2] }, { b: [2], a: 1 }, { a: 1 }],
    [{ a: 1, b: [2] }, { a: 1 }],
  ],
  [
    [[1], [1], [1, 1]],
    [[1], [1, 1]],
  ],
  [[], []],
])('%j becomes %j', async (list, expected) => {
  expect(await run(list)).toEqual(expected);
});

test('other fields, absent ones too, stay', async () => {
  const outcome = await runFilter(uniqueFilter, { fields: ['[a][b]', 'none'] }, { a: { b: [1, 1] }, c: [1, 1] });
  expect(outcome.event).toEqual({ a: { b: [1] }, c: [1, 1] });
});

test('the options of a success do nothing', async () => {
  const event = eventOf({ list: [1, 1] });
  await makeFilter(uniqueFilter, { fields: ['list'], add_tag: ['t'] }).run(event);
  expect(event.fields.has('tags')).toBe(false);
});
