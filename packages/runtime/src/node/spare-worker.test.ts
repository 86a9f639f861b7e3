import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import type { WorkerEntry, WorkerHandle } from '../interfaces/runtime.ts';
import { createSilentLog } from '../log/recording-log.ts';
import { createNodeRuntime } from './node-runtime.ts';
import { SpareWorker } from './node-workers.ts';

const root = mkdtempSync(join(tmpdir(), 'shoal-spare-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function program(name: string, text: string): WorkerEntry {
  const path = join(root, name);
  writeFileSync(path, text);
  return { module: pathToFileURL(path), start: () => expect.unreachable('it runs in a thread') };
}

// What a thread says of itself: its number within the process tells in which order it was started.
const COUNT = "import { threadId } from 'node:worker_threads';\n";
const entry = program(
  'counted.mjs',
  `${COUNT}export function start(port) { port.onMessage(() => port.post(threadId)); }`,
);
const other = program(
  'other.mjs',
  `${COUNT}export function start(port) { port.onMessage(() => port.post(threadId)); }`,
);
const broken = program('broken.mjs', "export function start() { throw new Error('cannot begin'); }");

const OPTIONS = { diskRoot: root, configRoot: null, heapBytesMax: null };
const log = createSilentLog();
// A thread cannot read TypeScript on Node 20: this needs the package to be built.
const isBuilt = existsSync(new URL('../../dist/node/worker-bootstrap.js', import.meta.url));

/** Number of the thread behind a handle, which ends then. */
async function numberOf(handle: WorkerHandle): Promise<number> {
  const number = await new Promise((resolve) => {
    handle.onMessage(resolve);
    handle.post(null);
  });
  await handle.terminate();
  return Number(number);
}

describe.skipIf(!isBuilt)('a spare thread', () => {
  test('goes to the first that asks for the same program under the same name, and to nobody else', async () => {
    const spareWorker = new SpareWorker(entry.module, 'first', OPTIONS);
    const { workers } = createNodeRuntime({ log, diskRoot: root, spareWorker });
    const others = [workers.spawn(other, 'first'), workers.spawn(entry, 'second')];
    const same = [workers.spawn(entry, 'first'), workers.spawn(entry, 'first')];
    const started = await Promise.all([...others, ...same].map(numberOf));
    expect(started[2]).toBe(Math.min(...started));
  });

  test('stays where its disk or its heap would be another one', async () => {
    const spareWorker = new SpareWorker(entry.module, 'first', OPTIONS);
    const elsewhere = createNodeRuntime({ log, diskRoot: join(root, 'elsewhere'), spareWorker });
    const limited = createNodeRuntime({ log, diskRoot: root, workerHeapBytesMax: 2 ** 26, spareWorker });
    const fitting = createNodeRuntime({ log, diskRoot: root, spareWorker });
    const handles = [elsewhere, limited, fitting].map(({ workers }) => workers.spawn(entry, 'first'));
    const started = await Promise.all(handles.map(numberOf));
    expect(started[2]).toBe(Math.min(...started));
  });

  test('that failed before anybody asked is replaced, and the failure of the new one is told', async () => {
    const spareWorker = new SpareWorker(broken.module, 'first', OPTIONS);
    const { workers } = createNodeRuntime({ log, diskRoot: root, spareWorker });
    const handle = workers.spawn(entry, 'later');
    await numberOf(handle);
    const again = workers.spawn(broken, 'first');
    expect(await new Promise((resolve) => again.onExit(resolve))).toBe('cannot begin');
  });
});
