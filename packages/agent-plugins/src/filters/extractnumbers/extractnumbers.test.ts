import { expect, test } from 'vitest';
import { eventOf, makeFilter } from '../../../../agent-config/src/options/plugin-fixture.test-support.ts';
import { runFilter } from '../filter-outcome.test-support.ts';
import { extractnumbersFilter } from './extractnumbers.ts';

const run = async (message: unknown) => (await runFilter(extractnumbersFilter, {}, { message })).event;

test.each([
  ['got 12 of -7 in 1.5 s', { int1: 12, int2: -7, float1: 1.5 }],
  ['0x1f 1_000 1e3', { int1: 31, int2: 1000, float1: 1000 }],
  ['2.0', { float1: 2 }],
  ['v1 2, .5 1. 3x', {}],
  [['7 8', '9'], { int1: 7, int2: 8 }],
  [5, {}],
])('the numbers of %j are %j', async (message, expected) => {
  expect(await run(message)).toEqual({ message, ...expected });
});

test('an integer of any size keeps its digits', async () => {
  const event = eventOf({ message: '12345678901234567' });
  await makeFilter(extractnumbersFilter, {}).run(event);
  expect(event.fields.get('int1')).toBe(12345678901234567n);
});

test('a text without a number is not matched', async () => {
  expect((await runFilter(extractnumbersFilter, { add_tag: ['t'] }, { message: 'none' })).event).toEqual({
    message: 'none',
  });
});
