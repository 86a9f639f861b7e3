import { describe, expect, test } from 'vitest';
import { runFilter } from '../filter-outcome.test-support.ts';
import { bytesFilter } from './bytes.ts';

const read = async (message: unknown, options = {}) =>
  (await runFilter(bytesFilter, { target: 'size', ...options }, { message })).event;

describe('bytes reads', () => {
  test.each([
    ['0', 0],
    ['12.3', 12.3],
    ['32.8B', 32.8],
    ['32kB', 32 * 1024],
    [' 2 m ', 2 * 1024 ** 2],
    ['1\tGB', 1024 ** 3],
    ['1tb', 1024 ** 4],
    ['1P', 1024 ** 5],
    ['3 215 mb', 3215 * 1024 ** 2],
    ['1.5.7k', 1536],
    [7, 7],
  ])('%j', async (message, size) => {
    expect((await read(message)).size).toBe(size);
  });

  test('other notations', async () => {
    expect((await read('32 mb', { prefix_system: 'metric' })).size).toBe(32_000_000);
    expect((await read('3,215 mb', { digit_group_separator: ',' })).size).toBe(3215 * 1024 ** 2);
    expect((await read('3 215,6 mb', { decimal_separator: ',' })).size).toBe(3215.6 * 1024 ** 2);
  });
});

test.each(['', 'abcdef', 'mb', '12 x', '1e', null, `${' '.repeat(100_000)}x`])('%j is no size', async (message) => {
  const { size, tags } = await read(message, { tag_on_failure: ['a', 'b'] });
  expect([size, tags]).toEqual([undefined, ['a', 'b']]);
});

test('both separators must not be the same', async () => {
  await expect(read('1', { digit_group_separator: '.' })).rejects.toThrow('cannot both be [.]');
});
