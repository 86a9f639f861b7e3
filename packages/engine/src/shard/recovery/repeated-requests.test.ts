/**
 * A request that is sent again to a copy which was made of files: its operations are known by name there as on the copy that executed
 * them, or a document that was put as a whole would take back what others wrote since.
 */
import { createMemoryDisk, createRecordingLog, type Runtime } from '@shoal/runtime';
import { packOperations, RequestToken } from '@shoal/shard-api';
import { seededRandom } from '@shoal/simulation';
import { describe, expect, test } from 'vitest';
import type { Shard } from '../contract/shard.ts';
import { CrashDisk } from '../lifecycle/crash-disk.test-support.ts';
import { createTestRuntime, index, openTestShard, remove, sourceOf } from '../lifecycle/shard-fixture.test-support.ts';
import { acquired, beginFileRecovery, openTarget, sendFiles, TARGET } from './file-recovery.test-support.ts';
import type { SafeCommit } from './shard-commits.ts';

const PUTS = packOperations([index('kept', { n: 1 }), index('gone', { n: 1 })], new RequestToken([1, 2, 3]));
const ANSWERS = ['created 1 0', 'created 1 1'];
const LATER = packOperations([index('late', { n: 1 })], new RequestToken([1, 2, 4]));

async function answers(shard: Shard): Promise<readonly string[]> {
  const { results } = await shard.write(PUTS);
  return [...results].map((result) =>
    result.kind === 'done' ? `${result.result} ${result.version} ${result.seqNo}` : result.error.type,
  );
}

/** Puts of a request in its commit, then what others made of them; behind the commit another request. */
async function source(runtime: Runtime): Promise<Shard> {
  const shard = await openTestShard(runtime);
  await shard.write(PUTS);
  await shard.write([index('kept', { n: 2 }), remove('gone')]);
  await shard.flush(true);
  await shard.write(LATER);
  return shard;
}

function lead(runtime: Runtime, primaryTerm = 2): Promise<Shard> {
  return openTestShard(runtime, { path: TARGET.path, allocationId: 'alloc-2', bootstrap: 'existing', primaryTerm });
}

function expectUntouched(shard: Shard): void {
  expect(sourceOf(shard, 'kept')).toBe('{"n":2}');
  expect(shard.get({ id: 'gone', realtime: true })).toBe(null);
}

async function recovered(change: (commit: SafeCommit) => SafeCommit) {
  const log = createRecordingLog();
  const runtime = { ...createTestRuntime(createMemoryDisk()), log };
  const from = await source(runtime);
  const commit = await acquired(from);
  const installed = await sendFiles(from, await beginFileRecovery(runtime), change(commit));
  expect(installed).not.toBe(null);
  return { runtime, commit, log };
}

describe('a copy made of files of another one', () => {
  test('answers a request that comes again as it was answered, when it leads at once and after a start', async () => {
    const { runtime, commit } = await recovered((same) => same);
    const copy = await openTarget(runtime, commit);
    await copy.history.lead(2);
    expect(await answers(copy)).toEqual(ANSWERS);
    expectUntouched(copy);
    await copy.close();
    const again = await lead(runtime);
    expect(await answers(again)).toEqual(ANSWERS);
    expectUntouched(again);
    await again.write([index('other', { n: 1 })]);
    await again.close();
    const last = await lead(runtime, 3);
    expect(await answers(last)).toEqual(ANSWERS);
    expectUntouched(last);
  });

  test('has no names of operations that are not in the files', async () => {
    const { runtime, commit } = await recovered((same) => same);
    expect(commit.through).toBe(3);
    const copy = await lead(runtime);
    const { results } = await copy.write(LATER);
    expect(results.at(0)).toMatchObject({ kind: 'done', result: 'created', seqNo: 4 });
    expect(sourceOf(copy, 'late')).toBe('{"n":1}');
  });

  test('forgets the names of what its folder had before', async () => {
    const runtime = createTestRuntime(createMemoryDisk());
    const old = await openTestShard(runtime, { path: TARGET.path, allocationId: 'alloc-2' });
    await old.write(LATER);
    await old.close();
    const from = await source(runtime);
    expect(await sendFiles(from, await beginFileRecovery(runtime), await acquired(from))).not.toBe(null);
    const copy = await lead(runtime);
    expect((await copy.write(LATER)).results.at(0)).toMatchObject({ seqNo: 4 });
    expect(sourceOf(copy, 'late')).toBe('{"n":1}');
  });

  test('of a version that sends no names executes the request again', async () => {
    const { runtime } = await recovered((commit) => ({ ...commit, recentWrites: null }));
    expect(await answers(await lead(runtime))).toEqual(['updated 3 4', 'created 3 5']);
  });

  test('is none the worse for names that it cannot read', async () => {
    const { runtime, log } = await recovered((commit) => ({ ...commit, recentWrites: new Uint8Array([1, 2, 3]) }));
    expectUntouched(await lead(runtime));
    expect(JSON.stringify(log)).toContain('cannot be read');
  });

  test('knows them, wherever the power fails while the files take their place', { timeout: 120_000 }, async () => {
    const from = await source(createTestRuntime(createMemoryDisk()));
    const commit = await acquired(from);
    let isDone = false;
    let found = 0;
    for (let operations = 0; !isDone; operations++) {
      const random = seededRandom(`names ${operations}`);
      const disk = new CrashDisk();
      const install = async (): Promise<boolean> => {
        disk.operationsLeft = operations;
        await sendFiles(from, await beginFileRecovery(createTestRuntime(disk)), commit);
        return true;
      };
      isDone = await Promise.race([install(), disk.died.then(() => false)]);
      const after = disk.crash(() => random.unit());
      // A start that finishes what was begun may be cut off as well.
      after.operationsLeft = random.below(40);
      await Promise.race([lead(createTestRuntime(after)).catch(() => null), after.died]);
      const copy = await lead(createTestRuntime(after.crash(() => random.unit())), 3).catch(() => null);
      if (copy === null) {
        expect(isDone).toBe(false);
        continue;
      }
      found++;
      expect(await answers(copy), `after ${operations} operations`).toEqual(ANSWERS);
      expectUntouched(copy);
    }
    expect(found).toBeGreaterThan(5);
  });
});
