import { type HistoryOperation, packOperations, RequestToken } from '@shoal/shard-api';
import { describe, expect, test } from 'vitest';
import { CrashDisk } from './crash-disk.test-support.ts';
import {
  applyDurably,
  createTestRuntime,
  index,
  openTestShard,
  remove,
  shown,
  sourceOf,
} from './shard-fixture.test-support.ts';

const lost = (disk: CrashDisk): CrashDisk => disk.crash(() => 0);

describe('a write that does not wait for its sync', () => {
  test('says its numbers, hands out its operations where they are wanted, and is durable after a sync', async () => {
    const disk = new CrashDisk();
    const shard = await openTestShard(createTestRuntime(disk));
    const first = await shard.history.write([index('a', { n: 1 }), index('b', { n: 2 })], 0, null, true);
    expect(first).toMatchObject({ ranges: [{ first: 0, last: 1 }], repeated: -1, mappingUpdate: null });
    expect(first.operations).toMatchObject([
      { kind: 'index', seqNo: 0, primaryTerm: 1, version: 1, id: 'a' },
      { kind: 'index', seqNo: 1, primaryTerm: 1, version: 1, id: 'b' },
    ]);
    expect(shard.history.persistedCheckpoint).toBe(-1);
    const before = await openTestShard(createTestRuntime(lost(disk)), { bootstrap: 'existing' });
    expect(before.history.maxSeqNo).toBe(-1);
    await shard.history.sync();
    expect(shard.history.persistedCheckpoint).toBe(1);
    const after = await openTestShard(createTestRuntime(lost(disk)), { bootstrap: 'existing' });
    expect(sourceOf(after, 'b')).toBe('{"n":2}');
    const unwanted = await shard.history.write([remove('a')], 0, null, false);
    expect(unwanted).toMatchObject({ ranges: [{ first: 2, last: 2 }], operations: [] });
    await shard.close();
  });

  test('gives no number to what it refuses, and stops where the mapping lacks a field', async () => {
    const shard = await openTestShard(createTestRuntime(new CrashDisk()));
    const create = index('a', { n: 1 }, { opType: 'create' });
    const { ranges, results, mappingUpdate } = await shard.history.write(
      [create, create, index('b', { n: 2 }), index('c', { unknown: 1 })],
      0,
      null,
      true,
    );
    expect(ranges).toEqual([{ first: 0, last: 1 }]);
    expect([0, 1, 2].map((at) => shown(results.at(at)).slice(0, 7))).toEqual(['created', 'version', 'created']);
    expect(mappingUpdate).not.toBe(null);
    await shard.close();
  });

  test('says of a request that comes again which operation it was, which may not be durable yet', async () => {
    const shard = await openTestShard(createTestRuntime(new CrashDisk()));
    const request = packOperations([remove('x')], new RequestToken([1, 2, 3]));
    expect(await shard.history.write(request, 0, null, true)).toMatchObject({ ranges: [{ first: 0 }], repeated: -1 });
    expect(await shard.history.write(request, 0, null, true)).toMatchObject({
      ranges: [],
      operations: [],
      repeated: 0,
    });
    await shard.close();
  });

  test('beside others: each has its own operations, and a copy that gets all of them is the same', async () => {
    const shard = await openTestShard(createTestRuntime(new CrashDisk()));
    const batch = (name: string): ReturnType<typeof index>[] =>
      Array.from({ length: 3_000 }, (_, at) => index(`${name}${at % 50}`, { n: at, title: `${name} ${at}` }));
    const done = await Promise.all(['a', 'b', 'c'].map((name) => shard.history.write(batch(name), 0, null, true)));
    const all: HistoryOperation[] = [];
    for (const [at, { ranges, operations }] of done.entries()) {
      const numbers = ranges.flatMap(({ first, last }) =>
        Array.from({ length: last - first + 1 }, (_, n) => first + n),
      );
      expect(operations.map(({ seqNo }) => seqNo)).toEqual(numbers);
      expect(operations.every((it) => it.kind === 'index' && it.id.startsWith('abc'.charAt(at)))).toBe(true);
      all.push(...operations);
    }
    expect(all.map(({ seqNo }) => seqNo).sort((a, b) => a - b)).toEqual(Array.from({ length: 9_000 }, (_, n) => n));
    const copy = await openTestShard(createTestRuntime(new CrashDisk()), { isReplica: true });
    await applyDurably(copy, all, 1);
    for (const id of ['a0', 'b49', 'c7'])
      expect(copy.get({ id, realtime: true })).toEqual(shard.get({ id, realtime: true }));
    await shard.close();
    await copy.close();
  });
});

describe('a copy that enters a term', () => {
  test('is in it after a crash, executes nothing of an older one, and no write of a client until it leads', async () => {
    const disk = new CrashDisk();
    const shard = await openTestShard(createTestRuntime(disk));
    const running = shard.history.write([index('a', { n: 1 })], 0, null, true);
    await shard.history.enterTerm(4);
    expect((await running).operations).toMatchObject([{ primaryTerm: 1 }]);
    await expect(shard.write([index('a', { n: 2 })])).rejects.toMatchObject({
      type: 'shard_not_in_primary_mode_exception',
    });
    await expect(shard.history.enterTerm(3)).rejects.toThrow('is too old (current [4])');
    await expect(shard.history.apply([], 3)).rejects.toThrow('is too old (current [4])');
    const again = await openTestShard(createTestRuntime(lost(disk)), { bootstrap: 'existing', isReplica: true });
    expect(again.history.primaryTerm).toBe(4);
    await shard.history.lead(4);
    expect((await shard.history.write([index('a', { n: 2 })], 0, null, true)).operations).toMatchObject([
      { seqNo: 1, primaryTerm: 4, version: 2 },
    ]);
    await shard.close();
  });

  test('tells what it has in ranges, and the lineage that was begun last', async () => {
    const disk = new CrashDisk();
    const shard = await openTestShard(createTestRuntime(disk), { isReplica: true });
    const noop = (seqNo: number): HistoryOperation => ({ kind: 'noop', seqNo, primaryTerm: 1, reason: 'test' });
    await applyDurably(shard, [0, 1, 4, 5, 9].map(noop), 1);
    const above = [
      { first: 4, last: 5 },
      { first: 9, last: 9 },
    ];
    expect(shard.history.executed).toEqual({ checkpoint: 1, above });
    await shard.history.beginHistory('another');
    const again = await openTestShard(createTestRuntime(lost(disk)), { bootstrap: 'existing', isReplica: true });
    expect(again.history.executed).toEqual({ checkpoint: 1, above });
    expect(again.history.historyUuid).toBe('another');
    await shard.close();
  });
});
