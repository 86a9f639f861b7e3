import { expect, test } from 'vitest';
import { NameCounts } from './name-counts.ts';

test('names are counted apart, in the order of their first count', () => {
  const counts = new NameCounts();
  counts.add('b');
  counts.add('a', 3);
  counts.add('b');
  expect([...counts.read()]).toEqual([
    ['b', 2],
    ['a', 3],
  ]);
});

test('what was taken is not counted again', () => {
  const counts = new NameCounts();
  expect(counts.take()).toBeNull();
  counts.add('a');
  expect(counts.take()).toEqual(new Map([['a', 1]]));
  expect(counts.take()).toBeNull();
  counts.add('a', 2);
  expect(counts.take()).toEqual(new Map([['a', 2]]));
});

test.each([0, -1, 0.5])('a count of %d is none', (count) => {
  expect(() => new NameCounts().add('a', count)).toThrow('is counted');
});
