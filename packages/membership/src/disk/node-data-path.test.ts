import {
  createMemoryDisk,
  createNodeRuntime,
  createSilentLog,
  type Disk,
  DiskError,
  type Runtime,
} from '@shoal/runtime';
import { expect, test } from 'vitest';
import { openDataPath } from './node-data-path.ts';
import { SpaceReserve } from './space-reserve.ts';

const PATH = 'data/_state/node-id';

function newRuntime(): Runtime {
  return { ...createNodeRuntime({ log: createSilentLog() }), disk: createMemoryDisk() };
}

async function idOf(runtime: Runtime): Promise<string> {
  const opened = await openDataPath(runtime, 'data');
  await opened.release();
  return opened.nodeId;
}

async function write({ disk }: Runtime, bytes: Uint8Array): Promise<void> {
  const file = await disk.open(PATH, 'create');
  await file.write(bytes, 0);
  await file.close();
}

test('a node keeps its id, also one that was written without a checksum', async () => {
  const runtime = newRuntime();
  const id = await idOf(runtime);
  expect(await idOf(runtime)).toBe(id);
  await write(runtime, new TextEncoder().encode(`${id}\n`));
  expect([await idOf(runtime), await idOf(runtime)]).toEqual([id, id]);
});

test('a node id with a flipped bit is refused: the node would be another', async () => {
  const runtime = newRuntime();
  await idOf(runtime);
  const good = await runtime.disk.readFile(PATH);
  for (let bit = 0; bit < good.length * 8; bit++) {
    const bad = good.slice();
    bad[bit >>> 3] = (bad[bit >>> 3] ?? 0) ^ (1 << (bit & 7));
    await write(runtime, bad);
    await expect(idOf(runtime), `bit ${bit}`).rejects.toThrow(`[${PATH}] holds no node id`);
  }
});

/** A disk of so many bytes. */
function sized(capacityBytes: number): { readonly disk: Disk; readonly fill: () => Promise<void> } {
  const disk = createMemoryDisk();
  const paths = new Set<string>();
  const usedBytes = async (): Promise<number> => {
    const sizes = await Promise.all([...paths].map((path) => disk.stat(path).catch(() => ({ sizeBytes: 0 }))));
    return sizes.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  };
  const open: Disk['open'] = async (path, mode) => {
    paths.add(path);
    const file = await disk.open(path, mode);
    const write: typeof file.write = async (bytes, offset) => {
      const growth = offset + bytes.length - (await file.sizeBytes());
      if (growth > 0 && (await usedBytes()) + growth > capacityBytes)
        throw new DiskError('full', path, `${path}: full`);
      await file.write(bytes, offset);
    };
    return new Proxy(file, {
      get: (target, name) => (name === 'write' ? write : bound(target, name)),
    });
  };
  const space: Disk['space'] = async () => ({
    totalBytes: capacityBytes,
    freeBytes: capacityBytes - (await usedBytes()),
  });
  const lock: Disk['lock'] = async (path) => {
    if ((await usedBytes()) >= capacityBytes) throw new DiskError('full', path, `${path}: full`);
    return disk.lock(path);
  };
  const own: Partial<Disk> = { open, space, lock };
  const limited = new Proxy(disk, {
    get: (target, name) => own[name as keyof Disk] ?? bound(target, name),
  });
  const fill = async (): Promise<void> => {
    const { freeBytes } = await space('.');
    const file = await limited.open('data/ballast', 'create');
    await file.write(new Uint8Array(freeBytes), 0);
  };
  return { disk: limited, fill };
}

function bound(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name);
  return typeof value === 'function' ? value.bind(target) : value;
}

/** A runtime whose timers end when the test says so. */
function onDisk(disk: Disk): { readonly runtime: Runtime; readonly timers: (() => void)[] } {
  const timers: (() => void)[] = [];
  const after = (_: number, fn: () => void) => {
    timers.push(fn);
    return () => {};
  };
  return { runtime: { ...newRuntime(), disk, sched: { after, soon: queueMicrotask } }, timers };
}

test('a node starts on a full disk in the space that it had kept, which is kept again when there is room', async () => {
  const { disk, fill } = sized(4 * 1024 * 1024);
  const { runtime, timers } = onDisk(disk);
  const first = await openDataPath(runtime, 'data');
  const reserve = new SpaceReserve(runtime, first.stateFolder, 1024 * 1024);
  expect(reserve.isSpent).toBe(true);
  timers.shift()?.();
  await expect.poll(() => reserve.isSpent).toBe(false);
  expect((await disk.stat('data/_state/reserve')).sizeBytes).toBe(256 * 1024);
  await fill();
  await first.release();
  const second = await openDataPath(runtime, 'data');
  expect((await disk.space('data')).freeBytes).toBe(256 * 1024);
  await disk.unlink('data/ballast');
  const again = new SpaceReserve(runtime, second.stateFolder, 1024 * 1024);
  timers.at(-1)?.();
  await expect.poll(() => again.isSpent).toBe(false);
  await Promise.all([reserve.close(), again.close()]);
});

test('kept space is given back by pieces, so that one who is quicker than the cluster state does not get all of it', async () => {
  const { disk, fill } = sized(4 * 1024 * 1024);
  const { runtime, timers } = onDisk(disk);
  const { stateFolder } = await openDataPath(runtime, 'data');
  const reserve = new SpaceReserve(runtime, stateFolder, 256 * 1024);
  timers.shift()?.();
  await expect.poll(() => reserve.isSpent).toBe(false);
  await fill();
  const given: number[] = [];
  while (await reserve.release()) {
    given.push((await disk.space('data')).freeBytes);
    const thief = await disk.open(`data/thief-${given.length}`, 'create');
    await thief.write(new Uint8Array(given.at(-1) ?? 0), 0);
  }
  expect(given).toEqual([1, 2, 3, 4].map(() => 64 * 1024));
  expect(reserve.isSpent).toBe(true);
  for (let n = 1; n <= given.length; n++) await disk.unlink(`data/thief-${n}`);
  await disk.unlink('data/ballast');
  timers.at(-1)?.();
  await expect.poll(() => reserve.isSpent).toBe(false);
  await fill();
  expect([await reserve.release(), reserve.isSpent]).toEqual([true, false]);
  await reserve.close();
});
