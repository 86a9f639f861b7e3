import { isShoalError } from '@shoal/core';
import { createMemoryDisk, type Disk, type File } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import type { Shard } from '../contract/shard.ts';
import {
  createTestRuntime,
  index,
  LIB_MAPPING,
  openTestShard,
  remove,
  shardOptions,
} from '../lifecycle/shard-fixture.test-support.ts';
import { isBlobName, readManifest } from './shard-manifest.ts';

const FOLDER = '/repo/indices/i1/0';
const NEVER = { isStopped: false };
const write = (shard: Shard, ids: readonly string[]): Promise<unknown> =>
  shard.write(ids.map((id) => index(id, { title: `title ${id}`, n: Number(id) })));
const take = (shard: Shard, snapshotUuid: string) =>
  shard.snapshot({ folder: FOLDER, snapshotUuid, bytesPerSecond: 0 }, NEVER);
const numbers = (from: number, count: number): string[] => Array.from({ length: count }, (_, i) => String(from + i));

function openRestored(disk: Disk, snapshotUuid: string): Promise<Shard> {
  const shard = { index: 'restored', indexUuid: 'uuid-2', number: 0 };
  const restore = { folder: FOLDER, snapshotUuid, bytesPerSecond: 0 };
  return openTestShard(createTestRuntime(disk), {
    shard,
    path: '/data2/0',
    bootstrap: 'existing',
    allocationId: 'a2',
    mapping: LIB_MAPPING,
    restore,
  });
}

const holds = (shard: Shard, id: string): boolean => shard.get({ id, realtime: true }) !== null;
const blobsOf = async (disk: Disk): Promise<string[]> => (await disk.list(FOLDER)).filter(isBlobName);

describe('a shard in a snapshot', () => {
  test('is restored as it was when the snapshot was made, and takes writes that outlive a restart', async () => {
    const disk = createMemoryDisk();
    const shard = await openTestShard(createTestRuntime(disk), { mapping: LIB_MAPPING });
    await write(shard, numbers(0, 50));
    await take(shard, 's1');
    await write(shard, ['99']);
    await shard.flush(true);
    const restored = await openRestored(disk, 's1');
    expect([holds(restored, '0'), holds(restored, '49'), holds(restored, '99')]).toEqual([true, true, false]);
    await write(restored, ['1000']);
    // A crash: nobody closes it.
    const options = { path: '/data2/0', bootstrap: 'existing', allocationId: 'a3', mapping: LIB_MAPPING } as const;
    const shardId = { index: 'restored', indexUuid: 'uuid-2', number: 0 };
    const again = await openTestShard(createTestRuntime(disk), shardOptions({ ...options, shard: shardId }));
    expect([holds(again, '49'), holds(again, '1000')]).toEqual([true, true]);
  });

  test('is copied once: a second snapshot brings only what is new', async () => {
    const disk = createMemoryDisk();
    const shard = await openTestShard(createTestRuntime(disk), { mapping: LIB_MAPPING });
    await write(shard, numbers(0, 50));
    const first = await take(shard, 's1');
    expect(first.newFileCount).toBe(first.files.length);
    const unchanged = await take(shard, 's2');
    expect(unchanged).toMatchObject({ newFileCount: 0, newBytes: 0, files: first.files });
    await write(shard, ['77']);
    const third = await take(shard, 's3');
    expect(third.newFileCount).toBeLessThan(third.files.length);
    expect(await blobsOf(disk)).toHaveLength(new Set([...first.files, ...third.files].map(({ blob }) => blob)).size);
  });

  test('asked for twice is one copy, as of the first time', async () => {
    const disk = createMemoryDisk();
    const shard = await openTestShard(createTestRuntime(disk), { mapping: LIB_MAPPING });
    await write(shard, ['1']);
    const first = await take(shard, 's1');
    await write(shard, ['2']);
    expect(await take(shard, 's1')).toEqual(first);
  });

  test('keeps the files of its commit while flushes go on', async () => {
    const disk = createMemoryDisk();
    let flushed: Promise<void> | null = null;
    const shard: Shard = await openTestShard(
      createTestRuntime(
        withOpen(disk, async (path, open) => {
          // In the middle of the copy every document is deleted and committed.
          if (path.includes('/tmp-') && flushed === null) {
            flushed = shard.write(numbers(0, 9).map((id) => remove(id))).then(() => shard.flush(true));
            await flushed;
          }
          return open();
        }),
      ),
      { mapping: LIB_MAPPING },
    );
    await write(shard, numbers(0, 9));
    await take(shard, 's1');
    expect(flushed).not.toBe(null);
    expect(holds(shard, '5')).toBe(false);
    expect(holds(await openRestored(disk, 's1'), '5')).toBe(true);
  });

  test('that was damaged in the repository is not restored', async () => {
    const disk = createMemoryDisk();
    const shard = await openTestShard(createTestRuntime(disk), { mapping: LIB_MAPPING });
    await write(shard, numbers(0, 9));
    const { files } = await take(shard, 's1');
    const { blob } = files[0] ?? { blob: '' };
    const bytes = (await disk.readFile(`${FOLDER}/${blob}`)).slice();
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    const file = await disk.open(`${FOLDER}/${blob}`, 'create');
    await file.write(bytes, 0);
    await file.close();
    await expect(openRestored(disk, 's1')).rejects.toSatisfy(
      (error) =>
        isShoalError(error) &&
        error.type === 'index_shard_restore_failed_exception' &&
        error.message.includes('its checksum does not match'),
    );
  });

  test('that is stopped leaves no manifest', async () => {
    const disk = createMemoryDisk();
    const shard = await openTestShard(createTestRuntime(disk), { mapping: LIB_MAPPING });
    await write(shard, ['1']);
    const stopped = shard.snapshot({ folder: FOLDER, snapshotUuid: 's1', bytesPerSecond: 0 }, { isStopped: true });
    await expect(stopped).rejects.toMatchObject({ type: 'index_shard_snapshot_failed_exception' });
    expect(await readManifest(disk, FOLDER, 's1')).toBe(null);
    expect((await take(shard, 's1')).files.length).toBeGreaterThan(0);
  });
});

function withOpen(disk: Disk, open: (path: string, real: () => Promise<File>) => Promise<File>): Disk {
  return new Proxy(disk, {
    get: (target, name) => {
      if (name === 'open') return (path: string, mode: never) => open(path, () => disk.open(path, mode));
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
