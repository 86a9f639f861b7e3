import { runInNewContext } from 'node:vm';
import { afterEach, expect, test } from 'vitest';
import type { ShoalNode } from '../start/shoal-node.ts';
import { startShoal } from '../start/start-shoal.ts';
import { withShoal, withShoalOfRun } from './jest-environments.ts';
import { LeasedNode } from './leased-node.ts';
import { PreparedNode } from './prepared-node.ts';
import { RUN_VARIABLE } from './run-protocol.ts';
import { type ShoalRun, shoalRun } from './shoal-run.ts';

const setup = (node: ShoalNode): unknown => node.load([{ title: 'Emma' }], { index: 'books' });
let run: ShoalRun = shoalRun();

afterEach(() => run.stop());

async function startRun(options: Parameters<typeof shoalRun>[0] = { setup }): Promise<void> {
  run = shoalRun(options);
  await run.start();
}

async function count({ url }: { readonly url: string }): Promise<number> {
  return ((await (await fetch(`${url}/books/_count`)).json()) as { readonly count: number }).count;
}

async function add({ url }: { readonly url: string }): Promise<void> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"title":"Persuasion"}' };
  expect((await fetch(`${url}/books/_doc`, init)).status).toBe(201);
}

test('files that run at once have nodes of their own', async () => {
  await startRun();
  const files = await Promise.all(Array.from({ length: 8 }, () => LeasedNode.lease()));
  expect(new Set(files.map(({ url }) => url)).size).toBe(8);
  await add(files[3] as LeasedNode);
  expect(await Promise.all(files.map(count))).toEqual([1, 1, 1, 2, 1, 1, 1, 1]);
});

test('each test of a file begins with what was there before its first', async () => {
  await startRun();
  const file = await LeasedNode.lease();
  await add(file);
  for (let turn = 0; turn < 3; turn++) {
    await file.beginTest();
    expect(await count(file)).toBe(2);
    await add(file);
  }
});

test('the node of a file that has ended is the next one’s, as `setup` left it', async () => {
  await startRun();
  const first = await LeasedNode.lease();
  const { url } = first;
  await first.beginTest();
  await add(first);
  await first.release();
  // The run hears of it a moment later, as when a process was killed; until then it starts another node.
  const urls: string[] = [];
  while (urls.at(-1) !== url) {
    const next = await LeasedNode.lease();
    urls.push(next.url);
    expect(await count(next)).toBe(1);
    await next.release();
  }
});

test('a `setup` that fails, fails the run, and no file has a node of it', async () => {
  const failing = () => {
    throw new Error('no such file');
  };
  await expect(startRun({ setup: failing })).rejects.toThrow('no such file');
  expect(process.env[RUN_VARIABLE]).toBeUndefined();
  await expect(LeasedNode.lease()).rejects.toThrow('its global set-up starts none');
});

test('a file whose run ends is told so', async () => {
  await startRun();
  const file = await LeasedNode.lease();
  const begun = file.beginTest().then(
    () => 'begun',
    () => 'ended',
  );
  await run.stop();
  expect(['begun', 'ended']).toContain(await begun);
  await expect(file.beginTest()).rejects.toThrow('has ended');
});

test('faults, requests and a clock that was moved do not reach the next test', async () => {
  const prepared = await PreparedNode.start({ setup });
  const { node } = prepared;
  await prepared.beginTest();
  node.faults.next(5, { kind: 'status', status: 503 });
  await node.fetch('/');
  await node.clock.advance('400d');
  const before = node.clock.now();
  await prepared.beginTest();
  expect(node.requests).toEqual([]);
  expect((await node.fetch('/')).status).toBe(200);
  expect(before - node.clock.now()).toBeGreaterThan(399 * 86_400_000);
  await prepared.close();
});

test('an environment of Jest keeps what it extends, and ends its node', async () => {
  const events: string[] = [];
  class Environment {
    readonly global: { shoal?: ShoalNode } = {};
    async setup(): Promise<void> {
      events.push('setup');
    }
    async teardown(): Promise<void> {
      events.push('teardown');
    }
    async handleTestEvent({ name }: { readonly name: string }): Promise<void> {
      events.push(name);
    }
  }
  const environment = new (withShoal(Environment, { setup }))();
  await environment.setup();
  const { shoal } = environment.global;
  await shoal?.fetch('/books', { method: 'DELETE' });
  await environment.handleTestEvent({ name: 'test_start' });
  await environment.teardown();
  expect(events).toEqual(['setup', 'test_start', 'teardown']);
  await expect(shoal?.fetch('/')).rejects.toThrow('closed');
  await expect(new (withShoalOfRun(Environment))().setup()).rejects.toThrow('global set-up');
});

test('a body of a sandbox is JSON as any other', async () => {
  await using node = await startShoal();
  const body: Record<string, unknown> = runInNewContext(`({ title: 'Emma', authors: ['Jane'] })`);
  await node.fetch('/books/_doc/1', { method: 'PUT', body });
  const bytes: Uint8Array<ArrayBuffer> = runInNewContext(`new Uint8Array([123, 125])`);
  await node.fetch('/books/_doc/2', { method: 'PUT', body: bytes });
  expect(node.requests.map((request) => request.body)).toEqual([{ title: 'Emma', authors: ['Jane'] }, {}]);
});
