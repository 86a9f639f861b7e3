import { createMemoryDisk, createNodeRuntime, createSilentLog, type Runtime } from '@shoal/runtime';
import { expect, test } from 'vitest';
import { openDataPath } from './node-data-path.ts';

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
