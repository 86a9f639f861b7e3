import { createMemoryDisk, type Runtime } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { readShardState } from '../commit/shard-state-file.ts';
import type { Shard } from '../contract/shard.ts';
import {
  createTestRuntime,
  index,
  openTestShard,
  remove,
  type TestRuntime,
} from '../lifecycle/shard-fixture.test-support.ts';
import { bytesOfFiles, RECOVERY_CHUNK_BYTES } from './commit-file-list.ts';
import {
  acquired,
  beginFileRecovery,
  documentsOf,
  openTarget,
  piecesOf,
  SOURCE_HISTORY,
  sendFiles,
  TARGET,
} from './file-recovery.test-support.ts';

const IDS = Array.from({ length: 60 }, (_, at) => `id-${at}`);
const some = (from: number, to: number, n = 0) =>
  IDS.slice(from, to).map((id, at) => index(id, { title: `word${at % 5} all`, tag: `t${at % 3}`, n: n + at }));

/** Two segments, deletes in one of them, and operations that only the translog has. */
async function source(runtime: Runtime): Promise<Shard> {
  const shard = await openTestShard(runtime);
  await shard.write(some(0, 30));
  await shard.flush(true);
  await shard.write([...some(20, 45, 100), remove('id-3')]);
  await shard.flush(true);
  await shard.write(some(40, 50, 200));
  return shard;
}

async function both(): Promise<{ readonly runtime: TestRuntime; readonly from: Shard }> {
  const runtime = createTestRuntime(createMemoryDisk());
  return { runtime, from: await source(runtime) };
}

describe('a copy that recovers by files', () => {
  test('has what the commit of the other one has, under the same numbers, and an empty translog', async () => {
    const { runtime, from } = await both();
    const atCommit = documentsOf(from, IDS.slice(0, 40));
    const commit = await acquired(from);
    const recovery = await beginFileRecovery(runtime);
    const installed = await sendFiles(from, recovery, commit);
    expect(installed).toEqual({
      fileCount: commit.files.length,
      fileBytes: bytesOfFiles(commit.files),
      copiedFileCount: commit.files.length,
      copiedFileBytes: bytesOfFiles(commit.files),
      tookMs: 0,
    });
    const copy = await openTarget(runtime, commit);
    expect(documentsOf(copy, IDS.slice(0, 40))).toEqual(atCommit);
    const { history } = copy;
    expect([history.processedCheckpoint, history.persistedCheckpoint, history.maxSeqNo]).toEqual([55, 55, 55]);
    expect([history.completeFrom, history.globalCheckpoint, copy.recovery.translogOperations]).toEqual([56, 55, 0]);
    expect(await readShardState(runtime.disk, TARGET.path)).toMatchObject({
      historyUuid: SOURCE_HISTORY,
      allocationId: 'alloc-2',
    });
    expect(await runtime.disk.exists(`${TARGET.path}/recovery`)).toBe(false);
  });

  test('takes over a folder that held something else, of which nothing is left', async () => {
    const { runtime, from } = await both();
    const old = await openTestShard(runtime, { path: TARGET.path, allocationId: 'alloc-0' });
    await old.write([index('stranger', { n: 1 }), ...some(0, 5, 900)]);
    await old.flush(true);
    await old.write([index('unflushed', { n: 1 })]);
    await old.close(true);
    const commit = await acquired(from);
    expect(await sendFiles(from, await beginFileRecovery(runtime), commit)).not.toBe(null);
    const copy = await openTarget(runtime, commit);
    expect(documentsOf(copy, ['stranger', 'unflushed'])).toEqual([null, null]);
    expect(copy.stats().docCount).toBe(44);
    expect(copy.history.maxSeqNo).toBe(55);
  });

  test('in a folder that was found damaged is whole again', async () => {
    const { runtime, from } = await both();
    const old = await openTestShard(runtime, { path: TARGET.path, allocationId: 'alloc-0' });
    await old.write(some(0, 5));
    await old.close();
    const { disk } = runtime;
    for (const name of await disk.list(`${TARGET.path}/index`)) await disk.unlink(`${TARGET.path}/index/${name}`);
    const commit = await acquired(from);
    expect(await sendFiles(from, await beginFileRecovery(runtime), commit)).not.toBe(null);
    expect((await openTarget(runtime, commit)).stats().docCount).toBe(44);
  });

  test('gets only the files that it lacks', async () => {
    const { runtime, from } = await both();
    const first = await acquired(from);
    await sendFiles(from, await beginFileRecovery(runtime), first);
    from.commits.release('alloc-2');
    const copy = await openTarget(runtime, first);
    const has = await copy.commits.newest();
    await copy.close(true);
    await from.flush(true);
    const next = await acquired(from);
    const sent = new Set(piecesOf(next.files, has).map(({ file }) => file));
    const installed = await sendFiles(from, await beginFileRecovery(runtime), next, has);
    expect(installed).toMatchObject({ fileCount: next.files.length, copiedFileCount: sent.size });
    expect(sent.size).toBeLessThan(next.files.length);
    expect(sent.size).toBeGreaterThan(0);
    const again = await openTarget(runtime, next, installed ?? undefined);
    expect(again.recovery).toMatchObject({
      fileCount: next.files.length,
      copiedFileCount: sent.size,
      translogOperations: 0,
    });
    expect(documentsOf(again, IDS)).toEqual(documentsOf(from, IDS));
  });

  test('that has a file of the same name and another content gets it', async () => {
    const { runtime, from } = await both();
    const other = await openTestShard(runtime, { path: TARGET.path, allocationId: 'alloc-0' });
    await other.write(some(0, 30, 7_000));
    await other.flush(true);
    const has = await other.commits.newest();
    await other.close(true);
    const commit = await acquired(from);
    const names = new Set(has.map(({ name }) => name));
    expect(commit.files.some(({ name }) => names.has(name))).toBe(true);
    await sendFiles(from, await beginFileRecovery(runtime), commit, has);
    const copy = await openTarget(runtime, commit);
    expect(documentsOf(copy, IDS.slice(0, 40))).toEqual(documentsOf(from, IDS.slice(0, 40)));
  });

  test('keeps the old folder, and nothing else, when a file is missing', async () => {
    const { runtime, from } = await both();
    const old = await openTestShard(runtime, { path: TARGET.path, allocationId: 'alloc-2' });
    await old.write([index('mine', { n: 1 })]);
    await old.close();
    const part = await acquired(from);
    const recovery = await beginFileRecovery(runtime);
    const [first, ...others] = piecesOf(part.files, []);
    for (const { file, chunk } of others)
      await recovery.keepChunk(file, chunk, await from.commits.readChunk('alloc-2', file, chunk));
    expect(first).toBeDefined();
    expect(await recovery.install(part, SOURCE_HISTORY)).toBe(null);
    expect(await runtime.disk.list(`${TARGET.path}/recovery`)).toEqual([]);
    const again = await openTestShard(runtime, { path: TARGET.path, allocationId: 'alloc-2', bootstrap: 'existing' });
    expect(documentsOf(again, ['mine'])).toHaveLength(1);
    await again.close(true);
    // All of it comes once more.
    const commit = await acquired(from);
    expect(await sendFiles(from, await beginFileRecovery(runtime), commit)).not.toBe(null);
  });

  test.each([
    ['a name that leads elsewhere', '../x', 0, 1],
    ['a name that is none', '', 0, 1],
    ['a piece before the first', '_0.seg', -1, 1],
    ['a piece beyond any file', '_0.seg', 2 ** 20, 1],
    ['a piece that is too large', '_0.seg', 0, RECOVERY_CHUNK_BYTES + 1],
  ])('refuses %s', async (_, file, chunk, bytes) => {
    const recovery = await beginFileRecovery(createTestRuntime(createMemoryDisk()));
    expect(() => recovery.keepChunk(file, chunk, new Uint8Array(bytes))).toThrow(/is none of a recovery/);
  });
});

describe('a shard that another copy recovers from', () => {
  test('keeps the files of its commit, and the operations behind it, until the copy is there', async () => {
    const { from } = await both();
    from.history.retain({ globalCheckpoint: 65, retainedFrom: 66 });
    const commit = await acquired(from);
    const pieces = piecesOf(commit.files, []);
    for (let round = 0; round < 8; round++) {
      await from.write(some(0, 60, 1_000 * round));
      from.history.retain({ globalCheckpoint: from.history.maxSeqNo, retainedFrom: from.history.maxSeqNo + 1 });
      await from.flush(true);
      await from.forceMerge({ segmentsMax: 1, onlyExpungeDeletes: false }, true);
    }
    for (const { file, chunk } of pieces) await from.commits.readChunk('alloc-2', file, chunk);
    const numbers: number[] = [];
    for await (const batch of from.history.changes(commit.through + 1))
      for (const { seqNo } of batch) numbers.push(seqNo);
    expect(numbers.sort((a, b) => a - b)[0]).toBe(commit.through + 1);
    expect(new Set(numbers).size).toBe(from.history.maxSeqNo - commit.through);
    from.commits.release('alloc-2');
    await from.flush(true);
    expect(from.history.completeFrom).toBeGreaterThan(commit.through + 1);
    await expect(from.commits.readChunk('alloc-2', pieces[0]?.file ?? '', 0)).rejects.toThrow(/no commit is held/);
  });

  test('gives a commit that holds nothing above the global checkpoint, and the same one when it is asked again', async () => {
    const { from } = await both();
    expect((await acquired(from, 'first')).through).toBe(55);
    from.history.retain({ globalCheckpoint: 65, retainedFrom: 66 });
    await from.write(some(50, 60));
    await from.flush(true);
    // The newest commit has operations that a copy may lack.
    expect((await acquired(from, 'second')).through).toBe(55);
    from.history.retain({ globalCheckpoint: from.history.maxSeqNo, retainedFrom: 0 });
    expect((await acquired(from, 'second')).through).toBe(55);
    expect((await acquired(from, 'third')).through).toBe(from.history.maxSeqNo);
  });

  test('says that its files are whole, and fails when one is not', async () => {
    const { runtime, from } = await both();
    await acquired(from);
    expect(await from.commits.verify('alloc-2')).toBe(true);
    const path = `data/indices/uuid-1/0/index/_0.docs`;
    const file = await runtime.disk.open(path, 'update');
    await file.write(new Uint8Array([0xff, 0xff]), 40);
    await file.close();
    expect(await from.commits.verify('alloc-2')).toBe(false);
    expect(() => from.flush(true)).toThrow(/is damaged/);
  });
});
