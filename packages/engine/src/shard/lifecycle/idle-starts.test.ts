import { createMemoryDisk } from '@shoal/runtime';
import { seededRandom } from '@shoal/simulation';
import { describe, expect, test } from 'vitest';
import type { Shard } from '../contract/shard.ts';
import { CrashDisk } from './crash-disk.test-support.ts';
import { applyDurably, createTestRuntime, index, openTestShard, sourceOf } from './shard-fixture.test-support.ts';

const LOG = 'data/indices/uuid-1/0/translog';
const LEASES = new Map([['n2', { retaining: 3, awaySinceMs: null }]]);
const NOOP = { kind: 'noop', primaryTerm: 1, reason: '' } as const;

async function logOf(runtime: ReturnType<typeof createTestRuntime>): Promise<readonly string[]> {
  const names = (await runtime.disk.list(LOG)).filter((name) => name.endsWith('.tlog')).sort();
  return Promise.all(names.map(async (name) => `${name} ${(await runtime.disk.readFile(`${LOG}/${name}`)).length}`));
}

describe('starts of a shard that nobody writes to', () => {
  test.each([
    ['with a flush before', true],
    ['with operations in its log', false],
  ])('leave its log as it was, %s', async (_, flushes) => {
    const runtime = createTestRuntime(createMemoryDisk());
    const first = await openTestShard(runtime);
    await first.write([index('a', { n: 1 })]);
    if (flushes) await first.flush(true);
    await first.close(true);
    const second = await openTestShard(runtime, { bootstrap: 'existing' });
    await second.close(true);
    const log = await logOf(runtime);
    for (let start = 0; start < 5; start++) {
      const shard = await openTestShard(runtime, { bootstrap: 'existing', primaryTerm: start + 2 });
      expect(sourceOf(shard, 'a')).toBe('{"n":1}');
      await shard.close();
    }
    const names = (lines: readonly string[]): readonly string[] => lines.map((line) => line.split(' ')[0] ?? '');
    if (flushes) expect(await logOf(runtime)).toEqual(log);
    else expect(names(await logOf(runtime)).length).toBeLessThanOrEqual(names(log).length);
    const last = await openTestShard(runtime, { bootstrap: 'existing' });
    await last.write([index('b', { n: 2 })]);
    await last.close(true);
    const again = await openTestShard(runtime, { bootstrap: 'existing' });
    expect([sourceOf(again, 'a'), sourceOf(again, 'b')]).toEqual(['{"n":1}', '{"n":2}']);
  });

  test('that are told again what copies had agreed on write none of it', async () => {
    const runtime = createTestRuntime(createMemoryDisk());
    const replica = (bootstrap: 'create' | 'existing'): Promise<Shard> =>
      openTestShard(runtime, { bootstrap, isReplica: true });
    const told = async (shard: Shard): Promise<void> => {
      shard.history.retain({ globalCheckpoint: 3, retainedFrom: 0 });
      shard.history.keepGlobalCheckpoint(3);
      shard.history.keepLeases(LEASES);
      await runtime.advance(1_000);
      await shard.history.sync();
    };
    const first = await replica('create');
    const operations = Array.from({ length: 6 }, (_, seqNo) => ({ ...NOOP, seqNo }));
    await applyDurably(first, operations, 1);
    await told(first);
    await first.close();
    // The first start finds operations in the newest file, and begins another one, which the next one goes on with.
    await (await replica('existing')).close(true);
    await told(await replica('existing'));
    const log = await logOf(runtime);
    for (let start = 0; start < 4; start++) {
      const shard = await replica('existing');
      expect(shard.history).toMatchObject({ globalCheckpoint: 3, maxSeqNo: 5, leases: LEASES });
      await told(shard);
      await shard.close(true);
    }
    expect(await logOf(runtime)).toEqual(log);
  });

  test('keep what is written after them, wherever the power fails', { timeout: 120_000 }, async () => {
    for (let seed = 0; seed < 40; seed++) {
      const random = seededRandom(`idle ${seed}`);
      const unit = (): number => random.unit();
      let disk = new CrashDisk();
      const shard = await openTestShard(createTestRuntime(disk));
      await shard.write([index('0', { n: 0 })]);
      await shard.close();
      const acknowledged = new Set(['0']);
      for (let life = 1; life < 8; life++) {
        disk.operationsLeft = random.below(25);
        const run = async (): Promise<void> => {
          const next = await openTestShard(createTestRuntime(disk), { bootstrap: 'existing', primaryTerm: life });
          if (random.chance(0.5)) return;
          await next.write([index(`${life}`, { n: life })]);
          acknowledged.add(`${life}`);
        };
        await Promise.race([run(), disk.died]);
        disk = disk.crash(unit);
      }
      const last = await openTestShard(createTestRuntime(disk), { bootstrap: 'existing', primaryTerm: 9 });
      for (const id of acknowledged) expect(sourceOf(last, id), `seed ${seed}`).toBe(`{"n":${id}}`);
    }
  });
});
