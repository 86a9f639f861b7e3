import { describe, expect, test } from 'vitest';
import { runFilter } from '../filter-outcome.test-support.ts';
import { alterFilter } from './alter.ts';

type Fields = Record<string, unknown>;
const run = async (options: Fields, fields: Fields) => (await runFilter(alterFilter, options, fields)).event;

describe('condrewrite', () => {
  const condrewrite = ['a', 'old', 'new', 'a', '%{was}', '%{is}'];
  test.each([
    [{ a: 'old' }, { a: 'new' }],
    [{ a: 'other' }, { a: 'other' }],
    [
      { a: 'x', was: 'x', is: 'y' },
      { a: 'y', was: 'x', is: 'y' },
    ],
    [
      { a: 'x', was: 'x' },
      { a: '%{is}', was: 'x' },
    ],
    [{ a: ['old', 'other', 5] }, { a: ['new', 'other', 5] }],
    [{ a: '%{was}' }, { a: '%{is}' }],
    [{ b: 1 }, { b: 1 }],
  ])('of %j is %j', async (fields, expected) => {
    expect(await run({ condrewrite }, fields)).toEqual(expected);
  });
});

test.each([
  [{ a: 'x' }, { a: 'x', b: 'seen' }],
  [
    { a: ['w', 'x'], b: 'c' },
    { a: ['w', 'x'], b: 'seen' },
  ],
  [
    { a: 'y', b: 'c' },
    { a: 'y', b: 'c' },
  ],
])('condrewriteother of %j is %j', async (fields, expected) => {
  expect(await run({ condrewriteother: ['a', 'x', 'b', 'seen'] }, fields)).toEqual(expected);
});

test.each([
  [{ b: 'x' }, 'x'],
  [{ b: '50%' }, '50%'],
  [{}, 'last'],
])('coalesce takes the first value that no field is missing for: %j', async (fields, expected) => {
  expect((await run({ coalesce: ['to', '%{a}', 'nil', '%{b}', 'last'] }, fields)).to).toBe(expected);
});

test('coalesce leaves the field alone where a field is missing for all', async () => {
  expect(await run({ coalesce: ['to', '%{a}'] }, { to: 1 })).toEqual({ to: 1 });
});

test.each([
  [{ condrewrite: ['a', 'b'] }, '[condrewrite] takes 3 values for each change, and has 2'],
  [{ condrewriteother: ['a', 'b', 'c'] }, '[condrewriteother] takes 4 values'],
  [{ coalesce: ['a'] }, '[coalesce] takes a field and at least one value'],
])('%j is refused', async (options, reason) => {
  await expect(run(options, {})).rejects.toThrow(reason);
});
