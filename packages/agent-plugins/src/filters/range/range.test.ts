import { describe, expect, test } from 'vitest';
import { runFilter } from '../filter-outcome.test-support.ts';
import { rangeFilter } from './range.ts';

type Fields = Record<string, unknown>;
const run = async (ranges: readonly unknown[], fields: Fields, options: Fields = {}) =>
  (await runFilter(rangeFilter, { ranges, ...options }, fields)).events;

describe('a range', () => {
  const ranges = ['n', 1, 10, 'tag:few', 'n', 10, 20.5, 'tag:many', 's', 0, 3, 'tag:short'];
  test.each([
    [{ n: 1 }, ['few']],
    [{ n: 10 }, ['few', 'many']],
    [{ n: 20.5 }, ['many']],
    [{ n: 21 }, undefined],
    [{ s: 'åß🙂' }, ['short']],
    [{ s: 'long' }, undefined],
    [{ n: [1] }, undefined],
    [{ other: 1 }, undefined],
  ])('of %j tags %j', async (fields, tags) => {
    expect(await run(ranges, fields)).toEqual([tags === undefined ? fields : { ...fields, tags }]);
  });

  test('that is negated acts on what lies outside, but not on a field that is missing', async () => {
    expect(await run(['n', 1, 2, 'tag:out'], { n: 3 }, { negate: true })).toEqual([{ n: 3, tags: ['out'] }]);
    expect(await run(['n', 1, 2, 'tag:out'], { n: 2 }, { negate: true })).toEqual([{ n: 2 }]);
    expect(await run(['n', 1, 2, 'tag:out'], {}, { negate: true })).toEqual([{}]);
  });

  test('drops an event, before the ranges behind it', async () => {
    expect(await run(['n', 1, 2, 'drop', 'n', 1, 2, 'tag:t'], { n: 1 })).toEqual([]);
  });

  test.each([
    ['field:speed:fast', {}, 'fast'],
    ['field:speed:7', {}, 7],
    ['field:speed:0.5', {}, 0.5],
    ['field:speed:007', {}, '007'],
    ['field:speed:%{host}', { host: 'h' }, 'h'],
    ['field:speed:7', { speed: 1 }, [1, '7']],
    ['field:speed:b', { speed: ['a'] }, ['a', 'b']],
  ])('%s beside %j gives %j', async (action, fields, speed) => {
    const [event] = await run(['n', 1, 2, action], { n: 1, ...fields });
    expect(event?.speed).toEqual(speed);
  });

  test('takes the names of tags and fields from the event', async () => {
    const ranges = ['n', 1, 2, 'tag:of_%{host}', 'n', 1, 2, 'field:%{host}:x'];
    expect(await run(ranges, { n: 1, host: 'h' })).toEqual([{ n: 1, host: 'h', tags: ['of_h'], h: 'x' }]);
  });
});

test.each([
  [['n', 1, 2], 'takes a field, two numbers and an action for each range, and has 3 values'],
  [['n', '1', 2, 'drop'], 'the bounds of [n] are numbers'],
  [[1, 1, 2, 'drop'], 'the name of a field is a text'],
  [['n', 1, 2, 3], 'the action of [n] is a text'],
  [['n', 1, 2, 'drop:x'], '[drop:x] is none of the actions'],
  [['n', 1, 2, 'tag:a:b'], '[tag:a:b] is none of the actions'],
  [['n', 1, 2, 'field:a'], '[field:a] is none of the actions'],
  [['n', 1, 2, 'copy'], '[copy] is none of the actions'],
])('%j is refused', async (ranges, reason) => {
  await expect(run(ranges, {})).rejects.toThrow(reason);
});
