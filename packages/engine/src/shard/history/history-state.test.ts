import { type HistoryOperation, packOperations, RequestToken } from '@shoal/shard-api';
import { describe, expect, test } from 'vitest';
import { CrashDisk } from '../lifecycle/crash-disk.test-support.ts';
import {
  applyDurably,
  createTestRuntime,
  index,
  openTestShard,
  remove,
  sourceOf,
} from '../lifecycle/shard-fixture.test-support.ts';

const lost = (disk: CrashDisk): CrashDisk => disk.crash(() => 0);
const noop = (seqNo: number): HistoryOperation => ({ kind: 'noop', seqNo, primaryTerm: 1, reason: 'test' });
const leases = new Map([
  ['node-1', { retaining: 3, awaySinceMs: null }],
  ['node-2', { retaining: 1, awaySinceMs: 12_345 }],
]);

describe('what the copies have agreed on', () => {
  test('is on disk soon, though nothing else is written, and stays when the log is cut', async () => {
    const disk = new CrashDisk();
    const runtime = createTestRuntime(disk);
    const shard = await openTestShard(runtime, { isReplica: true });
    await applyDurably(shard, [0, 1, 2, 3].map(noop), 1);
    shard.history.keepGlobalCheckpoint(2);
    shard.history.keepLeases(leases);
    await runtime.advance(1_000);
    const again = await openTestShard(createTestRuntime(lost(disk)), { bootstrap: 'existing', isReplica: true });
    expect(again.history.globalCheckpoint).toBe(2);
    expect(again.history.leases).toEqual(leases);
    await shard.flush(true);
    await shard.flush(true);
    const cut = await openTestShard(createTestRuntime(lost(disk)), { bootstrap: 'existing', isReplica: true });
    expect(cut.history.globalCheckpoint).toBe(2);
    expect(cut.history.leases).toEqual(leases);
    await shard.close();
  });

  test('is nothing for a shard that is alone: its log has its operations and no notes', async () => {
    const disk = new CrashDisk();
    const runtime = createTestRuntime(disk);
    const shard = await openTestShard(runtime);
    await shard.write([index('a', { n: 1 })]);
    const path = 'data/indices/uuid-1/0/translog/translog-1.tlog';
    const before = (await disk.readFile(path)).length;
    await runtime.advance(60_000);
    expect((await disk.readFile(path)).length).toBe(before);
    expect(shard.history.globalCheckpoint).toBe(0);
    await shard.close();
  });
});

describe('the answer to a request', () => {
  test('does not outlive its operation when the copy goes back, also after a start', async () => {
    const disk = new CrashDisk();
    const shard = await openTestShard(createTestRuntime(disk), { isReplica: true });
    const token = new RequestToken([1, 2, 3]);
    const origin = { token, position: 0, result: 'deleted' } as const;
    const gone = { kind: 'delete', seqNo: 1, primaryTerm: 1, version: 2, id: 'x', origin } as const;
    await applyDurably(shard, [noop(0), gone], 1);
    shard.history.keepGlobalCheckpoint(0);
    await shard.flush(true);
    await shard.history.enterTerm(2);
    await shard.history.rollback(0, true);
    const again = await openTestShard(createTestRuntime(lost(disk)), { bootstrap: 'existing', isReplica: true });
    for (const copy of [shard, again]) {
      await copy.history.lead(2);
      const write = await copy.history.write(packOperations([remove('x')], token), 0, null, true);
      expect(write).toMatchObject({ ranges: [{ first: 1, last: 1 }], repeated: -1 });
    }
    await shard.close();
  });
});

describe('operations that a trim has dropped', () => {
  test('stay dropped when later commits have cut the log behind it', async () => {
    const disk = new CrashDisk();
    const shard = await openTestShard(createTestRuntime(disk), { isReplica: true });
    const put = (seqNo: number, primaryTerm: number): HistoryOperation => {
      const source = Buffer.from(`{"n":${seqNo},"title":"term ${primaryTerm}"}`);
      return { kind: 'index', seqNo, primaryTerm, version: 1, id: `d${seqNo}`, routing: null, source, origin: null };
    };
    await applyDurably(shard, [put(0, 1), put(1, 1), put(5, 1)], 1);
    shard.history.retain({ globalCheckpoint: 0, retainedFrom: 0 });
    shard.history.keepGlobalCheckpoint(0);
    await shard.history.enterTerm(2);
    await shard.history.rollback(0, false);
    await applyDurably(shard, [put(1, 2), put(2, 2)], 2);
    await shard.history.trim(2, 2);
    await shard.flush(true);
    await shard.flush(true);
    const again = await openTestShard(createTestRuntime(lost(disk)), {
      ...{ bootstrap: 'existing', isReplica: true, needs: { globalCheckpoint: 0, retainedFrom: 0 } },
    });
    expect(again.history.executed).toEqual({ checkpoint: 2, above: [] });
    const found: HistoryOperation[] = [];
    for await (const batch of again.history.changes(0, 100)) found.push(...batch);
    expect(found.map(({ seqNo, primaryTerm }) => `${seqNo}/${primaryTerm}`).sort()).toEqual(['0/1', '1/2', '2/2']);
    expect(sourceOf(again, 'd1')).toContain('term 2');
    expect(sourceOf(again, 'd5')).toBe(null);
    await shard.close();
  });
});
