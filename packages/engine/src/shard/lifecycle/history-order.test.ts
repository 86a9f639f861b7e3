import { readdirSync, readFileSync } from 'node:fs';
import type { Runtime } from '@shoal/runtime';
import { type HistoryOperation, packOperations, RequestToken } from '@shoal/shard-api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Shard } from '../contract/shard.ts';
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

const IDS = ['a', 'b', 'c', 'd'];

/** A history as a primary makes one: its operations have the numbers of their positions. */
const history: fc.Arbitrary<readonly HistoryOperation[]> = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.constantFrom(...IDS)), { minLength: 1, maxLength: 14 })
  .map((rows) => {
    const versions = new Map<string, number>();
    return rows.map(([dice, id], seqNo): HistoryOperation => {
      const primaryTerm = 1 + Math.floor(seqNo / 5);
      if (dice === 0) return { kind: 'noop', seqNo, primaryTerm, reason: 'nothing' };
      const version = (versions.get(id) ?? 0) + 1;
      versions.set(id, version);
      const head = { seqNo, primaryTerm, version, id, origin: null };
      if (dice < 4) return { kind: 'delete', ...head };
      const routing = dice < 6 ? `r${dice}` : null;
      return { kind: 'index', ...head, routing, source: Buffer.from(`{"n":${seqNo},"title":"w${dice} all"}`) };
    });
  });

/** What each id's document is after these operations: the highest number decides. */
function documentsOf(operations: readonly HistoryOperation[]): readonly (string | null)[] {
  return IDS.map((id) => {
    let newest: HistoryOperation | null = null;
    for (const operation of operations) {
      if (operation.kind === 'noop' || operation.id !== id) continue;
      if (newest === null || operation.seqNo > newest.seqNo) newest = operation;
    }
    if (newest?.kind !== 'index') return null;
    const { source, version, seqNo, primaryTerm, routing } = newest;
    return JSON.stringify([Buffer.from(source).toString(), version, seqNo, primaryTerm, routing]);
  });
}

function documentsIn(shard: Shard, realtime: boolean): readonly (string | null)[] {
  return IDS.map((id) => {
    const hit = shard.get({ id, realtime });
    if (hit === null) return null;
    const { source, version, seqNo, primaryTerm, routing } = hit;
    return JSON.stringify([Buffer.from(source ?? []).toString(), version, seqNo, primaryTerm, routing]);
  });
}

function checkpointOf(operations: readonly HistoryOperation[]): number {
  const known = new Set(operations.map(({ seqNo }) => seqNo));
  let checkpoint = -1;
  while (known.has(checkpoint + 1)) checkpoint++;
  return checkpoint;
}

const openOn = (runtime: Runtime, bootstrap: 'create' | 'existing'): Promise<Shard> =>
  openTestShard(runtime, { bootstrap, isReplica: true, primaryTerm: 9, settings: { 'index.gc_deletes': '1s' } });

const open = (disk: CrashDisk, bootstrap: 'create' | 'existing'): Promise<Shard> =>
  openOn(createTestRuntime(disk), bootstrap);

type Step =
  | { readonly kind: 'apply'; readonly at: readonly number[] }
  | { readonly kind: 'flush' | 'refresh' | 'later' | 'crash' };
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('apply' as const), at: fc.array(fc.nat(13), { maxLength: 4 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('flush' as const, 'refresh' as const, 'later' as const, 'crash' as const),
    }),
  },
);

describe('operations of a history', () => {
  test('in any order, some of them again, give what they give in order; before and after the process dies', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.array(step, { maxLength: 20 }), fc.boolean(), async (operations, steps, dies) => {
        let disk = new CrashDisk();
        let runtime = createTestRuntime(disk);
        let shard = await openOn(runtime, 'create');
        const applied = new Map<number, HistoryOperation>();
        const again = async (): Promise<void> => {
          if (!dies) await shard.close();
          disk = disk.crash(() => 0);
          runtime = createTestRuntime(disk);
          shard = await openOn(runtime, 'existing');
        };
        const apply = async (batch: readonly HistoryOperation[]): Promise<void> => {
          await applyDurably(shard, batch, 9);
          for (const operation of batch) applied.set(operation.seqNo, operation);
        };
        const check = (): void => {
          const known = [...applied.values()];
          expect(documentsIn(shard, true)).toEqual(documentsOf(known));
          expect(shard.history).toMatchObject({
            processedCheckpoint: checkpointOf(known),
            persistedCheckpoint: checkpointOf(known),
            maxSeqNo: Math.max(-1, ...applied.keys()),
          });
        };
        for (const { kind, ...rest } of steps) {
          if (kind === 'flush') await shard.flush(true);
          else if (kind === 'refresh') await shard.refresh();
          else if (kind === 'later') await runtime.advance(2_000);
          else if (kind === 'crash') await again();
          else {
            const { at } = rest as Extract<Step, { kind: 'apply' }>;
            await apply(at.map((position) => operations[position % operations.length] as HistoryOperation));
          }
          check();
        }
        await apply(operations);
        check();
        await again();
        check();
        expect(documentsIn(shard, false)).toEqual(documentsOf(operations));
        await shard.close();
      }),
      { numRuns: 70 },
    );
  }, 60_000);

  test('of a primary are the same on a copy that applies them backwards', async () => {
    const primary = await openTestShard(createTestRuntime(new CrashDisk()));
    const sent: HistoryOperation[] = [];
    const send = async (id: string, source: string | null): Promise<void> => {
      const result = await writeOne(primary, source === null ? remove(id) : index(id, source));
      if (result.kind !== 'done') throw result.error;
      const head = { ...result, id, origin: null };
      sent.push(
        source === null
          ? { ...head, kind: 'delete' }
          : { ...head, kind: 'index', routing: null, source: Buffer.from(source) },
      );
    };
    for (let n = 0; n < 12; n++) await send(IDS[n % 3] ?? 'a', n % 5 === 4 ? null : `{"n":${n}}`);
    const copy = await open(new CrashDisk(), 'create');
    await applyDurably(copy, sent.toReversed(), 9);
    expect(documentsIn(copy, true)).toEqual(documentsIn(primary, true));
    await copy.refresh();
    await primary.refresh();
    expect(copy.stats()).toMatchObject({ docCount: primary.stats().docCount, maxSeqNo: 11, localCheckpoint: 11 });
  });

  test('that are missing when a copy is opened to lead are taken for operations that do nothing', async () => {
    const disk = new CrashDisk();
    const copy = await open(disk, 'create');
    const put = (seqNo: number): HistoryOperation => ({
      ...{ kind: 'index', seqNo, primaryTerm: 1, version: 1, id: `id${seqNo}`, routing: null, origin: null },
      source: Buffer.from(`{"n":${seqNo}}`),
    });
    await applyDurably(copy, [put(1), put(4)], 9);
    expect(copy.history).toMatchObject({ processedCheckpoint: -1, maxSeqNo: 4 });
    await copy.close();
    const options = { bootstrap: 'existing', primaryTerm: 9 } as const;
    const leading = await openTestShard(createTestRuntime(disk), options);
    expect(leading.history).toMatchObject({ processedCheckpoint: 4, persistedCheckpoint: 4, maxSeqNo: 4 });
    expect(await writeOne(leading, index('next', { n: 5 }))).toMatchObject({ seqNo: 5, primaryTerm: 9 });
    const again = await open(
      disk.crash(() => 0),
      'existing',
    );
    // A number that is taken keeps its operation, whoever brings another.
    await applyDurably(again, [put(2)], 9);
    expect(sourceOf(again, 'id2')).toBeNull();
    expect(again.history).toMatchObject({ processedCheckpoint: 5, maxSeqNo: 5 });
    expect(['id1', 'id2', 'id4', 'next'].map((id) => sourceOf(again, id))).toEqual([
      '{"n":1}',
      null,
      '{"n":4}',
      '{"n":5}',
    ]);
  });

  test('for which the disk has no room are refused, and taken when they come again', async () => {
    const disk = new CrashDisk();
    const copy = await open(disk, 'create');
    const put = (seqNo: number, source: string): HistoryOperation => ({
      ...{ kind: 'index', seqNo, primaryTerm: 1, version: 1, id: `id${seqNo}`, routing: null, origin: null },
      source: Buffer.from(source),
    });
    const operations = [put(1, '{"n":1}'), put(0, `{"title":"${'long '.repeat(3_000)}"}`), put(2, '{"n":2}')];
    disk.capacityBytes = disk.usedBytes + 6_000;
    await expect(applyDurably(copy, operations, 9)).rejects.toThrow('no space left on device');
    expect(copy.history).toMatchObject({ processedCheckpoint: -1, maxSeqNo: 1 });
    disk.capacityBytes = Number.POSITIVE_INFINITY;
    await applyDurably(copy, operations, 9);
    const again = await open(
      disk.crash(() => 0),
      'existing',
    );
    expect(again.history).toMatchObject({ persistedCheckpoint: 2, maxSeqNo: 2 });
  });

  test('tell a request that comes again its answer, also on a copy that had them in another order', async () => {
    const copy = await open(new CrashDisk(), 'create');
    const token = new RequestToken([1, 2, 3]);
    const head = { primaryTerm: 1, id: 'a', routing: null, source: Buffer.from('{}') } as const;
    await applyDurably(
      copy,
      [
        { kind: 'index', ...head, seqNo: 1, version: 2, origin: { token, position: 1, result: 'updated' } },
        { kind: 'index', ...head, seqNo: 0, version: 1, origin: { token, position: 0, result: 'created' } },
      ],
      9,
    );
    await copy.history.lead(10);
    const creates = [0, 1].map(() => index('a', {}, { opType: 'create' }));
    const { results } = await copy.write(packOperations(creates, token));
    expect(results.map(shown)).toEqual(['created', 'updated']);
  });
});

describe('the folder of a shard of an older version', () => {
  /** Written by the version whose commits were of version 1 and whose translog was of version 2. */
  async function recorded(): Promise<CrashDisk> {
    const disk = new CrashDisk();
    const from = new URL('../../../fixtures/shard-1/', import.meta.url);
    const to = 'data/indices/uuid-1/0';
    for (const folder of ['_state', 'index', 'translog']) {
      await disk.mkdir(`${to}/${folder}`);
      for (const name of readdirSync(new URL(`${folder}/`, from))) {
        const file = await disk.open(`${to}/${folder}/${name}`, 'create');
        await file.write(readFileSync(new URL(`${folder}/${name}`, from)), 0);
        await file.sync();
        await file.close();
      }
      await disk.syncDir(`${to}/${folder}`);
    }
    return disk;
  }

  test('opens with all that it held, goes on, and is then of this version', async () => {
    let disk = await recorded();
    for (const primaryTerm of [1, 2]) {
      const shard = await openTestShard(createTestRuntime(disk), { bootstrap: 'existing', primaryTerm });
      expect(shard.history).toMatchObject({ processedCheckpoint: 12, persistedCheckpoint: 12, maxSeqNo: 12 });
      const ids = ['id0', 'id1', 'id2', 'id3', 'id4', 'id5', 'created', 'late', 'nothere'];
      expect(ids.map((id) => sourceOf(shard, id) !== null)).toEqual([
        false,
        true,
        false,
        false,
        true,
        true,
        true,
        true,
        false,
      ]);
      expect(sourceOf(shard, 'id1')).toBe('{"n":11,"title":"newer"}');
      expect(shard.get({ id: 'late', realtime: true })).toMatchObject({ routing: 'r1', seqNo: 11, version: 1 });
      const { results } = await shard.write(
        packOperations([index('late', { n: 12 }, { opType: 'create' }), remove('id3')], new RequestToken([1, 2, 4])),
      );
      expect(results.map(shown)).toEqual(['created', 'deleted']);
      await shard.close();
      disk = disk.crash(() => 0);
    }
  });
});

describe('a copy whose primary term grows', () => {
  const put = (seqNo: number, primaryTerm: number): HistoryOperation => ({
    ...{ kind: 'index', seqNo, primaryTerm, version: 1, id: `id${seqNo}`, routing: null, origin: null },
    source: Buffer.from(`{"n":${seqNo}}`),
  });

  test('leads from then on: what it lacked is nothing, and what another primary of before sends is refused', async () => {
    const disk = new CrashDisk();
    const copy = await openTestShard(createTestRuntime(disk), { isReplica: true });
    await applyDurably(copy, [put(2, 1), put(0, 1)], 1);
    await expect(copy.write([index('x', {})])).rejects.toMatchObject({
      type: 'shard_not_in_primary_mode_exception',
      status: 503,
    });
    const running = applyDurably(copy, [put(4, 1)], 1);
    await copy.history.lead(2);
    await running;
    expect(copy.history).toMatchObject({ primaryTerm: 2, processedCheckpoint: 4, persistedCheckpoint: 4, maxSeqNo: 4 });
    await expect(applyDurably(copy, [put(1, 1)], 1)).rejects.toThrow(
      '[lib][0] operation primary term [1] is too old (current [2])',
    );
    await expect(applyDurably(copy, [put(9, 2)], 2)).rejects.toThrow('is the primary of term [2] and follows none');
    expect(await writeOne(copy, index('x', {}))).toMatchObject({ seqNo: 5, primaryTerm: 2 });
    await copy.history.lead(2);
    await expect(copy.history.lead(1)).rejects.toThrow('is too old');
    const again = await openTestShard(createTestRuntime(disk.crash(() => 0)), {
      bootstrap: 'existing',
      primaryTerm: 3,
    });
    expect(['id0', 'id1', 'id2', 'id4', 'x'].map((id) => sourceOf(again, id))).toEqual([
      '{"n":0}',
      null,
      '{"n":2}',
      '{"n":4}',
      '{}',
    ]);
  });

  test('with writes running gives each of them one term, and all later ones the new one', async () => {
    const shard = await openTestShard(createTestRuntime(new CrashDisk()));
    const claim = { allocationId: 'alloc-1', primaryTerm: 1 };
    const writes = Array.from({ length: 6 }, (_, n) =>
      shard.write([index(`${n}`, { n }), index(`b${n}`, { n })], 0, claim),
    );
    await shard.history.lead(4);
    for (const { results } of await Promise.all(writes)) expect([...results.columns().primaryTerms]).toEqual([1, 1]);
    expect(await writeOne(shard, index('next', {}))).toMatchObject({ seqNo: 12, primaryTerm: 4 });
    await expect(shard.write([index('late', {})], 0, claim)).rejects.toMatchObject({
      type: 'shard_not_found_exception',
    });
    expect(shard.stats().maxSeqNo).toBe(12);
  });

  test('does not lead while its disk has no room for what fills its gaps, and does when there is some', async () => {
    const disk = new CrashDisk();
    const copy = await openTestShard(createTestRuntime(disk), { isReplica: true });
    await applyDurably(copy, [put(500, 1)], 1);
    disk.capacityBytes = disk.usedBytes;
    await expect(copy.history.lead(2)).rejects.toThrow('no space left on device');
    expect(copy.history.primaryTerm).toBe(1);
    await expect(copy.write([index('x', {})])).rejects.toThrow('not in primary mode');
    disk.capacityBytes = Number.POSITIVE_INFINITY;
    await copy.history.lead(2);
    expect(copy.history).toMatchObject({ primaryTerm: 2, processedCheckpoint: 500, persistedCheckpoint: 500 });
  });
});
