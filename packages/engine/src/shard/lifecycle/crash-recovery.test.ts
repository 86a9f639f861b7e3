import { packOperations, RequestToken, type WriteOperation } from '@shoal/shard-api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
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
} from './shard-fixture.test-support.ts';

/** Numbers 0..1 from a seed, the same in every run. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const IDS = 6;

/** What may be read for an id: null when there is no document. Several while an answer is outstanding. */
type Allowed = Map<string, Set<string | null>>;

/** Random work until the disk's process dies; every acknowledged write narrows what may be read. */
async function work(
  shard: Shard,
  random: () => number,
  allowed: Allowed,
  counter: { n: number },
  advance: (ms: number) => Promise<void>,
): Promise<void> {
  for (let step = 0; step < 60; step++) {
    const dice = random();
    if (dice < 0.75) {
      const after = new Map<string, string | null>();
      const operations = Array.from({ length: 1 + Math.floor(random() * 4) }, () => {
        const id = `id${Math.floor(random() * IDS)}`;
        const isDelete = random() < 0.25;
        const source = `{"n":${counter.n++},"title":"word${counter.n % 5} all"}`;
        after.set(id, isDelete ? null : source);
        // Any state on the way may be what a crash leaves.
        allowed.set(id, new Set([...(allowed.get(id) ?? [null]), isDelete ? null : source]));
        return isDelete ? remove(id) : index(id, source);
      });
      const { results } = await shard.write(operations);
      expect(results.errors.size).toBe(0);
      for (const [id, state] of after) allowed.set(id, new Set([state]));
    } else if (dice < 0.87) await shard.refresh();
    else if (dice < 0.94) await shard.flush(dice < 0.9);
    else await advance(1_000);
  }
}

function check(shard: Shard, allowed: Allowed, context: string): void {
  let live = 0;
  for (let i = 0; i < IDS; i++) {
    const found = sourceOf(shard, `id${i}`);
    expect([...(allowed.get(`id${i}`) ?? [null])], `id${i} ${context}`).toContain(found);
    expect(sourceOf(shard, `id${i}`, false)).toBe(found);
    allowed.set(`id${i}`, new Set([found]));
    if (found !== null) live++;
  }
  expect(shard.stats().docCount, context).toBe(live);
}

async function lives(seed: number): Promise<void> {
  const random = seeded(seed);
  const allowed: Allowed = new Map();
  const counter = { n: 0 };
  let disk = new CrashDisk();
  const first = await openTestShard(createTestRuntime(disk));
  await first.close();
  for (let life = 0; life < 5; life++) {
    const context = `seed ${seed} life ${life}`;
    // A start may die too: the next one tries again on what that left.
    disk.operationsLeft = random() < 0.3 ? Math.floor(random() * 30) : Math.floor(random() * 400);
    const runtime = createTestRuntime(disk);
    const dead = disk.died.then(() => 'died' as const);
    const opened = await Promise.race([openTestShard(runtime, { bootstrap: 'existing' }), dead]);
    if (opened !== 'died') {
      check(opened, allowed, context);
      const done = await Promise.race([work(opened, random, allowed, counter, runtime.advance), dead]);
      if (done !== 'died' && random() < 0.5) await Promise.race([opened.close(), dead]);
    }
    disk = disk.crash(random);
  }
  check(await openTestShard(createTestRuntime(disk), { bootstrap: 'existing' }), allowed, `seed ${seed} at the end`);
}

describe('a process that dies at any moment', () => {
  test('loses nothing that was acknowledged, and starts again', async () => {
    for (let seed = 1; seed <= 60; seed++) await lives(seed);
  });
});

describe('a request that comes again', () => {
  const token = new RequestToken([1, 2, 3]);
  const operations = (): readonly WriteOperation[] => [
    index('a', { n: 1 }, { opType: 'create' }),
    remove('a'),
    index('a', { n: 2 }, { opType: 'create' }),
    update('a', { doc: { n: 3 } }),
    remove('nothere'),
    index('plain', { n: 1 }),
  ];
  const send = async (shard: Shard, name: RequestToken): Promise<readonly string[]> => {
    const { results } = await shard.write(packOperations(operations(), name));
    return [...results].map((result) =>
      result.kind === 'done' ? `${result.result} ${result.version} ${result.seqNo}` : result.error.type,
    );
  };
  const FIRST = ['created 1 0', 'deleted 2 1', 'created 3 2', 'updated 4 3', 'not_found 1 4', 'created 1 5'];

  test('is answered as it was the first time, by the same process and by the next one', async () => {
    const disk = new CrashDisk();
    const shard = await openTestShard(createTestRuntime(disk));
    expect(await send(shard, token)).toEqual(FIRST);
    expect(await send(shard, token)).toEqual(FIRST);
    const next = await openTestShard(createTestRuntime(disk.crash(() => 0)), { bootstrap: 'existing' });
    expect(await send(next, token)).toEqual(FIRST);
    expect(sourceOf(next, 'a')).toBe('{"n":3}');
  });

  test('is answered so after a commit cut the translog, too', async () => {
    const disk = new CrashDisk();
    const shard = await openTestShard(createTestRuntime(disk));
    await send(shard, token);
    await shard.close();
    const next = await openTestShard(createTestRuntime(disk.crash(() => 0)), { bootstrap: 'existing', primaryTerm: 2 });
    expect(await send(next, token)).toEqual(FIRST);
    await next.close();
    const last = await openTestShard(createTestRuntime(disk.crash(() => 0)), { bootstrap: 'existing', primaryTerm: 3 });
    expect(await send(last, token)).toEqual(FIRST);
  });

  test('takes back nothing of what others wrote since, also where it put documents as a whole', async () => {
    const disk = new CrashDisk();
    const shard = await openTestShard(createTestRuntime(disk));
    const puts = packOperations([index('kept', { n: 1 }), index('gone', { n: 1 })], token);
    await shard.write(puts);
    await shard.write(packOperations([index('kept', { n: 2 }), remove('gone')], new RequestToken([1, 2, 4])));
    await shard.write(puts);
    expect(sourceOf(shard, 'kept')).toBe('{"n":2}');
    expect(shard.get({ id: 'gone', realtime: true })).toBe(null);
    const next = await openTestShard(createTestRuntime(disk.crash(() => 0)), { bootstrap: 'existing' });
    await next.write(puts);
    expect(sourceOf(next, 'kept')).toBe('{"n":2}');
    expect(next.get({ id: 'gone', realtime: true })).toBe(null);
  });

  test('is no reason to keep documents back when what is known of it is damaged', async () => {
    const disk = new CrashDisk();
    const runtime = createTestRuntime(disk);
    const shard = await openTestShard(runtime);
    await send(shard, token);
    await shard.close();
    const path = disk.paths().find((name) => name.endsWith('recent-writes.st')) ?? '';
    const file = await disk.open(path, 'update');
    await file.write(new Uint8Array([7, 7, 7]), 20);
    await file.close();
    const next = await openTestShard(runtime, { bootstrap: 'existing', primaryTerm: 2 });
    expect(sourceOf(next, 'plain')).toBe('{"n":1}');
    expect((await send(next, token))[0]).toBe('version_conflict_engine_exception');
  });

  test('under another name is another request', async () => {
    const shard = await openTestShard(createTestRuntime(new CrashDisk()));
    await send(shard, token);
    const [create, deletion] = await send(shard, new RequestToken([1, 2, 4]));
    expect([create, deletion]).toEqual(['version_conflict_engine_exception', 'deleted 5 6']);
  });

  test('finishes what the first attempt left undone', async () => {
    const shard = await openTestShard(createTestRuntime(new CrashDisk()));
    await shard.write(packOperations(operations().slice(0, 1), token));
    expect(await send(shard, token)).toEqual(FIRST);
  });
});

describe('a translog', () => {
  const translogOf = (disk: CrashDisk): string =>
    disk
      .paths()
      .filter((path) => path.endsWith('.tlog'))
      .at(-1) ?? '';
  /** Bytes of its records: the file has room behind them. */
  const recordsSize = async (disk: CrashDisk): Promise<number> => {
    const bytes = await disk.readFile(translogOf(disk));
    return bytes.findLastIndex((byte) => byte !== 0) + 1;
  };
  const markOf = (disk: CrashDisk): string => disk.paths().find((path) => path.endsWith('.mark')) ?? '';

  test('damaged where it had been durable is refused with path and offset', async () => {
    const disk = new CrashDisk();
    const shard = await openTestShard(createTestRuntime(disk));
    for (let i = 0; i < 5; i++)
      expect(shown((await shard.write([index(`${i}`, { n: i })])).results.at(0))).toBe('created');
    const path = translogOf(disk);
    await fc.assert(
      fc.asyncProperty(fc.nat(150 * 8), async (bit) => {
        const copy = disk.crash(() => 0);
        copy.damage(path, 32 * 8 + bit);
        await expect(openTestShard(createTestRuntime(copy), { bootstrap: 'existing' })).rejects.toThrow(
          `translog file [${path}] is damaged at offset [`,
        );
      }),
      { numRuns: 40 },
    );
  });

  test('with a torn end starts without it', async () => {
    const disk = new CrashDisk();
    const shard = await openTestShard(createTestRuntime(disk));
    await shard.write([index('1', { n: 1 })]);
    const path = translogOf(disk);
    const size = await recordsSize(disk);
    await shard.write([index('2', { n: 2 })]);
    const copy = disk.crash(() => 0);
    // The machine failed before the mark of the second write was on disk.
    await copy.unlink(markOf(disk));
    copy.damage(path, (size + 20) * 8);
    const again = await openTestShard(createTestRuntime(copy), { bootstrap: 'existing' });
    expect([sourceOf(again, '1'), sourceOf(again, '2')]).toEqual(['{"n":1}', null]);
    expect((await again.write([index('3', { n: 3 })])).results.at(0)).toMatchObject({ seqNo: 1 });
  });

  test('damaged in its last acknowledged batch is refused, also when its newest file is cut or gone', async () => {
    const disk = new CrashDisk();
    const shard = await openTestShard(createTestRuntime(disk));
    await shard.write([index('1', { n: 1 })]);
    const path = translogOf(disk);
    const start = await recordsSize(disk);
    await shard.write(Array.from({ length: 20 }, (_, n) => index(`b${n}`, { n })));
    const size = await recordsSize(disk);
    const killed = (): CrashDisk => disk.crash(() => 0.99);
    const open = (copy: CrashDisk) => openTestShard(createTestRuntime(copy), { bootstrap: 'existing' });
    expect((await open(killed())).stats().maxSeqNo).toBe(20);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: start * 8, max: size * 8 - 1 }), async (bit) => {
        const copy = killed();
        copy.damage(path, bit);
        await expect(open(copy)).rejects.toThrow(`translog file [${path}] is damaged at offset [`);
      }),
      { numRuns: 40 },
    );
    const cut = killed();
    await (await cut.open(path, 'update')).truncate(start);
    await expect(open(cut)).rejects.toThrow(`[${size}] bytes of it had been made durable`);
    await shard.flush(true);
    await shard.write([index('2', { n: 2 })]);
    const gone = killed();
    await gone.unlink(translogOf(disk));
    await expect(open(gone)).rejects.toThrow('the file is missing');
  });

  test('whose mark is damaged, old or gone starts with all that its files hold', async () => {
    const disk = new CrashDisk();
    const shard = await openTestShard(createTestRuntime(disk));
    await shard.write([index('1', { n: 1 })]);
    const old = await disk.readFile(markOf(disk));
    await shard.write([index('2', { n: 2 })]);
    const damages: ((copy: CrashDisk) => Promise<void>)[] = [
      async (copy) => copy.damage(markOf(disk), 100),
      async (copy) => (await copy.open(markOf(disk), 'create')).write(old, 0),
      (copy) => copy.unlink(markOf(disk)),
    ];
    for (const damage of damages) {
      const copy = disk.crash(() => 0.99);
      await damage(copy);
      const again = await openTestShard(createTestRuntime(copy), { bootstrap: 'existing' });
      expect([sourceOf(again, '1'), sourceOf(again, '2')]).toEqual(['{"n":1}', '{"n":2}']);
      await again.close();
    }
  });

  test('has its mark on disk when writes pause', async () => {
    const disk = new CrashDisk();
    const runtime = createTestRuntime(disk);
    const shard = await openTestShard(runtime);
    await shard.write([index('1', { n: 1 })]);
    const size = await recordsSize(disk);
    for (let i = 0; i < 3; i++) await runtime.advance(500);
    const copy = disk.crash(() => 0);
    copy.damage(translogOf(disk), (size - 3) * 8);
    await expect(openTestShard(createTestRuntime(copy), { bootstrap: 'existing' })).rejects.toThrow('made durable');
  });
});

describe('a segment file', () => {
  test('with a flipped bit keeps the shard from starting', async () => {
    const disk = new CrashDisk();
    const shard = await openTestShard(createTestRuntime(disk));
    await shard.write([index('1', { n: 1, title: 'a b c' })]);
    await shard.close();
    const path = disk.paths().find((name) => name.endsWith('.seg')) ?? '';
    const copy = disk.crash(() => 0);
    copy.damage(path, 400);
    await expect(openTestShard(createTestRuntime(copy), { bootstrap: 'existing' })).rejects.toThrow(
      `segment file [${path}] is damaged`,
    );
  });

  test('of stored documents with a flipped bit gives no document of that block, and ends the shard', async () => {
    const disk = new CrashDisk();
    const shard = await openTestShard(createTestRuntime(disk));
    await shard.write([index('1', { n: 1, title: 'a b c' })]);
    await shard.close();
    const path = disk.paths().find((name) => name.endsWith('.docs')) ?? '';
    const copy = disk.crash(() => 0);
    copy.damage(path, 40 * 8);
    const again = await openTestShard(createTestRuntime(copy), { bootstrap: 'existing' });
    expect(() => sourceOf(again, '1')).toThrow(`segment file [${path}] is damaged: checksum of a block`);
    await expect(again.write([index('2', { n: 2 })])).rejects.toMatchObject({ type: 'corrupt_index_exception' });
  });
});
