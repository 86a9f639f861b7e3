import { createMemoryDisk } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { shardRequest } from '../../phases/query/memory-searcher.test-support.ts';
import type { Shard } from '../contract/shard.ts';
import {
  createTestRuntime,
  index,
  openTestShard,
  remove,
  type TestRuntime,
  update,
  writeOne,
} from './shard-fixture.test-support.ts';

/** A clock that is a millisecond later at each look: whatever is timed took some. */
function ticking(): TestRuntime {
  const runtime = createTestRuntime(createMemoryDisk());
  let nowMs = 0;
  return { ...runtime, clock: { monotonicMs: () => nowMs++, wallMs: () => nowMs } };
}

const NEVER = { isStopped: false };

async function written(runtime: TestRuntime = ticking()): Promise<Shard> {
  const shard = await openTestShard(runtime);
  await shard.write([index('1', { n: 1 }), index('2', { n: 2 }), remove('2'), remove('3')]);
  return shard;
}

describe('statistics of a shard', () => {
  test('count writes by what became of them, and time deletes apart from the rest', async () => {
    const shard = await written();
    await writeOne(shard, update('1', { doc: { n: 1 } }));
    await writeOne(shard, update('1', { doc: { n: 5 } }));
    await writeOne(shard, index('1', '{"n":"x"}'));
    const { deleteTimeMs, indexTimeMs, ...stats } = shard.stats();
    expect(stats).toMatchObject({ indexTotal: 3, noopTotal: 1, deleteTotal: 2, indexFailed: 1, indexCurrent: 0 });
    expect(deleteTimeMs).toBeGreaterThan(0);
    expect(indexTimeMs).toBeGreaterThan(0);
    await shard.close();
  });

  test('tell gets that found something from those that did not', async () => {
    const shard = await written();
    for (const id of ['1', '1', '2', 'none']) shard.get({ id, realtime: true });
    expect(shard.stats()).toMatchObject({
      getTotal: 4,
      getTimeMs: 4,
      getExistsTotal: 2,
      getExistsTimeMs: 2,
      getMissingTotal: 2,
      getMissingTimeMs: 2,
    });
    await shard.close();
  });

  test('count what runs now, and scrolls when they end', async () => {
    const shard = await written();
    const running = shard.query(shardRequest({}, { isScroll: true, topN: 1, keepAliveMs: 1_000 }), NEVER);
    // Searches begin in the next turn.
    await Promise.resolve();
    const during = shard.stats();
    await running;
    expect([during.queryCurrent, shard.stats().queryCurrent]).toEqual([1, 0]);
    expect(shard.stats()).toMatchObject({ scrollCurrent: 1, scrollTotal: 0, openContexts: 1 });
    shard.freeContexts('scroll');
    expect(shard.stats()).toMatchObject({ scrollCurrent: 0, scrollTotal: 1, openContexts: 0 });
    expect(shard.stats().scrollTimeMs).toBeGreaterThan(0);
    await shard.close();
  });

  test('count requests that wait for a refresh, and time flushes', async () => {
    const shard = await written();
    const shownAtLast = shard.waitForRefresh();
    expect(shard.stats().refreshListeners).toBe(1);
    await shard.refresh();
    await shownAtLast;
    await shard.flush(false);
    expect(shard.stats()).toMatchObject({ refreshListeners: 0, flushTotal: 1, flushPeriodic: 0 });
    expect(shard.stats().flushTimeMs).toBeGreaterThan(0);
    await shard.close();
  });

  test('count flushes that the size of the translog asked for', async () => {
    const settings = { 'index.translog.flush_threshold_size': '55b' };
    const runtime = createTestRuntime(createMemoryDisk());
    const shard = await openTestShard(runtime, { settings });
    for (let i = 0; i < 3; i++) await shard.write([index(`${i}`, { n: i })]);
    await runtime.advance(0);
    expect(shard.stats()).toMatchObject({ flushTotal: 1, flushPeriodic: 1 });
    await shard.close();
  });

  test('count what merges read', async () => {
    const runtime = createTestRuntime(createMemoryDisk());
    const shard = await openTestShard(runtime);
    for (let i = 0; i < 12; i++) {
      await shard.write([index(`${i}`, { n: i })]);
      await shard.refresh();
    }
    await runtime.advance(1_000);
    const { mergeTotal, mergeDocs, mergeBytes, mergeCurrent, mergeCurrentDocs } = shard.stats();
    expect({ mergeTotal, mergeDocs, mergeCurrent, mergeCurrentDocs }).toEqual({
      mergeTotal: 1,
      mergeDocs: 10,
      mergeCurrent: 0,
      mergeCurrentDocs: 0,
    });
    expect(mergeBytes).toBeGreaterThan(0);
    await shard.close();
  });
});
