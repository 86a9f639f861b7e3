import { expect, test } from 'vitest';
import { readCommit } from '../commit/commit-file.ts';
import type { OpenShardOptions } from '../contract/shard.ts';
import { CrashDisk } from './crash-disk.test-support.ts';
import { createTestRuntime, index, openTestShard, writeOne } from './shard-fixture.test-support.ts';

/** Disk of a primary that has three operations, of which it knows the first to be on all copies. */
async function diskOfPrimary(): Promise<CrashDisk> {
  const disk = new CrashDisk();
  const shard = await openTestShard(createTestRuntime(disk), { bootstrap: 'create' });
  shard.history.retain({ globalCheckpoint: 0, retainedFrom: 0 });
  for (const id of ['a', 'b', 'c']) await writeOne(shard, index(id, { n: 1 }));
  shard.history.keepGlobalCheckpoint(0);
  await shard.history.sync();
  await shard.close();
  return disk;
}

const opened = (disk: CrashDisk, more: Partial<OpenShardOptions>) =>
  openTestShard(createTestRuntime(disk), { bootstrap: 'existing', primaryTerm: 2, ...more });

test('a primary beside other copies in sync takes for agreed what its log says to be, until it hears more', async () => {
  const disk = await diskOfPrimary();
  const shard = await opened(disk, { othersInSync: true });
  expect(shard.history).toMatchObject({ globalCheckpoint: 0, persistedCheckpoint: 2 });
  await writeOne(shard, index('d', { n: 1 }));
  shard.history.keepLeases(new Map([['n2', { retaining: 1, awaySinceMs: null }]]));
  await shard.flush(true);
  expect((await readCommit(disk, 'data/indices/uuid-1/0/index'))?.globalCheckpoint).toBe(0);
  await shard.close();
  const again = await opened(disk, { isReplica: true });
  expect(again.history).toMatchObject({ globalCheckpoint: 0, persistedCheckpoint: 3 });
  await again.close();
});

test('a primary that is the only copy in sync takes for agreed what it has on disk', async () => {
  const shard = await opened(await diskOfPrimary(), {});
  expect(shard.history.globalCheckpoint).toBe(2);
  await shard.close();
});
