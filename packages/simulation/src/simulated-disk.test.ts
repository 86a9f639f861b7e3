import type { Disk, DiskError } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { SECTOR_BYTES } from './sector-content.ts';
import { createWorld, type SimulatedWorld } from './simulated-world.ts';

async function writeFile(disk: Disk, path: string, bytes: Uint8Array, options: { sync: boolean }): Promise<void> {
  const file = await disk.open(path, 'create');
  await file.write(bytes, 0);
  if (options.sync) await file.sync();
  await file.close();
}

function kindOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'done',
    (error: DiskError) => error.kind,
  );
}

/** What a crash leaves of a file that was written in one way, over many seeds. */
async function afterCrash(
  seeds: number,
  prepare: (disk: Disk) => Promise<void>,
  look: (disk: Disk, world: SimulatedWorld) => Promise<string>,
): Promise<Set<string>> {
  const seen = new Set<string>();
  for (let seed = 0; seed < seeds; seed++) {
    const world = createWorld({ seed });
    const node = world.node('n1');
    await world.settle(prepare(node.runtime.disk));
    node.crash();
    seen.add(await world.settle(look(node.restart().disk, world)));
  }
  return seen;
}

describe('after a crash, the simulated disk', () => {
  test('has everything that was synced, file and name', async () => {
    const seen = await afterCrash(
      20,
      async (disk) => {
        await writeFile(disk, 'a', new Uint8Array(10_000).fill(1), { sync: true });
        await disk.syncDir('');
      },
      async (disk) => String((await disk.readFile('a')).reduce((sum, byte) => sum + byte, 0)),
    );
    expect(seen).toEqual(new Set(['10000']));
  });

  test('may have lost a name whose folder was not synced', async () => {
    const seen = await afterCrash(
      20,
      (disk) => writeFile(disk, 'a', new Uint8Array([1]), { sync: true }),
      async (disk) => String(await disk.exists('a')),
    );
    expect(seen).toEqual(new Set(['true', 'false']));
  });

  test('has any subset of the sectors that were not synced', async () => {
    const seen = await afterCrash(
      60,
      async (disk) => {
        await writeFile(disk, 'a', new Uint8Array(3 * SECTOR_BYTES), { sync: true });
        await disk.syncDir('');
        const file = await disk.open('a', 'update');
        await file.write(new Uint8Array(3 * SECTOR_BYTES).fill(1), 0);
      },
      async (disk) => {
        const bytes = await disk.readFile('a');
        return [0, 1, 2].map((sector) => bytes[sector * SECTOR_BYTES]).join('');
      },
    );
    expect(seen).toEqual(new Set(['000', '001', '010', '011', '100', '101', '110', '111']));
  });

  test('has a rename whole or not at all', async () => {
    const seen = await afterCrash(
      20,
      async (disk) => {
        await writeFile(disk, 'old', new Uint8Array([1]), { sync: true });
        await writeFile(disk, 'new', new Uint8Array([2]), { sync: true });
        await disk.syncDir('');
        await disk.rename('new', 'old');
      },
      async (disk) => `${(await disk.list('')).join()}:${(await disk.readFile('old'))[0]}`,
    );
    expect(seen).toEqual(new Set(['new,old:1', 'old:2']));
  });

  test('has lost what a failed sync was to make durable', async () => {
    const world = createWorld({ seed: 1 });
    const node = world.node('n1');
    const { disk } = node.runtime;
    await world.settle(writeFile(disk, 'a', new Uint8Array([1]), { sync: true }));
    await world.settle(disk.syncDir(''));
    const file = await world.settle(disk.open('a', 'update'));
    await world.settle(file.write(new Uint8Array([2]), 0));
    node.setDiskFaults({ syncErrors: 1 });
    expect(await world.settle(kindOf(file.sync()))).toBe('io');
    const after = node.restart().disk;
    expect((await world.settle(after.readFile('a')))[0]).toBe(1);
  });

  test('holds no lock of the dead process', async () => {
    const world = createWorld({ seed: 1 });
    const node = world.node('n1');
    await world.settle(node.runtime.disk.lock('node.lock'));
    expect(await world.settle(kindOf(node.runtime.disk.lock('node.lock')))).toBe('locked');
    expect(await world.settle(kindOf(node.restart().disk.lock('node.lock')))).toBe('done');
  });
});

describe('a full disk', () => {
  test('takes no byte more than it holds', async () => {
    const world = createWorld({ seed: 1, disk: { capacityBytes: 100 } });
    const { disk } = world.node('n1').runtime;
    expect(await world.settle(kindOf(writeFile(disk, 'a', new Uint8Array(100), { sync: true })))).toBe('done');
    expect(await world.settle(kindOf(writeFile(disk, 'b', new Uint8Array(1), { sync: true })))).toBe('full');
  });
});
