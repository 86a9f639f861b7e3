import { createMemoryDisk } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import type { Shard } from '../contract/shard.ts';
import { createTestRuntime, index, openTestShard, remove, sourceOf, writeOne } from './shard-fixture.test-support.ts';

/** A shard with one segment for each of its documents. */
async function shardOf(count: number): Promise<{ readonly shard: Shard; readonly reopen: () => Promise<Shard> }> {
  const runtime = createTestRuntime(createMemoryDisk());
  const shard = await openTestShard(runtime);
  for (let i = 0; i < count; i++) {
    await writeOne(shard, index(String(i), { n: i }));
    await shard.refresh();
  }
  return {
    shard,
    reopen: async () => {
      await shard.close();
      return openTestShard(runtime, { bootstrap: 'existing', allocationId: 'alloc-1' });
    },
  };
}

describe('a forced merge of a shard', () => {
  test('leaves as many segments as asked for, with every document, on disk', async () => {
    const { shard, reopen } = await shardOf(5);
    await writeOne(shard, index('late', { n: 9 }));
    await shard.forceMerge({ segmentsMax: 2, onlyExpungeDeletes: false }, true);
    expect(shard.segments(false)).toHaveLength(2);
    await shard.forceMerge({ segmentsMax: 1, onlyExpungeDeletes: false }, true);
    expect(shard.segments(false)).toMatchObject([
      { liveCount: 6, deletedCount: 0, isCommitted: true, isSearchable: true },
    ]);
    const again = await reopen();
    expect(again.segments(false)).toHaveLength(1);
    expect(again.recovery).toMatchObject({ fileCount: 2, translogOperations: 0 });
    expect(sourceOf(again, 'late')).toBe('{"n":9}');
  });

  test('commits nothing without a flush', async () => {
    const { shard } = await shardOf(3);
    await shard.forceMerge({ segmentsMax: 1, onlyExpungeDeletes: false }, false);
    expect(shard.segments(false)).toMatchObject([{ liveCount: 3, isCommitted: false }]);
  });

  test('that only expunges deletes rewrites the segments that have many, and joins none', async () => {
    const { shard } = await shardOf(1);
    for (let i = 0; i < 4; i++) await writeOne(shard, index(`b${i}`, { n: i }));
    await shard.refresh();
    await writeOne(shard, remove('b2'));
    const deleted = () => shard.segments(false).map(({ deletedCount }) => deletedCount);
    shard.updateSettings({ 'index.merge.policy.expunge_deletes_allowed': '25' });
    await shard.forceMerge({ segmentsMax: null, onlyExpungeDeletes: true }, true);
    expect(deleted()).toEqual([0, 1]);
    shard.updateSettings({});
    await shard.forceMerge({ segmentsMax: null, onlyExpungeDeletes: true }, true);
    expect(shard.segments(false).map(({ liveCount, deletedCount }) => [liveCount, deletedCount])).toEqual([
      [1, 0],
      [3, 0],
    ]);
  });

  test('that names no number leaves few segments to the merge policy', async () => {
    const { shard } = await shardOf(3);
    await shard.forceMerge({ segmentsMax: null, onlyExpungeDeletes: false }, true);
    expect(shard.segments(false)).toHaveLength(3);
  });

  test('waits for the merges that run, and is not lost among others', async () => {
    const { shard } = await shardOf(9);
    const merge = { segmentsMax: 1, onlyExpungeDeletes: false };
    await Promise.all([shard.forceMerge(merge, true), shard.forceMerge({ ...merge, segmentsMax: 3 }, true)]);
    expect(shard.segments(false)).toHaveLength(1);
  });
});
