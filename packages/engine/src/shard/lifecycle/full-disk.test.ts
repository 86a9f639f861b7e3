import type { DiskErrorKind } from '@shoal/runtime';
import { type SeededRandom, seededRandom } from '@shoal/simulation';
import { describe, expect, test } from 'vitest';
import { seedsToRun } from '../../../../simulation/src/simulation-seeds.ts';
import type { Shard } from '../contract/shard.ts';
import { CrashDisk } from './crash-disk.test-support.ts';
import {
  createTestRuntime,
  index,
  openTestShard,
  remove,
  shown,
  sourceOf,
  update,
  writeOne,
} from './shard-fixture.test-support.ts';

const FULL = 'translog_exception: failed to write to the translog: no space left on device';
/** Larger than the room that a shard takes before it is asked. */
const LONG = 'long '.repeat(500_000);

describe('a shard whose disk is full', () => {
  test('refuses a write before it is executed, and takes it when there is room', async () => {
    const disk = new CrashDisk();
    const shard = await openTestShard(createTestRuntime(disk));
    disk.capacityBytes = disk.usedBytes;
    expect(shown(await writeOne(shard, index('1', { tag: 'a' })))).toBe(FULL);
    expect(shown(await writeOne(shard, remove('1')))).toBe(FULL);
    expect(shown(await writeOne(shard, update('1', { doc: { tag: 'b' }, doc_as_upsert: true })))).toBe(FULL);
    expect(sourceOf(shard, '1')).toBeNull();
    await shard.refresh();
    expect(shard.stats()).toMatchObject({ docCount: 0, maxSeqNo: -1, indexFailed: 0 });
    disk.capacityBytes = Number.POSITIVE_INFINITY;
    expect(shown(await writeOne(shard, index('2', { tag: 'c' })))).toBe('created');
    expect(sourceOf(shard, '1')).toBeNull();
    expect(shard.stats().maxSeqNo).toBe(0);
    await shard.close();
  });

  test('answers reads, and keeps what it had when it is opened again', async () => {
    const disk = new CrashDisk();
    const shard = await openTestShard(createTestRuntime(disk));
    expect(shown(await writeOne(shard, index('1', { tag: 'a' })))).toBe('created');
    disk.capacityBytes = disk.usedBytes;
    expect(shown(await writeOne(shard, index('1', { title: LONG })))).toBe(FULL);
    expect(sourceOf(shard, '1')).toBe('{"tag":"a"}');
    await expect(shard.flush(true)).rejects.toThrow('no space left on device');
    expect(sourceOf(shard, '1')).toBe('{"tag":"a"}');
    await shard.close();
    disk.capacityBytes = Number.POSITIVE_INFINITY;
    const again = await openTestShard(createTestRuntime(disk), { bootstrap: 'existing' });
    expect(sourceOf(again, '1')).toBe('{"tag":"a"}');
    expect(again.stats().maxSeqNo).toBe(0);
    await again.close();
  });

  test('executes what has room, in the room that is left, and refuses the rest of the request', async () => {
    const disk = new CrashDisk();
    const shard = await openTestShard(createTestRuntime(disk));
    disk.capacityBytes = disk.usedBytes + 1_000;
    const { results } = await shard.write([index('1', { tag: 'a' }), index('2', { title: LONG }), index('3', {})]);
    expect(results.map(shown)).toEqual(['created', FULL, FULL]);
    const next = await openTestShard(createTestRuntime(disk.crash(() => 0)), { bootstrap: 'existing' });
    expect(['1', '2', '3'].map((id) => sourceOf(next, id))).toEqual(['{"tag":"a"}', null, null]);
    await next.close();
  });

  test('begins no part of its log that has no room for what a new primary drops', async () => {
    const disk = new CrashDisk();
    const shard = await openTestShard(createTestRuntime(disk));
    for (const id of ['1', '2']) expect(shown(await writeOne(shard, index(id, { tag: 'a' })))).toBe('created');
    disk.capacityBytes = disk.usedBytes + 34;
    await expect(shard.history.trim(0, 2)).rejects.toThrow(FULL.slice('translog_exception: '.length));
    disk.capacityBytes = Number.POSITIVE_INFINITY;
    await shard.history.trim(0, 2);
    await shard.close();
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

/** Random writes on a disk of random size; `expected` follows the answers. */
async function fill(shard: Shard, disk: CrashDisk, random: SeededRandom, expected: Map<string, string | null>) {
  for (let step = 0; step < 30; step++) {
    disk.capacityBytes = disk.usedBytes + (random.below(3) === 0 ? 100_000 : random.below(3_000));
    const operations = Array.from({ length: 1 + random.below(5) }, (_, n) => {
      const id = `id${random.below(8)}`;
      const source = `{"n":${step * 10 + n},"title":"${'long '.repeat(random.below(500))}"}`;
      const state = random.below(4) === 0 ? null : source;
      return { id, state, operation: state === null ? remove(id) : index(id, source) };
    });
    const writing = shard.write(operations.map(({ operation }) => operation));
    const flushing = random.below(5) === 0 ? shard.flush(random.below(2) === 0) : Promise.resolve();
    const [{ results }] = await Promise.all([
      writing,
      flushing.catch((error) => expect(String(error)).toMatch(/no space|Flush failed/)),
    ]);
    for (const [at, { id, state }] of operations.entries()) {
      const result = results.at(at);
      if (result?.kind === 'done') expected.set(id, state);
      else expect(shown(result)).toBe(FULL);
    }
    if (random.below(4) === 0) await shard.refresh();
    compare(shard, expected, `step ${step}`);
  }
}

function compare(shard: Shard, expected: ReadonlyMap<string, string | null>, context: string): void {
  for (const [id, state] of expected) expect(sourceOf(shard, id), `${id} ${context}`).toBe(state);
}

describe('on a disk that runs full and has room again, again and again', () => {
  test('exactly what was answered as done is there: at once, after a crash, and in the end', async () => {
    for (const seed of seedsToRun(8)) {
      const random = seededRandom(`full ${seed}`);
      const expected = new Map<string, string | null>();
      let disk = new CrashDisk();
      await (await openTestShard(createTestRuntime(disk))).close();
      for (let life = 0; life < 4; life++) {
        disk.capacityBytes = Number.POSITIVE_INFINITY;
        const shard = await openTestShard(createTestRuntime(disk), { bootstrap: 'existing' });
        compare(shard, expected, `SEED=${seed} life ${life}`);
        await fill(shard, disk, random, expected);
        if (random.below(2) === 0) await shard.close();
        disk = disk.crash(() => random.unit());
      }
      const last = await openTestShard(createTestRuntime(disk), { bootstrap: 'existing' });
      compare(last, expected, `SEED=${seed} at the end`);
      await last.close();
    }
  });

  test('a process that dies at any operation while the next log file is made starts again', async () => {
    for (let operations = 0; operations < 40; operations++) {
      const disk = new CrashDisk();
      const shard = await openTestShard(createTestRuntime(disk));
      expect(shown(await writeOne(shard, index('1', { tag: 'a' })))).toBe('created');
      disk.operationsLeft = operations;
      await Promise.race([shard.flush(true), disk.died]);
      for (const luck of [0, 0.3, 0.5, 0.99]) {
        const next = await openTestShard(createTestRuntime(disk.crash(() => luck)), { bootstrap: 'existing' });
        expect(sourceOf(next, '1'), `${operations} operations, ${luck}`).toBe('{"tag":"a"}');
        await next.close();
      }
    }
  });
});

const KINDS: readonly DiskErrorKind[] = ['full', 'io', 'readOnly', 'denied'];

test.each(KINDS)(
  'a record whose write fails as %s ends the shard, which starts again from what is on disk',
  async (kind) => {
    const disk = new CrashDisk();
    const failures: string[] = [];
    const shard = await openTestShard(createTestRuntime(disk));
    expect(shown(await writeOne(shard, index('1', { tag: 'a' })))).toBe('created');
    disk.writeFailure = (path) => {
      failures.push(path);
      return kind;
    };
    expect(shown(await writeOne(shard, index('2', { tag: 'b' })))).toContain('failed to write to the translog');
    expect(failures).toHaveLength(1);
    disk.writeFailure = () => null;
    await expect(shard.write([index('3', { tag: 'c' })])).rejects.toThrow('failed to write to the translog');
    await shard.close();
    const next = await openTestShard(createTestRuntime(disk), { bootstrap: 'existing' });
    expect(['1', '2', '3'].map((id) => sourceOf(next, id))).toEqual(['{"tag":"a"}', null, null]);
    await next.close();
  },
);

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
