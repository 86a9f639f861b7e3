import type { HistoryOperation } from '@shoal/shard-api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Shard } from '../contract/shard.ts';
import { CrashDisk } from '../lifecycle/crash-disk.test-support.ts';
import { createTestRuntime, openTestShard } from '../lifecycle/shard-fixture.test-support.ts';

const IDS = ['a', 'b', 'c', 'd'];

/** What the primary of a term did under a number: always the same, and another thing than that of any other term. */
function operation(seqNo: number, primaryTerm: number): HistoryOperation {
  const dice = (seqNo * 7 + primaryTerm * 5) % 11;
  if (dice === 0) return { kind: 'noop', seqNo, primaryTerm, reason: 'nothing' };
  const id = IDS[(seqNo * 3 + primaryTerm) % IDS.length] as string;
  const head = { seqNo, primaryTerm, version: seqNo + 1, id, origin: null };
  if (dice < 4) return { kind: 'delete', ...head };
  return { kind: 'index', ...head, routing: null, source: Buffer.from(`{"n":${seqNo},"title":"term ${primaryTerm}"}`) };
}

/** A copy as simple as can be: which operation stands under each number, and which of them are executed. */
class Model {
  log: ReadonlyMap<number, HistoryOperation> = new Map();
  executed: ReadonlySet<number> = new Set();
  globalCheckpoint = -1;
  term = 1;

  get checkpoint(): number {
    let checkpoint = -1;
    while (this.executed.has(checkpoint + 1)) checkpoint++;
    return checkpoint;
  }

  get highest(): number {
    return Math.max(-1, ...this.executed);
  }

  apply(operations: readonly HistoryOperation[]): void {
    for (const it of operations) {
      if (this.executed.has(it.seqNo)) continue;
      this.log = new Map(this.log).set(it.seqNo, it);
      this.executed = new Set(this.executed).add(it.seqNo);
    }
  }

  rollback(to: number, drops: boolean): void {
    this.executed = new Set([...this.executed].filter((seqNo) => seqNo <= to));
    if (drops) this.log = new Map([...this.log].filter(([seqNo]) => seqNo <= to));
  }

  trim(above: number, belowTerm: number): void {
    this.log = new Map([...this.log].filter(([seqNo, it]) => seqNo <= above || it.primaryTerm >= belowTerm));
  }

  executeAll(): void {
    this.executed = new Set(this.log.keys());
  }

  documents(): readonly (string | null)[] {
    return IDS.map((id) => {
      let newest: HistoryOperation | null = null;
      for (const it of this.log.values()) {
        if (it.kind === 'noop' || it.id !== id || !this.executed.has(it.seqNo)) continue;
        if (newest === null || it.seqNo > newest.seqNo) newest = it;
      }
      if (newest?.kind !== 'index') return null;
      return `${Buffer.from(newest.source).toString()} ${newest.version} ${newest.seqNo}/${newest.primaryTerm}`;
    });
  }
}

function documentsIn(shard: Shard, realtime: boolean): readonly (string | null)[] {
  return IDS.map((id) => {
    const hit = shard.get({ id, realtime });
    if (hit === null) return null;
    return `${Buffer.from(hit.source ?? []).toString()} ${hit.version} ${hit.seqNo}/${hit.primaryTerm}`;
  });
}

function numbersOf({ executed }: Shard['history']): readonly number[] {
  const below = Array.from({ length: executed.checkpoint + 1 }, (_, seqNo) => seqNo);
  const above = executed.above.flatMap(({ first, last }) =>
    Array.from({ length: last - first + 1 }, (_, at) => first + at),
  );
  return [...below, ...above];
}

function expectSame(shard: Shard, model: Model, context = ''): void {
  expect(numbersOf(shard.history), context).toEqual([...model.executed].sort((a, b) => a - b));
  expect(documentsIn(shard, true), context).toEqual(model.documents());
}

const open = (disk: CrashDisk, bootstrap: 'create' | 'existing'): Promise<Shard> =>
  openTestShard(createTestRuntime(disk), { bootstrap, isReplica: true, settings: { 'index.gc_deletes': '1h' } });

type Kind = 'apply' | 'flush' | 'refresh' | 'agree' | 'rollback' | 'drop' | 'confirm' | 'trim' | 'again' | 'merge';
type Step = readonly [Kind, number, number];
const stepOf = (kind: Kind, weight: number): fc.WeightedArbitrary<Step> => {
  return { weight, arbitrary: fc.tuple(fc.constant(kind), fc.nat(5), fc.nat(3)) };
};
const steps = fc.array(
  fc.oneof(
    ...[stepOf('apply', 8), stepOf('flush', 3), stepOf('refresh', 1), stepOf('agree', 3), stepOf('merge', 1)],
    ...[stepOf('rollback', 3), stepOf('drop', 1), stepOf('confirm', 1), stepOf('trim', 1), stepOf('again', 2)],
  ),
  { minLength: 4, maxLength: 30 },
);

/** Does one step with the copy, and tells the model. */
async function take(shard: Shard, model: Model, [kind, a, b]: Step): Promise<void> {
  const { history } = shard;
  const { checkpoint } = model;
  switch (kind) {
    case 'apply': {
      const numbers = Array.from({ length: a }, (_, n) => checkpoint + 1 + n + (n % 2) * b);
      const batch = numbers.map((seqNo) => operation(seqNo, model.term));
      await history.apply(batch, model.term);
      await history.sync();
      model.apply(batch);
      return;
    }
    case 'flush':
      return shard.flush(a === 0);
    case 'refresh':
      return shard.refresh();
    case 'merge':
      return shard.forceMerge({ segmentsMax: 1, onlyExpungeDeletes: false }, b === 0);
    case 'agree':
      model.globalCheckpoint = Math.max(model.globalCheckpoint, checkpoint - b);
      history.keepGlobalCheckpoint(model.globalCheckpoint);
      return history.sync();
    case 'rollback':
    case 'drop': {
      const to = Math.min(checkpoint, model.globalCheckpoint + b);
      model.globalCheckpoint = to;
      history.keepGlobalCheckpoint(to);
      model.term++;
      await history.enterTerm(model.term);
      await history.rollback(to, kind === 'drop');
      model.rollback(to, kind === 'drop');
      return;
    }
    case 'confirm':
      await history.confirm();
      model.executeAll();
      return;
    default: {
      const above = model.highest + b;
      await history.trim(above, model.term);
      model.trim(above, model.term);
    }
  }
}

describe('a copy that goes back', () => {
  test('has what a map of its operations has, whatever comes after it, and when it is opened again', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), async (taken, dies) => {
        let disk = new CrashDisk();
        let shard = await open(disk, 'create');
        const model = new Model();
        for (const step of [...taken, ['again', 0, 0] as const]) {
          if (step[0] === 'again') {
            if (!dies) await shard.close();
            disk = disk.crash(() => 0);
            shard = await open(disk, 'existing');
            // Whoever opens it counts what the log has, confirmed or not.
            model.executeAll();
            expect(shard.history.primaryTerm).toBe(model.term);
            expect(shard.history.globalCheckpoint).toBe(model.globalCheckpoint);
          } else await take(shard, model, step);
          expectSame(shard, model, step.join());
          const [kind] = step;
          if (kind === 'rollback' || kind === 'confirm') expect(documentsIn(shard, false)).toEqual(model.documents());
        }
        const found: HistoryOperation[] = [];
        for await (const batch of shard.history.changes(shard.history.completeFrom, 1_000)) found.push(...batch);
        for (const it of found) expect(it.primaryTerm).toBe(model.log.get(it.seqNo)?.primaryTerm);
        await shard.close();
      }),
      { numRuns: 150 },
    );
  }, 120_000);

  test('and dies at any moment of it has all it had, or what it goes back to and keeps', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(60), fc.boolean(), fc.integer(), async (taken, left, drops, seed) => {
        const disk = new CrashDisk();
        const shard = await open(disk, 'create');
        const model = new Model();
        for (const step of taken) if (step[0] !== 'again') await take(shard, model, step);
        const to = Math.min(model.checkpoint, model.globalCheckpoint + 1);
        shard.history.keepGlobalCheckpoint(to);
        await shard.history.sync();
        disk.operationsLeft = left;
        const isOver = await Promise.race([
          shard.history.rollback(to, drops).then(() => true),
          disk.died.then(() => false),
        ]);
        const before = model.log;
        model.rollback(to, drops);
        let state = Math.abs(seed) + 1;
        const random = (): number => {
          state = (state * 48_271) % 0x7fff_ffff;
          return state / 0x7fff_ffff;
        };
        const next = disk.crash(random);
        const again = await open(next, 'existing');
        const found = numbersOf(again.history).length;
        if (!isOver && found > model.log.size) model.log = before;
        model.executeAll();
        expectSame(again, model, `over: ${isOver}`);
        await again.close();
      }),
      { numRuns: 150 },
    );
  }, 120_000);
});
