import { describe, expect, test } from 'vitest';
import { CrashDisk } from './crash-disk.test-support.ts';
import { createTestRuntime, index, openTestShard, shown, sourceOf, writeOne } from './shard-fixture.test-support.ts';

const FULL = 'translog_exception: failed to write to the translog: no space left on device';

describe('a shard whose disk is full', () => {
  test('refuses writes with a clear error, and takes them again when there is room', async () => {
    const disk = new CrashDisk();
    const shard = await openTestShard(createTestRuntime(disk));
    disk.capacityBytes = disk.usedBytes;
    expect(shown(await writeOne(shard, index('1', { tag: 'a' })))).toBe(FULL);
    expect(shown(await writeOne(shard, index('1', { tag: 'b' })))).toBe(FULL);
    disk.capacityBytes = Number.POSITIVE_INFINITY;
    expect(shown(await writeOne(shard, index('2', { tag: 'c' })))).toBe('created');
    await shard.close();
  });

  test('can be closed', async () => {
    const disk = new CrashDisk();
    const shard = await openTestShard(createTestRuntime(disk));
    expect(shown(await writeOne(shard, index('1', { tag: 'a' })))).toBe('created');
    disk.capacityBytes = disk.usedBytes;
    expect(shown(await writeOne(shard, index('2', { tag: 'b' })))).toBe(FULL);
    await shard.close();
    disk.capacityBytes = Number.POSITIVE_INFINITY;
    const again = await openTestShard(createTestRuntime(disk), { bootstrap: 'existing' });
    expect(sourceOf(again, '1')).toBe('{"tag":"a"}');
    await again.close();
  });

  test('answers a long batch during which another write found it full', async () => {
    const disk = new CrashDisk();
    const runtime = createTestRuntime(disk);
    const shard = await openTestShard({
      ...runtime,
      // Each look at the clock ends the slice, so that the batch lets others run.
      clock: { ...runtime.clock, monotonicMs: stepping(1_000) },
    });
    disk.capacityBytes = disk.usedBytes;
    const short = shard.write([index('short', { tag: 'x' })]);
    const long = shard.write(Array.from({ length: 640 }, (_, n) => index(`${n}`, { tag: 'y' })));
    expect(shown((await short).results.at(0))).toBe(FULL);
    expect((await long).results.map(shown)).toEqual(Array.from({ length: 640 }, () => FULL));
    await shard.close();
  });
});

describe('a shard that starts again', () => {
  test('keeps a document whose field was mapped only after it was written, in another type', async () => {
    const disk = new CrashDisk();
    const mapping = { dynamic: 'false', properties: { title: { type: 'keyword' } } };
    const first = await openTestShard(createTestRuntime(disk), { mapping });
    expect(shown(await writeOne(first, index('1', { title: 't', n: 'not a number' })))).toBe('created');
    const next = disk.crash(() => 0);
    const later = { ...mapping, properties: { ...mapping.properties, n: { type: 'long' } } };
    const second = await openTestShard(createTestRuntime(next), { mapping: later, bootstrap: 'existing' });
    expect(sourceOf(second, '1')).toBe('{"title":"t","n":"not a number"}');
    expect(sourceOf(second, '1', false)).toBe('{"title":"t","n":"not a number"}');
    await second.close();
  });
});

function stepping(stepMs: number): () => number {
  let nowMs = 0;
  return () => (nowMs += stepMs);
}
