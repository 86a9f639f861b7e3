import { expect, test } from 'vitest';
import { runFilter } from '../filter-outcome.test-support.ts';
import { urldecodeFilter } from './urldecode.ts';

test('urldecode leaves plus signs alone and tags what is no text', async () => {
  expect((await runFilter(urldecodeFilter, {}, { message: 'a%20b+%C3%A9%' })).event).toEqual({ message: 'a b+é%' });
  expect((await runFilter(urldecodeFilter, { all_fields: true }, { a: '%41', b: ['%42'] })).event).toEqual({
    a: 'A',
    b: ['B'],
  });
  expect((await runFilter(urldecodeFilter, {}, { message: '%FF' })).event.tags).toEqual(['_urldecodefailure']);
});
