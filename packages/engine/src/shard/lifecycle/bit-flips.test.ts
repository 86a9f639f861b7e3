/**
 * One bit of one file of a shard folder is flipped, or one file is cut or gone: the shard answers as if nothing had happened, or
 * says which file is damaged, and says so again when it is opened again. It never answers differently, and leaves no file open.
 */
import { isShoalError } from '@shoal/core';
import { type SeededRandom, seededRandom } from '@shoal/simulation';
import { beforeAll, describe, expect, test } from 'vitest';
import { seedsToRun } from '../../../../simulation/src/simulation-seeds.ts';
import { PLAIN_MEMORY, type SegmentMemory } from '../../memory/segment-memory.ts';
import { createSegmentMemory } from '../../memory/thread-memory.ts';
import { shardRequest } from '../../phases/query/memory-searcher.test-support.ts';
import type { Shard } from '../contract/shard.ts';
import { CrashDisk } from './crash-disk.test-support.ts';
import { openShard } from './open-shard.ts';
import { createTestRuntime, index, remove, shardOptions, type TestRuntime } from './shard-fixture.test-support.ts';

const DOCS = 180;
const stop = { isStopped: false };
const reopened = { bootstrap: 'existing', allocationId: 'alloc-2' } as const;
/** What a shard may say of damage; anything else is a defect of its own. */
const DAMAGE =
  /is damaged|was found damaged|holds no|holds a shard of index|has format version|no space|is missing|not found|: no such/;

/** A shard whose process was killed: three segments, deletes, and two groups of writes that are only in the translog. */
async function killedDisk(): Promise<CrashDisk> {
  const disk = new CrashDisk();
  const shard = await openShard(createTestRuntime(disk), shardOptions());
  const doc = (i: number, n: number) =>
    index(`id-${i}`, { title: `a${i % 3} b${i % 50} c${i}`, tag: `t${i % 7}`, n: (i * 7919 + n) % 10_007 });
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
  for (const [from, to] of [
    [0, 90],
    [90, 130],
    [130, 150],
  ] as const) {
    await shard.write(range(from, to).map((i) => doc(i, 0)));
    await shard.flush(true);
  }
  await shard.write([...range(10, 14).map((i) => remove(`id-${i}`)), ...range(100, 104).map((i) => doc(i, 5))]);
  await shard.flush(true);
  await shard.write(range(150, 165).map((i) => doc(i, 0)));
  await shard.write([...range(165, DOCS).map((i) => doc(i, 0)), remove('id-40'), doc(41, 9)]);
  return disk.crash(() => 0.99);
}

const BODIES: readonly unknown[] = [
  { query: { match: { title: 'a1 b7' } } },
  { query: { match_phrase: { title: 'a1 b7' } }, sort: [{ n: 'asc' }] },
  { query: { term: { tag: 't3' } }, sort: [{ tag: 'asc' }, { n: 'desc' }] },
  { query: { range: { n: { gte: 100, lt: 9_000 } } }, sort: [{ n: 'desc' }] },
  { query: { match_all: {} }, sort: [{ n: 'asc' }] },
];

async function readAll(shard: Shard): Promise<string> {
  const found: unknown[] = [shard.stats().docCount, shard.stats().maxSeqNo];
  for (let i = 0; i < DOCS; i++) {
    for (const realtime of [true, false]) {
      const hit = shard.get({ id: `id-${i}`, realtime });
      found.push(hit && [hit.version, hit.seqNo, hit.source && new TextDecoder().decode(hit.source)]);
    }
  }
  for (const body of BODIES) {
    const request = shardRequest({ ...(body as object), track_total_hits: true }, { keepAliveMs: 60_000, topN: DOCS });
    const { contextId, ords, total } = await shard.query(request, stop);
    const hits = contextId === null ? [] : await shard.fetch({ contextId, ords, consumed: null, request: null }, stop);
    const sorted = hits.map(({ id, source }) => `${id} ${source && new TextDecoder().decode(source)}`).sort();
    found.push(total, sorted);
  }
  return JSON.stringify(found);
}

type Outcome =
  | { readonly kind: 'answered'; readonly text: string; readonly runtime: TestRuntime }
  | { readonly kind: 'damaged'; readonly reason: string; readonly isOpen: boolean };

async function openAndRead(disk: CrashDisk, memory: SegmentMemory): Promise<Outcome> {
  const runtime = createTestRuntime(disk);
  let shard: Shard | null = null;
  try {
    shard = await openShard(runtime, shardOptions(reopened), memory);
    const text = await readAll(shard);
    return { kind: 'answered', text, runtime };
  } catch (error) {
    // An assertion, a `RangeError` or the like is not how damage is told.
    if (!isShoalError(error) && !(error instanceof Error && error.name === 'DiskError')) throw error;
    return { kind: 'damaged', reason: error.message, isOpen: shard !== null };
  } finally {
    await shard?.close();
  }
}

/** Damages one file of the folder; says what it did. */
async function damage(disk: CrashDisk, random: SeededRandom): Promise<string> {
  const path = random.pick(disk.paths());
  const size = (await disk.readFile(path)).length;
  const dice = random.unit();
  if (dice < 0.06) {
    await disk.unlink(path);
    return `${path} is gone`;
  }
  if (dice < 0.14) {
    const kept = random.below(size);
    const file = await disk.open(path, 'update');
    await file.truncate(kept);
    await file.close();
    return `${path} is cut to ${kept} of ${size}`;
  }
  const bit = random.below(size * 8);
  disk.damage(path, bit);
  return `${path} bit ${bit} of byte ${bit >>> 3}/${size}`;
}

describe('a shard folder with one damage', () => {
  let whole: CrashDisk;
  let expected: string;

  beforeAll(async () => {
    whole = await killedDisk();
    const outcome = await openAndRead(
      whole.crash(() => 0.99),
      PLAIN_MEMORY,
    );
    expect(outcome.kind).toBe('answered');
    expected = outcome.kind === 'answered' ? outcome.text : outcome.reason;
    expect(expected).toContain('c179');
  });

  test.each([
    ['with kernels', () => createSegmentMemory({ bytesMax: 2 ** 28 })],
    ['without', () => PLAIN_MEMORY],
  ])('answers right or names the file, %s', { timeout: 600_000 }, async (_, memoryOf) => {
    const memory = memoryOf();
    const problems: string[] = [];
    for (const seed of seedsToRun(60)) {
      const disk = whole.crash(() => 0.99);
      const done = `SEED=${seed}: ${await damage(disk, seededRandom(`flip ${seed}`))}`;
      const problem = await problemOf(disk, memory, expected).catch((error: unknown) => String(error));
      if (problem !== null) problems.push(`${done}: ${problem}`);
    }
    expect(problems).toEqual([]);
  });
});

/** null: all is as it must be. */
async function problemOf(disk: CrashDisk, memory: SegmentMemory, expected: string): Promise<string | null> {
  const outcome = await openAndRead(disk, memory);
  if (outcome.kind === 'answered') return outcome.text === expected ? null : `answers ${outcome.text.slice(0, 200)}`;
  if (!DAMAGE.test(outcome.reason)) return `says ${outcome.reason}`;
  if (disk.openFiles > 0) return `leaves ${disk.openFiles} files open after ${outcome.reason}`;
  const again = await openAndRead(disk, memory);
  return again.kind === 'damaged' && !again.isOpen ? null : `said ${outcome.reason}, and opens again`;
}
