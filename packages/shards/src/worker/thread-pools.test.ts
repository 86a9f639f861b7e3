import { expect, test } from 'vitest';
import { ThreadPools } from './thread-pools.ts';

test('the oldest call of a thread is active, the calls behind it wait in the queues of their own pools', () => {
  const pools = new ThreadPools();
  const stats = pools.stats([['query', 'write', 'query'], ['write'], []]);
  expect([stats.search.active, stats.search.queue]).toEqual([1, 1]);
  expect([stats.write.active, stats.write.queue]).toEqual([1, 1]);
  expect(stats.get).toEqual({ threads: 3, queue: 0, active: 0, rejected: 0, largest: 0, completed: 0 });
});

test('answers and refusals are counted for ever, and the most threads that ran at once', () => {
  const pools = new ThreadPools();
  pools.started(1);
  pools.started(2);
  for (const call of ['query', 'fetch', 'write'] as const) pools.completed(call);
  pools.rejected('search');
  const { search, write } = pools.stats([[]]);
  expect(search).toEqual({ threads: 1, queue: 0, active: 0, rejected: 1, largest: 2, completed: 2 });
  expect(write.completed).toBe(1);
});
