import type { Runtime } from '@shoal/runtime';
import type { HistoryOperation } from '@shoal/shard-api';
import { type SeededRandom, seededRandom } from '@shoal/simulation';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCommits } from '../commit/commit-file.ts';
import type { OpenShardOptions, Shard } from '../contract/shard.ts';
import { CrashDisk } from './crash-disk.test-support.ts';
import {
  applyDurably,
  createTestRuntime,
  index,
  openTestShard,
  remove,
  shown,
  sourceOf,
  writeOne,
} from './shard-fixture.test-support.ts';

const FOLDER = 'data/indices/uuid-1/0';

const openOn = (runtime: Runtime, more: Partial<OpenShardOptions>): Promise<Shard> =>
  openTestShard(runtime, { isReplica: true, settings: { 'index.gc_deletes': '1s' }, ...more });

function operation(seqNo: number, dice = 1): HistoryOperation {
  const id = `id${seqNo % 4}`;
  const head = { seqNo, primaryTerm: 1, version: 1 + Math.floor(seqNo / 4), id, origin: null };
  if (dice === 0) return { kind: 'noop', seqNo, primaryTerm: 1, reason: 'nothing' };
  if (dice < 3) return { kind: 'delete', ...head };
  return { kind: 'index', ...head, routing: null, source: Buffer.from(`{"n":${seqNo}}`) };
}

/** An operation with its document as text. */
function textOf(found: HistoryOperation | undefined): unknown {
  return found?.kind === 'index' ? { ...found, source: Buffer.from(found.source).toString() } : found;
}

/** Numbers of the operations from `from` on that the shard gives, ascending; each must be what was applied. */
async function changesOf(
  shard: Shard,
  from: number,
  applied: ReadonlyMap<number, HistoryOperation>,
): Promise<number[]> {
  const numbers: number[] = [];
  for await (const batch of shard.history.changes(from)) {
    expect(batch.length).toBeGreaterThan(0);
    for (const found of batch) {
      expect(textOf(found)).toEqual(textOf(applied.get(found.seqNo)));
      numbers.push(found.seqNo);
    }
  }
  return numbers.sort((a, b) => a - b);
}

/** Lowest number that a copy asks for which begins again from the newest safe commit. */
async function safeFrom(disk: CrashDisk, globalCheckpoint: number): Promise<number> {
  const folder = `${FOLDER}/index`;
  const commits = await readCommits(disk, folder, await disk.list(folder));
  const safe = commits.filter(({ maxSeqNo }) => maxSeqNo <= globalCheckpoint).at(-1);
  expect(safe, `${commits.map(({ maxSeqNo }) => maxSeqNo)} above ${globalCheckpoint}`).toBeDefined();
  return (safe?.localCheckpoint ?? -1) + 1;
}

/** Applies operations, each to a document of its own, until the process dies. */
async function live(shard: Shard, random: SeededRandom, known: Set<number>): Promise<void> {
  for (;;) {
    const from = shard.history.processedCheckpoint + 1;
    const numbers = Array.from({ length: 1 + random.below(3) }, () => from + random.below(6));
    const batch = [...new Set(numbers)].map((seqNo): HistoryOperation => {
      const head = { seqNo, primaryTerm: 1, version: 1, id: `id${seqNo}`, routing: null, origin: null };
      return { kind: 'index', ...head, source: Buffer.from(`{"n":${seqNo}}`) };
    });
    await applyDurably(shard, batch, 1);
    for (const { seqNo } of batch) known.add(seqNo);
    if (random.below(4) === 0) await shard.flush(true);
    const globalCheckpoint = shard.history.persistedCheckpoint - random.below(4);
    if (random.below(3) === 0 && globalCheckpoint >= 0)
      shard.history.retain({ globalCheckpoint, retainedFrom: globalCheckpoint + 1 });
  }
}

const step = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(fc.constant('apply' as const), fc.nat(6), fc.nat(3)) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('flush' as const), fc.nat(1), fc.constant(0)) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('retain' as const), fc.nat(4), fc.nat(5)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('again' as const), fc.nat(1), fc.constant(0)) },
);

describe('the history of a copy that has others beside it', () => {
  test('keeps a safe commit, the operations above it, and all that the others need; also when it is opened again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), fc.array(fc.nat(9)), async (steps, dices) => {
        let disk = new CrashDisk();
        let shard = await openOn(createTestRuntime(disk), { bootstrap: 'create' });
        const applied = new Map<number, HistoryOperation>();
        let needs = { globalCheckpoint: -1, retainedFrom: 0 };
        for (const [kind, a, b] of steps) {
          const { processedCheckpoint, maxSeqNo } = shard.history;
          if (kind === 'apply') {
            // Some ahead of a gap, which the next ones fill.
            const numbers = Array.from({ length: a }, (_, n) => processedCheckpoint + 1 + n + (n % 2) * b);
            const batch = numbers.map(
              (seqNo) => applied.get(seqNo) ?? operation(seqNo, dices[seqNo % dices.length] ?? 5),
            );
            await applyDurably(shard, batch, 1);
            for (const found of batch) applied.set(found.seqNo, found);
          } else if (kind === 'flush') await shard.flush(a === 0);
          else if (kind === 'retain') {
            const globalCheckpoint = Math.max(needs.globalCheckpoint, processedCheckpoint - a);
            needs = { globalCheckpoint, retainedFrom: Math.max(0, Math.min(maxSeqNo, globalCheckpoint + 1 - b)) };
            shard.history.retain(needs);
          } else {
            if (a === 0) await shard.close();
            disk = disk.crash(() => 0);
            shard = await openOn(createTestRuntime(disk), { bootstrap: 'existing', needs });
          }
          const { completeFrom, globalCheckpoint } = shard.history;
          expect(globalCheckpoint).toBe(needs.globalCheckpoint);
          expect(completeFrom).toBeLessThanOrEqual(globalCheckpoint + 1);
          expect(completeFrom).toBeLessThanOrEqual(await safeFrom(disk, globalCheckpoint));
          const known = [...applied.keys()].sort((x, y) => x - y);
          expect(await changesOf(shard, completeFrom, applied)).toEqual(known.filter((seqNo) => seqNo >= completeFrom));
        }
        await shard.close();
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  test('has every operation that was applied, and what the others need, when the process died at any moment', async () => {
    for (let seed = 1; seed <= 40; seed++) {
      const random = seededRandom(seed);
      let disk = new CrashDisk();
      await (await openOn(createTestRuntime(disk), { bootstrap: 'create' })).close();
      const known = new Set<number>();
      for (let life = 0; life < 4; life++) {
        const context = `seed ${seed} life ${life}`;
        disk.operationsLeft = random.below(250);
        const dead = disk.died.then(() => null);
        const opened = openOn(createTestRuntime(disk), { bootstrap: 'existing' });
        const shard = await Promise.race([opened, dead]);
        if (shard !== null) {
          expect(
            [...known].filter((seqNo) => sourceOf(shard, `id${seqNo}`) === null),
            context,
          ).toEqual([]);
          expect(shard.history.completeFrom, context).toBeLessThanOrEqual(shard.history.globalCheckpoint + 1);
          await Promise.race([live(shard, random, known), dead]);
        }
        disk = disk.crash(() => random.below(1_000) / 1_000);
      }
      const last = await openOn(createTestRuntime(disk), { bootstrap: 'existing' });
      expect(
        [...known].filter((seqNo) => sourceOf(last, `id${seqNo}`) === null),
        `seed ${seed}`,
      ).toEqual([]);
    }
  }, 60_000);

  test('is given up once nobody needs it, and not while somebody reads it', async () => {
    const disk = new CrashDisk();
    const shard = await openOn(createTestRuntime(disk), { bootstrap: 'create' });
    const files = (): number => disk.paths().filter((path) => path.endsWith('.tlog')).length;
    const applied = new Map<number, HistoryOperation>();
    for (let seqNo = 0; seqNo < 5; seqNo++) {
      applied.set(seqNo, operation(seqNo, 5));
      await applyDurably(shard, [operation(seqNo, 5)], 1);
      await shard.flush(true);
    }
    expect(shard.history.completeFrom).toBe(0);
    expect(files()).toBeGreaterThan(5);
    const reading = shard.history.changes(0);
    const first = await reading.next();
    expect(first.value).toHaveLength(5);
    shard.history.retain({ globalCheckpoint: 4, retainedFrom: 5 });
    await shard.flush(true);
    expect(shard.history.completeFrom).toBe(0);
    await reading.return();
    await shard.flush(true);
    expect(shard.history.completeFrom).toBe(5);
    expect(files()).toBe(1);
    await expect(shard.history.changes(4).next()).rejects.toThrow(
      'operations from [4] on are not complete, only those from [5] on',
    );
    expect(await changesOf(shard, 5, applied)).toEqual([]);
  });

  test('comes in batches, also a record that is larger than what is read at once', async () => {
    const shard = await openOn(createTestRuntime(new CrashDisk()), { bootstrap: 'create' });
    const sized = (seqNo: number, kb: number): HistoryOperation => ({
      ...{ kind: 'index', seqNo, primaryTerm: 1, version: 1, id: `id${seqNo}`, routing: null, origin: null },
      source: Buffer.from(`{"title":"${'x'.repeat(kb * 1024)}"}`),
    });
    const operations = [sized(0, 1), sized(1, 900), sized(2, 300), sized(3, 300), sized(4, 1)];
    await applyDurably(shard, operations, 1);
    const batches: number[][] = [];
    for await (const batch of shard.history.changes(0)) {
      batches.push(batch.map(({ seqNo }) => seqNo));
      for (const found of batch) expect(textOf(found)).toEqual(textOf(operations[found.seqNo]));
    }
    expect(batches).toEqual([[0, 1], [2, 3], [4]]);
  });

  test('that is damaged is refused where it is read', async () => {
    const disk = new CrashDisk();
    const shard = await openOn(createTestRuntime(disk), { bootstrap: 'create' });
    await applyDurably(shard, [operation(0, 5), operation(1, 5)], 1);
    await shard.flush(true);
    const path = disk.paths().find((name) => name.endsWith('.tlog')) ?? '';
    disk.damage(path, 80 * 8);
    await expect(shard.history.changes(0).next()).rejects.toThrow(`translog file [${path}] is damaged at offset [`);
  });
});

describe('a shard that is alone', () => {
  test('keeps one commit, and no operation that it holds', async () => {
    const disk = new CrashDisk();
    const shard = await openTestShard(createTestRuntime(disk));
    for (let n = 0; n < 3; n++) {
      await writeOne(shard, index(`${n}`, { n }));
      await shard.flush(false);
      expect(disk.paths().filter((path) => path.includes('/segments_'))).toHaveLength(1);
      expect(disk.paths().filter((path) => path.endsWith('.tlog'))).toHaveLength(1);
      expect(shard.history).toMatchObject({ globalCheckpoint: n, completeFrom: n + 1 });
    }
  });

  test('knows the version of a document that was deleted before a commit, as long as `index.gc_deletes` says', async () => {
    const disk = new CrashDisk();
    let runtime = createTestRuntime(disk);
    let shard = await openTestShard(runtime);
    const external = (version: number) =>
      ({ ifSeqNo: null, ifPrimaryTerm: null, version, versionType: 'external' }) as const;
    await writeOne(shard, index('a', { n: 1 }, { conditions: external(5) }));
    await writeOne(shard, remove('a', external(9)));
    await shard.flush(true);
    for (const waitMs of [0, 40_000]) {
      await runtime.advance(waitMs);
      await shard.close();
      runtime = createTestRuntime(disk);
      await runtime.advance(waitMs);
      shard = await openTestShard(runtime, { bootstrap: 'existing' });
      expect(shown(await writeOne(shard, index('a', { n: 2 }, { conditions: external(7) })))).toContain(
        'current version [9] is higher or equal to the one provided [7]',
      );
    }
    await runtime.advance(61_000);
    await writeOne(shard, index('b', { n: 1 }));
    await shard.refresh();
    expect(shown(await writeOne(shard, index('a', { n: 2 }, { conditions: external(7) })))).toBe('created');
    expect(sourceOf(shard, 'a')).toBe('{"n":2}');
  });
});
