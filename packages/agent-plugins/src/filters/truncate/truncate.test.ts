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
