/**
 * The power fails at each operation of the disk while the files of another copy are installed, and once more while that is ended at the
 * next start: the folder is what it was before, or what came, and never some of both.
 */
import { createMemoryDisk } from '@shoal/runtime';
import { seededRandom } from '@shoal/simulation';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Shard } from '../contract/shard.ts';
import { CrashDisk } from '../lifecycle/crash-disk.test-support.ts';
import { createTestRuntime, index, openTestShard, remove } from '../lifecycle/shard-fixture.test-support.ts';
import {
  acquired,
  beginFileRecovery,
  documentsOf,
  piecesOf,
  SOURCE_HISTORY,
  TARGET,
} from './file-recovery.test-support.ts';
import type { SafeCommit } from './shard-commits.ts';

const IDS = Array.from({ length: 24 }, (_, at) => `id-${at}`);
const some = (from: number, to: number, n: number) =>
  IDS.slice(from, to).map((id, at) => index(id, { title: `word${at % 3} all`, n: n + at }));

let commit: SafeCommit;
let pieces: readonly { readonly file: string; readonly chunk: number; readonly bytes: Uint8Array }[];
/** Documents as the installed files have them. */
let came: string;

const shown = (shard: Shard): string => JSON.stringify(documentsOf(shard, IDS));

beforeAll(async () => {
  const source = await openTestShard(createTestRuntime(createMemoryDisk()));
  await source.write(some(0, 16, 0));
  await source.flush(true);
  await source.write([...some(4, 8, 50), remove('id-1')]);
  await source.flush(true);
  came = shown(source);
  commit = await acquired(source);
  pieces = await Promise.all(
    piecesOf(commit.files, []).map(async ({ file, chunk }) => ({
      ...{ file, chunk },
      bytes: await source.commits.readChunk('alloc-2', file, chunk),
    })),
  );
});

/** A folder with a shard whose process was killed: a commit, later than the one that comes, and operations that only the translog has. */
async function oldFolder(): Promise<{ readonly disk: CrashDisk; readonly documents: string }> {
  const disk = new CrashDisk();
  const shard = await openTestShard(createTestRuntime(disk), { path: TARGET.path, allocationId: 'alloc-0' });
  await shard.write(some(8, 20, 700));
  for (let flushes = 0; flushes < 6; flushes++) await shard.flush(true);
  await shard.write([...some(18, 24, 900), remove('id-9')]);
  return { disk: disk.crash(() => 0.99), documents: shown(shard) };
}

async function install(disk: CrashDisk): Promise<'installed' | 'died'> {
  const run = async (): Promise<'installed'> => {
    const recovery = await beginFileRecovery(createTestRuntime(disk));
    for (const { file, chunk, bytes } of pieces) await recovery.keepChunk(file, chunk, bytes);
    expect(await recovery.install(commit, SOURCE_HISTORY)).not.toBe(null);
    return 'installed';
  };
  return Promise.race([run(), disk.died.then(() => 'died' as const)]);
}

function open(disk: CrashDisk, allocationId: string): Promise<Shard> {
  const options = { path: TARGET.path, allocationId, bootstrap: 'existing', isReplica: true } as const;
  return openTestShard(createTestRuntime(disk), options);
}

/** What a start finds that may itself be cut off. */
async function found(
  disk: CrashDisk,
  random: () => number,
): Promise<{ readonly disk: CrashDisk; readonly is: string }> {
  let at = disk;
  at.operationsLeft = Math.floor(random() * 40);
  const first = await Promise.race([open(at, 'alloc-3').catch(String), at.died.then(() => 'died' as const)]);
  if (first === 'died' || random() < 0.5) at = at.crash(random);
  else if (typeof first !== 'string') await first.close(true);
  at.operationsLeft = Number.POSITIVE_INFINITY;
  try {
    const shard = await open(at, 'alloc-4');
    const is = shown(shard);
    await shard.close(true);
    return { disk: at, is };
  } catch (error) {
    return { disk: at, is: String(error) };
  }
}

describe.each([
  ['a shard', oldFolder, /^$/],
  ['nothing', async () => ({ disk: new CrashDisk(), documents: 'nothing' }), /holds no shard/],
])('a folder that has %s while files are installed', (_, make, nothing) => {
  test('is the old or the new one, wherever the power fails', { timeout: 600_000 }, async () => {
    const { disk: before, documents } = await make();
    const outcomes = { old: 0, new: 0 };
    let isDone = false;
    for (let operations = 0; !isDone; operations++) {
      const random = seededRandom(`install ${operations}`);
      const unit = (): number => random.unit();
      const disk = before.crash(() => 0.99);
      disk.operationsLeft = operations;
      isDone = (await install(disk)) === 'installed';
      const { disk: after, is } = await found(disk.crash(unit), unit);
      const isOld = is === documents || (documents === 'nothing' && nothing.test(is));
      expect(isOld || is === came, `after ${operations} operations: ${is}`).toBe(true);
      if (isDone) expect(is).toBe(came);
      outcomes[isOld ? 'old' : 'new']++;
      const paths = after.paths();
      expect(paths.filter((path) => path.includes('/recovery/') || path.endsWith('install.st'))).toEqual([]);
      if (isOld) continue;
      const segments = paths.filter((path) => /\.(seg|docs)$/.test(path));
      expect(segments).toHaveLength(commit.files.filter(({ name }) => /\.(seg|docs)$/.test(name)).length);
    }
    expect(outcomes.old).toBeGreaterThan(20);
    // From its record on, and at the end.
    expect(outcomes.new).toBeGreaterThan(10);
  });
});

test('what is written after an install stays, however often the power fails', async () => {
  let disk = new CrashDisk();
  expect(await install(disk)).toBe('installed');
  // Nobody begins again who finds the folder now.
  expect(
    disk
      .crash(() => 0)
      .paths()
      .filter((path) => path.endsWith('install.st')),
  ).toEqual([]);
  for (let life = 0; life < 4; life++) {
    const shard = await open(disk, `alloc-${life + 3}`);
    const seqNo = commit.through + 1 + life;
    const operation = { kind: 'index', seqNo, primaryTerm: 1, version: 1, id: `new-${life}`, routing: null } as const;
    await shard.history.apply([{ ...operation, source: new TextEncoder().encode('{"n":1}'), origin: null }], 1);
    await shard.history.sync();
    if (life % 2 === 1) await shard.flush(true);
    disk = disk.crash(() => 0.1);
  }
  const ids = ['new-0', 'new-1', 'new-2', 'new-3'];
  expect(documentsOf(await open(disk, 'alloc-9'), ids).filter((found) => found !== null)).toHaveLength(4);
});

describe('a file that comes with one bit flipped', () => {
  test('is found before anything is in its place, and all can come again', { timeout: 600_000 }, async () => {
    const { disk: before } = await oldFolder();
    for (let seed = 0; seed < 120; seed++) {
      const random = seededRandom(`flipped ${seed}`);
      const disk = before.crash(() => 0.99);
      const recovery = await beginFileRecovery(createTestRuntime(disk));
      const there = disk.paths();
      const at = seed % pieces.length;
      for (const [position, { file, chunk, bytes }] of pieces.entries()) {
        const sent = bytes.slice();
        const bit = random.below(sent.length * 8);
        if (position === at) sent[bit >>> 3] = (sent[bit >>> 3] as number) ^ (1 << (bit & 7));
        await recovery.keepChunk(file, chunk, sent);
      }
      expect(await recovery.install(commit, SOURCE_HISTORY), `flipped ${seed} in ${pieces[at]?.file}`).toBe(null);
      expect(disk.paths()).toEqual(there);
      for (const { file, chunk, bytes } of pieces) await recovery.keepChunk(file, chunk, bytes);
      expect(await recovery.install(commit, SOURCE_HISTORY)).not.toBe(null);
      expect(disk.openFiles).toBe(0);
    }
  });
});
