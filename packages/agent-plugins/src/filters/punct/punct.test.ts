import { expect, test } from 'vitest';
import { runFilter } from '../filter-outcome.test-support.ts';
import { punctFilter } from './punct.ts';

test('punct keeps what is no letter, digit or blank', async () => {
  const run = async (fields: object, options = {}) => (await runFilter(punctFilter, options, { ...fields })).event;
  expect(await run({ message: 'at 10:15, "x": <é>\t(ok)' })).toMatchObject({ punct: ':,"":<é>()' });
  expect(await run({ a: ['b-c', 'd'] }, { source: 'a', target: 't' })).toEqual({ a: ['b-c', 'd'], t: '-' });
  expect(await run({ message: 5 })).toEqual({ message: 5 });
});
