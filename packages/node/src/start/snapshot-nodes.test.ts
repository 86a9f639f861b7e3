import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { afterEach, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

const cleanUps: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** Two data nodes and a coordinator, which is answered, with a repository that they share. */
async function startNodes(): Promise<TestNode> {
  const root = await mkdtemp(join(tmpdir(), 'shoal-snapshots-'));
  cleanUps.push(() => rm(root, { recursive: true, force: true }));
  const cluster = new TestCluster();
  cleanUps.push(() => cluster.close());
  const start = (name: string, coordinator = false): Promise<TestNode> =>
    cluster.start(name, {
      coordinator,
      runtime: createNodeRuntime({ log: createSilentLog(), diskRoot: join(root, name) }),
      settings: { 'path.repo': join(root, 'shared'), 'node.workers': 1 },
    });
  await start('one');
  await start('two');
  const asked = await start('three', true);
  await call(asked, 'GET', '/_cluster/health?wait_for_nodes=3');
  await call(asked, 'PUT', '/_snapshot/r', { type: 'fs', settings: { location: 'r' } });
  return asked;
}

test('each node copies its own shards into the shared folder, and restores what it is given, whichever node is asked', async () => {
  const asked = await startNodes();
  await call(asked, 'PUT', '/books', { settings: { number_of_shards: 4, number_of_replicas: 0 } });
  const lines = Array.from({ length: 40 }, (_, i) => [{ index: { _id: String(i) } }, { n: i }]).flat();
  await call(asked, 'POST', '/books/_bulk?refresh=true', `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  const nodes = (await call(asked, 'GET', '/_cat/shards/books?format=json&h=node')).body;
  expect(new Set(nodes.map(({ node }: { node: string }) => node)).size).toBe(2);
  const made = await call(asked, 'PUT', '/_snapshot/r/s?wait_for_completion=true');
  expect(made.body.snapshot).toMatchObject({ state: 'SUCCESS', shards: { total: 4, failed: 0, successful: 4 } });
  await call(asked, 'DELETE', '/books');
  const restored = await call(asked, 'POST', '/_snapshot/r/s/_restore?wait_for_completion=true');
  expect(restored.body.snapshot).toEqual({
    snapshot: 's',
    indices: ['books'],
    shards: { total: 4, failed: 0, successful: 4 },
  });
  expect((await call(asked, 'GET', '/books/_count')).body.count).toBe(40);
});

test('a primary that moves is copied once it has arrived', async () => {
  const asked = await startNodes();
  await call(asked, 'PUT', '/books', { settings: { number_of_shards: 1, number_of_replicas: 0 } });
  const text = Array.from({ length: 20_000 }, (_, i) => (i * 7_919).toString(36)).join(' ');
  await call(asked, 'POST', '/books/_bulk?refresh=true', `{"index":{}}\n${JSON.stringify({ text })}\n`);
  await call(asked, 'POST', '/books/_flush');
  await call(asked, 'PUT', '/_cluster/settings', { persistent: { 'indices.recovery.max_bytes_per_sec': '200kb' } });
  const [{ node }] = (await call(asked, 'GET', '/_cat/shards/books?format=json&h=node')).body;
  const move = { index: 'books', shard: 0, from_node: node, to_node: node === 'one' ? 'two' : 'one' };
  expect((await call(asked, 'POST', '/_cluster/reroute', { commands: [{ move }] })).status).toBe(200);
  const begun = (await call(asked, 'GET', '/_cat/shards/books?format=json&h=state')).body;
  expect(begun).toEqual([{ state: 'RELOCATING' }]);
  const made = await call(asked, 'PUT', '/_snapshot/r/s?wait_for_completion=true');
  expect(made.body.snapshot).toMatchObject({ state: 'SUCCESS', failures: [] });
  const status = (await call(asked, 'GET', '/_snapshot/r/s/_status')).body;
  expect(status.snapshots[0].shards_stats.done).toBe(1);
  expect((await call(asked, 'GET', '/_cat/shards/books?format=json&h=node,state')).body).toEqual([
    { node: move.to_node, state: 'STARTED' },
  ]);
});
