import { expect, test } from 'vitest';
import { TIMED_OUT, watchedCall } from './watched-call.ts';

test('a call beyond its time is ended, and the next one runs', () => {
  const call = watchedCall(50);
  const matches = (text: string) => call(() => /^(?:\w+\s?)*$/.test(text));
  expect(matches(`${'a'.repeat(50)}!`)).toBe(TIMED_OUT);
  expect(call(() => 'aaa', 60_000)).toBe('aaa');
});

test('an error of the call is passed on', () => {
  const fail = (): never => {
    throw new Error('broken');
  };
  expect(() => watchedCall(60_000)(fail)).toThrow('broken');
});
