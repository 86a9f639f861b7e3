import { expect, test } from 'vitest';
import { createSegmentMemory } from '../../memory/thread-memory.ts';
import { DenseColumns } from './dense-columns.ts';

test('a frequent term gets a column when it is asked for again, and its segment takes it along', () => {
  const memory = createSegmentMemory({ bytesMax: 2 ** 30 }).kernels;
  if (memory === null) return;
  const before = memory.usedBytes;
  const columns = new DenseColumns();
  const filled: number[] = [];
  const ask = (ordinal: number, docFreq: number) =>
    columns.of(ordinal, { docFreq, docCount: 80_000, memory }, (address) => filled.push(address));
  expect([ask(1, 9_999), ask(1, 9_999), ask(1, 9_999)]).toEqual([0, 0, 0]);
  expect(ask(2, 10_000)).toBe(0);
  const column = ask(2, 10_000);
  expect(column).toBeGreaterThan(0);
  expect([ask(2, 10_000), filled]).toEqual([column, [column]]);
  columns.drop();
  expect(memory.usedBytes).toBe(before);
});
