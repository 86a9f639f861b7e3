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
  test('a long list is in none of the events that are made of it', async () => {
    const l = Array.from({ length: 100_000 }, (_, n) => n);
    const { events, event } = await runFilter(splitFilter, { field: '[a][l]' }, { a: { l, b: 'c' } });
    expect(events.length).toBe(l.length);
    expect(events[7]).toEqual({ a: { l: 7, b: 'c' } });
    expect(event).toEqual({ a: { l, b: 'c' } });
    const tags = await runFilter(splitFilter, { field: 'tags' }, { tags: ['a', 'b'] });
    expect(tags.events).toEqual([{ tags: 'a' }, { tags: 'b' }]);
  });
  test('one part stays one event; another kind is tagged', async () => {
    expect((await runFilter(splitFilter, {}, { message: 'a' })).events).toEqual([{ message: 'a' }]);
    expect((await runFilter(splitFilter, {}, { message: 5 })).event).toEqual({
      message: 5,
      tags: ['_split_type_failure'],
    });
  });
});
