import { expect, test } from 'vitest';
import { runFilter } from '../filter-outcome.test-support.ts';
import { truncateFilter } from './truncate.ts';

test('truncate never cuts a character', async () => {
  expect((await runFilter(truncateFilter, { length_bytes: 4 }, { a: 'aéé', b: ['abcdef'] })).event).toEqual({
    a: 'aé',
    b: ['abcd'],
  });
  expect((await runFilter(truncateFilter, { length_bytes: 1, fields: ['a'] }, { a: 'xy', b: 'xy' })).event).toEqual({
    a: 'x',
    b: 'xy',
  });
});

test('only an event that was cut counts as matched; what is in lists is cut only when it is a text', async () => {
  const run = (fields: Record<string, unknown>) =>
    runFilter(truncateFilter, { length_bytes: 2, add_tag: ['cut'] }, fields);
  expect((await run({ a: 'xy' })).event).toEqual({ a: 'xy' });
  const nested = { a: { b: { c: 'xyz', d: 1 } }, l: ['xyz', ['xyz'], { m: 'xyz' }] };
  expect((await run(nested)).event).toEqual({
    a: { b: { c: 'xy', d: 1 } },
    l: ['xy', ['xyz'], { m: 'xyz' }],
    tags: ['cut'],
  });
});
