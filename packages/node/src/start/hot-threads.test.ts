import { setFlagsFromString } from 'node:v8';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

/** Profiles that are taken until one falls in a time in which the node, which has just started, does nothing else. */
const ATTEMPTS = 30;

const cluster = new TestCluster();
let node: TestNode;

beforeAll(async () => {
  node = await cluster.start('one');
  // Waits for the cluster manager, as a write does not.
  await call(node, 'PUT', '/lib', {});
  const { status, body } = await call(node, 'PUT', '/lib/_doc/1', { a: 1 });
  expect(status, JSON.stringify(body)).toBe(201);
  // The profiler knows no code that a running loop was replaced with before it began, and shows it as part of its caller.
  setFlagsFromString('--no-opt');
});
afterAll(() => cluster.close());

async function textOf(path: string): Promise<string> {
  const { host, port } = node.node.httpAddress ?? { host: '', port: 0 };
  return (await fetch(`http://${host}:${port}${path}`)).text();
}

/** Keeps the thread busy, a few milliseconds at a time. */
function burn(): { stop(): void } {
  let isOver = false;
  const turn = (): void => {
    const turnEndMs = performance.now() + 5;
    while (performance.now() < turnEndMs) Math.sqrt(turnEndMs);
    if (!isOver) setImmediate(turn);
  };
  turn();
  return {
    stop: () => {
      isOver = true;
    },
  };
}

test('a busy thread is shown with its share of a processor and what it is at', async () => {
  const isShown = /snapshots sharing following \d+ elements\n(?: {7}.*\n)* {7}turn \(hot-threads\.test\.ts:\d+\)/;
  const busy = burn();
  let text = '';
  for (let i = 0; i < ATTEMPTS && !isShown.test(text); i++) {
    text = await textOf('/_nodes/hot_threads?interval=300ms&snapshots=100');
  }
  busy.stop();
  const { id } = node.node.cluster.localNode;
  expect(text.startsWith(`::: {one}{${id}}`)).toBe(true);
  expect(text).toContain('interval=300ms, busiestThreads=3, ignoreIdleThreads=true:');
  expect(text).toMatch(/\d+\.\d% \(\d+\.\dms out of 300ms\) cpu usage by thread 'main'/);
  expect(text).toMatch(isShown);
});

test('none is shown where none is wanted, and all where idle ones are', async () => {
  expect(await textOf('/_nodes/one/hot_threads?threads=0&interval=10ms')).not.toContain('cpu usage by thread');
  const all = await textOf('/_nodes/hot_threads?threads=1000&ignore_idle_threads=false&interval=10ms');
  expect(all).toContain("cpu usage by thread 'shards-0'");
  expect(await textOf('/_nodes/none/hot_threads')).toBe('');
});

test.each([
  ['type=wait', 'type not supported [wait]'],
  ['interval=2m', '[interval] must be between [1] and [60000] but was [120000]'],
  ['snapshots=0', '[snapshots] must be between [1] and [10000] but was [0]'],
])('%s is refused', async (query, reason) => {
  const { status, body } = await call(node, 'GET', `/_nodes/hot_threads?${query}`);
  expect([status, body.error.reason]).toEqual([400, reason]);
});
