import { describe, expect, test } from 'vitest';
import { runFilter } from '../filter-outcome.test-support.ts';
import { splitFilter } from './split.ts';

describe('the split filter', () => {
  test('makes an event of each part; the original goes', async () => {
    const { events } = await runFilter(splitFilter, { add_tag: ['part'] }, { message: 'a\n\nb', x: 1 });
    expect(events).toEqual([
      { message: 'a', x: 1, tags: ['part'] },
      { message: 'b', x: 1, tags: ['part'] },
    ]);
    const items = await runFilter(splitFilter, { field: 'l', target: 'i' }, { l: [{ a: 1 }, 2] });
    expect(items.events).toEqual([
      { l: [{ a: 1 }, 2], i: { a: 1 } },
      { l: [{ a: 1 }, 2], i: 2 },
    ]);
  });
  test.each([
    ['a\n', '\n', ['a']],
    ['\n\n', '\n', []],
    ['', '\n', []],
    ['a--b--', '--', ['a', 'b']],
    [' a  b ', ' ', ['a', 'b']],
    ['ab', '', ['a', 'b']],
  ])('%j at %j: %j', async (message, terminator, parts) => {
    const { events } = await runFilter(splitFilter, { terminator }, { message });
    expect(events.map((event) => event.message)).toEqual(parts);
  });
  test('one part stays one event; another kind is tagged', async () => {
    expect((await runFilter(splitFilter, {}, { message: 'a' })).events).toEqual([{ message: 'a' }]);
    expect((await runFilter(splitFilter, {}, { message: 5 })).event).toEqual({
      message: 5,
      tags: ['_split_type_failure'],
    });
  });
});
