import { expect, test } from 'vitest';
import { runFilter } from '../filter-outcome.test-support.ts';
import { urldecodeFilter } from './urldecode.ts';

test('urldecode leaves plus signs alone', async () => {
  expect((await runFilter(urldecodeFilter, {}, { message: 'a%20b+%C3%A9%' })).event).toEqual({ message: 'a b+é%' });
  expect((await runFilter(urldecodeFilter, { all_fields: true }, { a: '%41', b: ['%42'] })).event).toEqual({
    a: 'A',
    b: ['B'],
  });
});

test('bytes that are no text are shown as bytes', async () => {
  const decode = async (message: string) => (await runFilter(urldecodeFilter, {}, { message })).event.message;
  expect(await decode('a%E9%22b%0A%C3%A9')).toBe('a\\xE9\\"b\\né');
  expect(await decode('%C3%28%F0%9F')).toBe('\\xC3(\\xF0\\x9F');
  expect((await runFilter(urldecodeFilter, { charset: 'windows-1252' }, { message: '%E9' })).event.message).toBe('é');
});
