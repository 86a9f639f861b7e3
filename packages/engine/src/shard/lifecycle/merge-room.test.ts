import { describe, expect, test } from 'vitest';
import type { Shard } from '../contract/shard.ts';
import { CrashDisk } from './crash-disk.test-support.ts';
import { createTestRuntime, index, openTestShard, sourceOf, writeOne } from './shard-fixture.test-support.ts';

const COUNT = 12;
const ONE = { segmentsMax: 1, onlyExpungeDeletes: false };
/** Documents that are some kilobytes each, and do not compress. */
const titleOf = (i: number): string =>
  Array.from({ length: 400 }, (_, k) => ((i * 7919 + k * 104_729) % 999_983).toString(36)).join(' ');

/** A shard of as many segments as documents, all of them in files. */
async function shardOn(disk: CrashDisk) {
  const runtime = createTestRuntime(disk);
  const shard = await openTestShard(runtime);
  for (let i = 0; i < COUNT; i++) {
    await writeOne(shard, index(`${i}`, { n: i, title: titleOf(i) }));
    await shard.refresh();
  }
  await shard.flush(true);
  return { runtime, shard };
}

async function expectAll(shard: Shard): Promise<void> {
  for (let i = 0; i < COUNT; i++)
    expect(JSON.parse(sourceOf(shard, `${i}`) ?? '{}')).toEqual({ n: i, title: titleOf(i) });
}

const segmentFiles = async (disk: CrashDisk): Promise<readonly string[]> => {
  const [folder] = disk.paths().filter((path) => path.endsWith('/segments_1'));
  const files = await disk.list(folder?.slice(0, folder.lastIndexOf('/')) ?? '');
  return files.filter((name) => /\.(seg|docs|spill)$/.test(name));
};

describe('a merge on a full disk', () => {
  test('waits until there is room, and leaves the last of the disk to writes', async () => {
    const disk = new CrashDisk();
    const { runtime, shard } = await shardOn(disk);
    const before = await segmentFiles(disk);
    disk.capacityBytes = disk.usedBytes + 20_000;
    await runtime.advance(5_000);
    expect(shard.stats()).toMatchObject({ mergeTotal: 0, mergeCurrent: 0 });
    expect(await segmentFiles(disk)).toEqual(before);
    expect((await writeOne(shard, index('0', { n: 0, title: titleOf(0) }))).kind).toBe('done');
    disk.capacityBytes = Number.POSITIVE_INFINITY;
    await runtime.advance(2_000);
    expect(shard.stats().mergeTotal).toBe(1);
    await expectAll(shard);
    await shard.close();
  });

  test('that runs out of room on the way gives back what it took, and is done later', async () => {
    const disk = new CrashDisk();
    const { runtime, shard } = await shardOn(disk);
    const before = await segmentFiles(disk);
    let failures = 0;
    disk.writeFailure = (path) => {
      if (!path.endsWith('.seg')) return null;
      failures++;
      return 'full';
    };
    await runtime.advance(5_000);
    expect(failures).toBe(1);
    expect(await segmentFiles(disk)).toEqual(before);
    disk.writeFailure = () => null;
    await runtime.advance(31_000);
    expect(shard.stats().mergeTotal).toBe(1);
    await expectAll(shard);
    await shard.close();
  });

  test('that a user asked for waits too, and ends with the shard', async () => {
    const disk = new CrashDisk();
    const { runtime, shard } = await shardOn(disk);
    disk.capacityBytes = disk.usedBytes + 20_000;
    let isDone = false;
    const forced = shard.forceMerge(ONE, false).then(() => {
      isDone = true;
    });
    await runtime.advance(5_000);
    expect(isDone).toBe(false);
    disk.capacityBytes = Number.POSITIVE_INFINITY;
    await runtime.advance(5_000);
    await forced;
    expect(shard.segments(false)).toHaveLength(1);
    await expectAll(shard);
    await writeOne(shard, index('0', { n: 0, title: titleOf(0) }));
    disk.capacityBytes = disk.usedBytes + 2_000;
    const waiting = shard.forceMerge(ONE, false);
    await runtime.advance(1_000);
    await shard.close();
    await waiting;
  });
});

describe('a process that dies while it merges', () => {
  test('leaves nothing of the merge behind for the next start', async () => {
    for (let operations = 1; operations < 60; operations += 4) {
      const disk = new CrashDisk();
      const { shard } = await shardOn(disk);
      const before = await segmentFiles(disk);
      disk.operationsLeft = operations;
      await Promise.race([shard.forceMerge(ONE, false), disk.died]);
      const next = disk.crash(() => 0.5);
      const again = await openTestShard(createTestRuntime(next), { bootstrap: 'existing' });
      expect(await segmentFiles(next), `${operations} operations`).toEqual(before);
      await expectAll(again);
      await again.close();
    }
  });
});
