import { emptyClusterState, headerOf } from '@shoal/cluster';
import type { ClusterState } from '@shoal/cluster-state';
import { type DurableState, initialDurableState } from '@shoal/consensus';
import { createMemoryDisk, createSilentLog, type Disk, DiskError } from '@shoal/runtime';
import { createWorld } from '@shoal/simulation';
import { describe, expect, test } from 'vitest';
import { CoordinationLog, type OpenedLog } from './coordination-log.ts';

const FOLDER = 'data/_state';
const EMPTY = initialDurableState(emptyClusterState('c'));

function durable(
  currentTerm: number,
  version: number,
  settings: Record<string, string> = {},
): DurableState<ClusterState> {
  const base = emptyClusterState('c');
  const value: ClusterState = {
    ...base,
    term: currentTerm,
    version,
    stateUuid: `s-${currentTerm}-${version}`,
    metadata: { ...base.metadata, persistentSettings: settings },
  };
  return { currentTerm, accepted: { ...headerOf(value), value } };
}

async function newDisk(): Promise<Disk> {
  const disk = createMemoryDisk();
  await disk.mkdir(FOLDER);
  return disk;
}

function open(disk: Disk, rotateBytes = 1e9): Promise<OpenedLog> {
  return CoordinationLog.open(disk, FOLDER, EMPTY, {
    log: createSilentLog(),
    sched: { after: () => () => {}, soon: queueMicrotask },
    clock: { monotonicMs: () => 0, wallMs: () => 0 },
    rotateBytes,
  });
}

describe('the coordination log', () => {
  test('gives back the last state saved, after any mix of terms, states and commits', async () => {
    const disk = await newDisk();
    const { log, durable: first } = await open(disk);
    expect(first).toBe(EMPTY);
    const one = durable(1, 1);
    await log.save(one);
    await log.save({ ...one, currentTerm: 2 });
    const two = durable(2, 2, { 'cluster.max_shards_per_node': '7' });
    await log.save(two);
    const { value: bare, ...header } = two.accepted;
    const value = { ...bare, metadata: { ...bare.metadata, clusterUuidCommitted: true } };
    const committed = { currentTerm: 2, accepted: { ...header, clusterUuidCommitted: true, value } };
    await log.save(committed);
    await log.close();
    const again = await open(disk);
    expect(again.durable).toEqual(committed);
  });

  test('rewrites itself as one record when it is large', async () => {
    const disk = await newDisk();
    const { log } = await open(disk, 1);
    for (let n = 1; n <= 4; n++) await log.save(durable(1, n));
    await log.close();
    expect(await disk.list(FOLDER)).toEqual(['coord-4.log', 'coord.mark']);
    expect((await open(disk)).durable).toEqual(durable(1, 4));
  });

  test('rewrites itself when what follows its state is many times as large', async () => {
    const disk = await newDisk();
    const { log } = await open(disk);
    const random = createWorld({ seed: 1 }).node('a').runtime.random;
    let n = 0;
    const next = (): DurableState<ClusterState> => {
      // Random text, which does not become smaller when it is packed.
      return durable(1, ++n, { 'cluster.metadata.x': Buffer.from(random.bytes(60_000)).toString('latin1') });
    };
    for (let i = 0; i < 7; i++) await log.save(next());
    expect(await disk.list(FOLDER)).toEqual(['coord-1.log', 'coord.mark']);
    let last = next();
    while ((await disk.list(FOLDER)).includes('coord-1.log')) {
      expect(n).toBeLessThan(30);
      await log.save(last);
      last = next();
    }
    await log.close();
    expect((await open(disk)).durable.accepted.version).toBe(n - 1);
  });

  test('is not rewritten for a term alone, however large it is: an election waits for that', async () => {
    const disk = await newDisk();
    const { log } = await open(disk);
    await log.save(durable(1, 1));
    await log.close();
    const { log: large, durable: read } = await open(disk, 1);
    await large.save({ ...read, currentTerm: 9 });
    expect(await disk.list(FOLDER)).toEqual(['coord-1.log', 'coord.mark']);
    await large.close();
    expect((await open(disk)).durable.currentTerm).toBe(9);
  });

  test('that found no room for its rewriting writes it when there is room, and leaves no old generation', async () => {
    const disk = await newDisk();
    let hasRoom = true;
    const crowded: Disk = {
      ...disk,
      list: (folder) => disk.list(folder),
      exists: (path) => disk.exists(path),
      readFile: (path) => disk.readFile(path),
      rename: (from, to) => disk.rename(from, to),
      unlink: (path) => disk.unlink(path),
      syncDir: (folder) => disk.syncDir(folder),
      open: (path, mode) =>
        hasRoom ? disk.open(path, mode) : Promise.reject(new DiskError('full', path, `${path}: no space left`)),
    };
    const { log } = await open(crowded, 1);
    await log.save(durable(1, 1));
    hasRoom = false;
    await expect(log.save(durable(1, 2))).rejects.toMatchObject({ kind: 'full' });
    await expect(log.save(durable(1, 2))).rejects.toMatchObject({ kind: 'full' });
    hasRoom = true;
    await log.save(durable(1, 2));
    await log.close();
    expect(await disk.list(FOLDER)).toEqual(['coord-2.log', 'coord.mark']);
    expect((await open(disk)).durable).toEqual(durable(1, 2));
  });

  test('drops a torn last record at any length, and goes on behind the good ones', async () => {
    const disk = await newDisk();
    const { log } = await open(disk);
    await log.save(durable(1, 1));
    const good = (await disk.stat(`${FOLDER}/coord-1.log`)).sizeBytes;
    await log.save(durable(1, 2, { a: 'b' }));
    await log.close();
    const all = await disk.readFile(`${FOLDER}/coord-1.log`);
    for (let size = good; size < all.length; size += 7) {
      const torn = await newDisk();
      const file = await torn.open(`${FOLDER}/coord-1.log`, 'create');
      await file.write(all.slice(0, size), 0);
      const opened = await open(torn);
      expect(opened.durable).toEqual(durable(1, 1));
      await opened.log.save(durable(3, 5));
      await opened.log.close();
      expect((await open(torn)).durable).toEqual(durable(3, 5));
    }
  });

  test('with a bad last record, cut or gone refuses to be read: it had answered for it', async () => {
    const disk = await newDisk();
    const { log } = await open(disk);
    await log.save(durable(1, 1));
    const offset = (await disk.stat(`${FOLDER}/coord-1.log`)).sizeBytes;
    await log.save(durable(1, 2));
    const all = await disk.readFile(`${FOLDER}/coord-1.log`);
    const file = await disk.open(`${FOLDER}/coord-1.log`, 'update');
    for (let at = offset; at < all.length; at += 5) {
      await file.write(new Uint8Array([(all[at] ?? 0) ^ 4]), at);
      await expect(open(disk)).rejects.toThrow(new RegExp(`coord-1.log.*offset \\[${offset}\\]`));
      await file.write(all.subarray(at, at + 1), at);
    }
    expect((await open(disk)).durable).toEqual(durable(1, 2));
    await file.truncate(offset);
    await expect(open(disk)).rejects.toThrow(/made durable/);
    await disk.unlink(`${FOLDER}/coord-1.log`);
    await expect(open(disk)).rejects.toThrow(/the file is missing/);
  });

  test('with any flipped bit, in it or in its mark, gives back the same state or refuses to be read', async () => {
    const disk = await newDisk();
    const { log } = await open(disk);
    for (let n = 1; n <= 3; n++) await log.save(durable(1, n, { 'cluster.max_shards_per_node': `${n}` }));
    await log.save({ ...durable(1, 3, { 'cluster.max_shards_per_node': '3' }), currentTerm: 4 });
    const last = (await open(disk)).durable;
    for (const name of ['coord-1.log', 'coord.mark']) {
      const path = `${FOLDER}/${name}`;
      const good = await disk.readFile(path);
      const file = await disk.open(path, 'update');
      let refused = 0;
      // Every byte, each with another bit than its neighbours.
      for (let at = 0; at < good.length; at++) {
        await file.write(new Uint8Array([(good[at] ?? 0) ^ (1 << (at % 8))]), at);
        const found = await open(disk).catch((error: unknown) => String(error));
        if (typeof found === 'string') {
          expect(found, `byte ${at} of ${name}`).toMatch(/coordination state cannot be read from/);
          refused++;
        } else expect(found.durable, `byte ${at} of ${name}`).toEqual(last);
        await file.write(good.subarray(at, at + 1), at);
      }
      expect(refused).toBe(name === 'coord-1.log' ? good.length : 0);
    }
  });

  test('with a bad record before good ones refuses to be read, naming path and offset', async () => {
    const disk = await newDisk();
    const { log } = await open(disk);
    await log.save(durable(1, 1));
    const offset = (await disk.stat(`${FOLDER}/coord-1.log`)).sizeBytes;
    await log.save(durable(1, 2));
    await log.save(durable(1, 3));
    const file = await disk.open(`${FOLDER}/coord-1.log`, 'update');
    await file.write(new Uint8Array([255, 255]), offset + 14);
    await expect(open(disk)).rejects.toThrow(new RegExp(`coord-1.log.*offset \\[${offset}\\]`));
    await file.write(new Uint8Array([9]), offset + 4);
    await expect(open(disk)).rejects.toThrow(/damaged/);
  });

  test('of a newer format is refused', async () => {
    const disk = await newDisk();
    const { log } = await open(disk);
    await log.save(durable(1, 1));
    const file = await disk.open(`${FOLDER}/coord-1.log`, 'update');
    await file.write(new Uint8Array([9]), 7);
    await expect(open(disk)).rejects.toThrow(/format version \[9\]/);
  });
});
