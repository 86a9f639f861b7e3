import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import type { Runtime, WorkerEntry, WorkerHandle, WorkerPort } from '../interfaces/runtime.ts';
import { createRecordingLog } from '../log/recording-log.ts';
import { createNodeRuntime } from './node-runtime.ts';

const root = mkdtempSync(join(tmpdir(), 'shoal-workers-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

// One program for the thread and for the inline worker.
const PROGRAM = `
  runtime.log.info('worker started', { via: 'worker' });
  port.onMessage((message) => {
    if (message.kind === 'throw') throw new Error('worker broke');
    if (message.kind === 'echo') port.post({ got: message.value, bytes: message.bytes }, message.bytes ? [message.bytes.buffer] : []);
    if (message.kind === 'write') {
      runtime.disk.open('from-worker', 'create').then(async (file) => {
        file.writeSync(new Uint8Array([7]), 0);
        await file.close();
        port.post('written');
      });
    }
  });`;
const modulePath = join(root, 'worker.mjs');
writeFileSync(modulePath, `export function start(port, runtime) {${PROGRAM}}`);
const entry: WorkerEntry = {
  module: pathToFileURL(modulePath),
  start: new Function('port', 'runtime', PROGRAM) as (port: WorkerPort, runtime: Runtime) => void,
};
// A thread cannot read TypeScript on Node 20: this mode needs the package to be built.
const isBuilt = existsSync(new URL('../../dist/node/worker-bootstrap.js', import.meta.url));

function next(handle: WorkerHandle): () => Promise<unknown> {
  const waiting: ((message: unknown) => void)[] = [];
  const messages: unknown[] = [];
  handle.onMessage((message) => {
    const wanted = waiting.shift();
    if (wanted) wanted(message);
    else messages.push(message);
  });
  return () =>
    new Promise((resolve) => {
      if (messages.length > 0) resolve(messages.shift());
      else waiting.push(resolve);
    });
}

describe.each([
  ['inline', true],
  ['threads', isBuilt],
] as const)('a worker (%s)', (workers, canRun) => {
  const start = (): { handle: WorkerHandle; log: ReturnType<typeof createRecordingLog> } => {
    const log = createRecordingLog();
    const runtime = createNodeRuntime({ log, diskRoot: root, workers });
    return { handle: runtime.workers.spawn(entry, 'shard-0'), log };
  };

  test.skipIf(!canRun)('gets clones, answers later, moves transferred memory, logs through its owner', async () => {
    const { handle, log } = start();
    const receive = next(handle);
    const value = { list: [1n, 'x', new Map([['k', 1]])] };
    handle.post({ kind: 'echo', value });
    value.list.length = 0;
    expect(await receive()).toEqual({ got: { list: [1n, 'x', new Map([['k', 1]])] }, bytes: undefined });
    const bytes = new Uint8Array([1, 2, 3]);
    handle.post({ kind: 'echo', value: null, bytes }, [bytes.buffer]);
    expect(bytes.byteLength).toBe(0);
    expect(await receive()).toEqual({ got: null, bytes: new Uint8Array([1, 2, 3]) });
    handle.post({ kind: 'write' });
    expect(await receive()).toBe('written');
    expect(existsSync(join(root, 'from-worker'))).toBe(true);
    expect(log.lines).toContainEqual({
      level: 'info',
      message: 'worker started',
      fields: { worker: 'shard-0', via: 'worker' },
    });
    await handle.terminate();
  });

  test.skipIf(!canRun)('that throws ends, and its owner is told why', async () => {
    const { handle } = start();
    const reason = new Promise((resolve) => handle.onExit(resolve));
    handle.post({ kind: 'throw' });
    expect(await reason).toBe('worker broke');
  });

  test.skipIf(!canRun)('that is terminated says nothing', async () => {
    const { handle } = start();
    handle.onExit(() => expect.unreachable());
    await handle.terminate();
    handle.post({ kind: 'throw' });
    // Another worker that answers has had its turn after whatever the ended one would have said.
    const { handle: other } = start();
    const reason = new Promise((resolve) => other.onExit(resolve));
    other.post({ kind: 'throw' });
    await reason;
  });
});
