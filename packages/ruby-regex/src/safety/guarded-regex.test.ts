import { expect, test } from 'vitest';
import { GuardedRegex } from './guarded-regex.ts';

test('a guarded expression tests and replaces, always from the start of the text', () => {
  const regex = new GuardedRegex('b+', 'g');
  expect([regex.test('abb'), regex.test('abb'), regex.test('x')]).toEqual([true, true, false]);
  expect(regex.replace('abbab', (match) => `<${match}>`)).toBe('a<bb>a<b>');
  const long = 'ab '.repeat(20);
  expect(new GuardedRegex('(?:\\w+\\s?)*\\z').test(long)).toBe(true);
});

test('one that runs away is ended, with an error', () => {
  const regex = new GuardedRegex('\\A(?:\\w+\\s?)*\\z');
  expect(() => regex.test(`${'a'.repeat(60)}!`)).toThrow(/ran longer than/);
  expect(regex.blowUps).toHaveLength(1);
}, 20_000);
