import type { DiskErrorKind } from '@shoal/runtime';
import type { HistoryOperation } from '@shoal/shard-api';
import { describe, expect, test } from 'vitest';
import { CrashDisk } from './crash-disk.test-support.ts';
import {
  applyDurably,
  createTestRuntime,
  index,
  openTestShard,
  shown,
  sourceOf,
  writeOne,
} from './shard-fixture.test-support.ts';

const KINDS: readonly DiskErrorKind[] = ['full', 'io', 'readOnly', 'denied'];
/** Files and folders that a flush syncs, as patterns of their paths. */
const SYNCED: readonly RegExp[] = [
  /\.docs$/,
  /\.seg$/,
  /\.liv$/,
  /segments_[^/]*$/,
  /\/index$/,
  /\.tlog$/,
  /\/translog$/,
];

const cases = SYNCED.flatMap((path) => KINDS.map((kind) => ({ path, kind })));

describe('a sync that fails in a flush is final', () => {
  test.each(cases)('$kind at $path', async ({ path, kind }) => {
    const disk = new CrashDisk();
    const shard = await openTestShard(createTestRuntime(disk));
    for (const id of ['1', '2', '3']) expect(shown(await writeOne(shard, index(id, { tag: id })))).toBe('created');
    await shard.refresh();
    expect(shown(await writeOne(shard, index('1', { tag: 'new' })))).toBe('updated');
    const failed: string[] = [];
    disk.syncFailure = (synced) => {
      if (!path.test(synced) || failed.length > 0) return null;
      failed.push(synced);
      return kind;
    };
    await expect(shard.flush(true)).rejects.toThrow();
    expect(failed).toHaveLength(1);
    // The disk says that all is well again.
    await expect((async () => shard.flush(true))()).rejects.toThrow();
    const next = await openTestShard(createTestRuntime(disk.crash(() => 0)), { bootstrap: 'existing' });
    expect(['1', '2', '3'].map((id) => sourceOf(next, id))).toEqual(['{"tag":"new"}', '{"tag":"2"}', '{"tag":"3"}']);
    await next.close();
  });
});

test.each(KINDS)('a write whose sync fails as %s is refused, and so is every later one', async (kind) => {
  const disk = new CrashDisk();
  const shard = await openTestShard(createTestRuntime(disk));
  expect(shown(await writeOne(shard, index('1', { tag: 'a' })))).toBe('created');
  disk.syncFailure = () => kind;
  expect(shown(await writeOne(shard, index('2', { tag: 'b' })))).toContain('translog_exception');
  disk.syncFailure = () => null;
  await expect(shard.write([index('3', { tag: 'c' })])).rejects.toThrow('failed to write to the translog');
  const next = await openTestShard(createTestRuntime(disk.crash(() => 0)), { bootstrap: 'existing' });
  expect(sourceOf(next, '1')).toBe('{"tag":"a"}');
  await next.close();
});

test.each(KINDS)('operations of another copy whose sync fails as %s are not there, and end the copy', async (kind) => {
  const disk = new CrashDisk();
  const copy = await openTestShard(createTestRuntime(disk), { isReplica: true });
  const operation = (seqNo: number): HistoryOperation => ({
    ...{ kind: 'index', seqNo, primaryTerm: 1, version: 1, id: `${seqNo}`, routing: null, origin: null },
    source: Buffer.from('{}'),
  });
  await applyDurably(copy, [operation(1)], 1);
  disk.syncFailure = () => kind;
  await expect(applyDurably(copy, [operation(0)], 1)).rejects.toMatchObject({ type: 'translog_exception' });
  disk.syncFailure = () => null;
  expect(copy.history.persistedCheckpoint).toBe(-1);
  // What was executed and is not on disk must neither be acknowledged by a later request nor lead the shard.
  await expect(applyDurably(copy, [operation(0)], 1)).rejects.toThrow('failed to write to the translog');
  await expect(copy.history.lead(2)).rejects.toThrow('failed to write to the translog');
});
