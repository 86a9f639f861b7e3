/** A node one of whose shards has a damaged file: it says which, the shard is red with that reason, and deleting the index ends it. */
import { createNodeRuntime, createRecordingLog, type Runtime } from '@shoal/runtime';
import { afterEach, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

const clusters: TestCluster[] = [];

afterEach(async () => {
  await Promise.all(clusters.splice(0).map((cluster) => cluster.close()));
});

async function pathOf({ disk }: Runtime, ending: RegExp, folder = 'indices'): Promise<string> {
  for (const name of await disk.list(folder)) {
    const path = `${folder}/${name}`;
    const found = (await disk.stat(path)).isDirectory ? await pathOf({ disk } as Runtime, ending, path) : path;
    if (ending.test(found)) return found;
  }
  return '';
}

async function flip({ disk }: Runtime, path: string, at: number): Promise<void> {
  const file = await disk.open(path, 'update');
  const [byte = 0] = await file.read(at, 1);
  await file.write(new Uint8Array([byte ^ 16]), at);
  await file.close();
}

async function isRed(node: TestNode): Promise<boolean> {
  return (await call(node, 'GET', '/_cluster/health')).body.status === 'red';
}

async function checkRed(node: TestNode, path: string): Promise<void> {
  await expect.poll(() => isRed(node), { timeout: 10_000 }).toBe(true);
  const shard = { index: 'books', shard: 0, primary: true };
  const explain = async () => (await call(node, 'POST', '/_cluster/allocation/explain', shard)).body;
  // It is tried again some times; what was found the first time keeps it closed.
  await expect
    .poll(async () => (await explain()).unassigned_info?.failed_allocation_attempts ?? 0, { timeout: 20_000 })
    .toBeGreaterThanOrEqual(2);
  const details = async () => (await explain()).unassigned_info?.details;
  await expect.poll(details, { timeout: 10_000 }).toContain(`${path}] is damaged`);
  const row = async () => (await call(node, 'GET', '/_cat/shards?h=ur,ud&format=json')).body[0];
  await expect.poll(async () => (await row()).ur, { timeout: 10_000 }).toBe('ALLOCATION_FAILED');
  expect(await isRed(node)).toBe(true);
}

test.each([[/\.docs$/], [/\.seg$/]])(
  'a damaged file %s keeps its shard red, and deleting the index ends it',
  { timeout: 60_000 },
  async (ending) => {
    const log = createRecordingLog();
    const runtime = createNodeRuntime({ log });
    const cluster = new TestCluster();
    clusters.push(cluster);
    const first = await cluster.start('one', { runtime });
    expect((await call(first, 'PUT', '/books', { settings: { number_of_shards: 1 } })).status).toBe(200);
    const lines = Array.from(
      { length: 300 },
      (_, i) => `{"index":{"_id":"${i}"}}\n{"title":"word${i} all","n":${i}}\n`,
    );
    expect((await call(first, 'POST', '/books/_bulk', lines.join(''))).body.errors).toBe(false);
    expect((await call(first, 'POST', '/books/_flush?force=true')).status).toBe(200);
    await first.node.close();
    const path = await pathOf(runtime, ending);
    await flip(runtime, path, 200);

    const second = await cluster.start('one', { runtime });
    await call(second, 'GET', '/_cluster/health?wait_for_status=green&timeout=10s');
    // The copy opens: nobody has read the damaged part yet.
    const search = { query: { match: { title: 'all' } }, size: 300 };
    expect((await call(second, 'POST', '/books/_search', search)).status).toBeGreaterThanOrEqual(500);
    await checkRed(second, path);
    expect(
      log.lines
        .filter(({ level }) => level === 'error')
        .map(({ fields }) => String(fields?.reason))
        .join(),
    ).toContain(path);
    await second.node.close();

    const third = await cluster.start('one', { runtime });
    await checkRed(third, path);
    expect((await call(third, 'DELETE', '/books')).status).toBe(200);
    await expect.poll(() => isRed(third), { timeout: 10_000 }).toBe(false);
    expect((await call(third, 'PUT', '/books/_doc/1?refresh=true', { n: 1 })).status).toBe(201);
  },
);
