/**
 * What an operator does to a cluster that serves: empties a node, adds one, and brings back a shard whose documents are lost in part.
 */
import { afterEach, expect, test } from 'vitest';
import { NodeProcesses } from '../support/node-processes.test-support.ts';
import { type Answer, call } from '../support/shoal-process.test-support.ts';

let nodes: NodeProcesses;
afterEach(() => nodes?.destroy());

interface Copy {
  readonly index: string;
  readonly prirep: 'p' | 'r';
  readonly state: string;
  readonly node: string;
}

const SHARDS = '/_cat/shards?format=json&h=index,prirep,state,node';

async function request(method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await call(nodes.url('a'), method, path, body);
  expect({ path, ...answer }).toMatchObject({ status: 200 });
  return answer;
}

function clusterSetting(name: string, value: unknown): Promise<Answer> {
  return request('PUT', '/_cluster/settings', { persistent: { [`cluster.routing.allocation.${name}`]: value } });
}

function countOn(copies: readonly Copy[], name: string): number {
  return copies.filter(({ node }) => node === name).length;
}

/** All copies are at rest, and so many of them on each node. */
async function placed(expected: Readonly<Record<string, number>>): Promise<void> {
  await nodes.waitFor('a', SHARDS, ({ body }) => {
    const copies = body as readonly Copy[];
    const isAtRest = copies.every(({ state }) => state === 'STARTED');
    return isAtRest && Object.entries(expected).every(([name, count]) => countOn(copies, name) === count);
  });
}

/** Writes and searches until told to end; gives what was not answered as it should be, and how many documents there are. */
function load(): () => Promise<{ readonly wrong: readonly unknown[]; readonly written: number }> {
  const wrong: unknown[] = [];
  let written = 0;
  let isEnding = false;
  const write = async (): Promise<void> => {
    while (!isEnding) {
      const { status, body } = await call(nodes.url('c'), 'POST', '/lib/_doc', { n: written });
      if (status !== 201 || body._shards.failed !== 0) wrong.push({ status, body });
      written++;
    }
  };
  const search = async (): Promise<void> => {
    while (!isEnding) {
      const { status, body } = await call(nodes.url('a'), 'GET', '/lib/_search?size=0');
      if (status !== 200 || body._shards.failed > 0) wrong.push({ status, body });
    }
  };
  const running = Promise.all([write(), search()]);
  return async () => {
    isEnding = true;
    await running;
    return { wrong, written };
  };
}

test('an excluded node gets empty and a new one is filled, and nobody who writes or searches notices', async () => {
  nodes = await NodeProcesses.plan(['a', 'b', 'c', 'd']);
  for (const name of ['a', 'b', 'c']) nodes.start(name);
  await nodes.waitFor('a', '/_cluster/health', ({ body }) => body.number_of_nodes === 3);
  await request('PUT', '/lib', { settings: { number_of_shards: 6, number_of_replicas: 0 } });
  await placed({ a: 2, b: 2, c: 2 });
  const end = load();
  await clusterSetting('exclude._name', 'b');
  await placed({ a: 3, b: 0, c: 3 });
  nodes.start('d');
  await placed({ a: 2, b: 0, c: 2, d: 2 });
  await clusterSetting('exclude._name', null);
  // The weights differ by no more than their threshold only when nobody has none.
  await nodes.waitFor('a', SHARDS, ({ body }) => {
    const copies = body as readonly Copy[];
    return copies.every(({ state }) => state === 'STARTED') && countOn(copies, 'b') > 0;
  });
  const { wrong, written } = await end();
  expect(wrong).toEqual([]);
  await request('POST', '/lib/_refresh');
  expect((await request('GET', '/lib/_count')).body.count).toBe(written);
}, 240_000);

async function allocate(command: string, index: string, node: string, accepts: boolean): Promise<Answer> {
  return call(nodes.url('a'), 'POST', '/_cluster/reroute?metric=none', {
    commands: [{ [command]: { index, shard: 0, node, accept_data_loss: accepts } }],
  });
}

const only = (names: string) => ({ 'index.routing.allocation.include._name': names });

async function ids(index: string, query = ''): Promise<readonly string[]> {
  await request('POST', `/${index}/_refresh`);
  const { body } = await request('GET', `/${index}/_search?${query}`);
  return body.hits.hits.map(({ _id }: { readonly _id: string }) => _id).sort();
}

test('a shard goes on from a stale copy when the loss is accepted, and the copy that had more follows it', async () => {
  nodes = await NodeProcesses.plan(['a', 'b', 'c']);
  nodes.startAll();
  await nodes.waitForGreen('a');
  await request('PUT', '/stale', { settings: { number_of_shards: 1, number_of_replicas: 1, ...only('b,c') } });
  await nodes.waitForGreen('a');
  const copies = (await request('GET', SHARDS)).body as readonly Copy[];
  const holder = (wanted: Copy['prirep']): string => copies.find(({ prirep }) => prirep === wanted)?.node ?? '';
  const [primary, replica] = [holder('p'), holder('r')];
  await call(nodes.url('a'), 'PUT', '/stale/_doc/kept', {});
  await clusterSetting('enable', 'primaries');
  await nodes.kill(replica);
  await call(nodes.url('a'), 'PUT', '/stale/_doc/lost', {});
  nodes.start(replica);
  await nodes.waitFor('a', '/_cluster/health', ({ body }) => body.number_of_nodes === 3);
  await nodes.kill(primary);
  await nodes.waitFor('a', '/_cluster/health/stale', ({ body }) => body.status === 'red');
  expect((await allocate('allocate_stale_primary', 'stale', replica, false)).body.error.reason).toBe(
    '[allocate_stale_primary] allocating a stale primary for [stale][0] can result in data loss. Please confirm by setting the accept_data_loss parameter to true',
  );
  // What the node has of the shard is asked for meanwhile.
  for (let status = 0; status !== 200; ) {
    const answer = await allocate('allocate_stale_primary', 'stale', replica, true);
    if (answer.status !== 200) expect(answer.body.error.reason).toContain('is still being retrieved');
    status = answer.status;
  }
  await nodes.waitFor('a', '/_cluster/health/stale', ({ body }) => body.active_primary_shards === 1);
  expect((await call(nodes.url('a'), 'PUT', '/stale/_doc/new', {})).status).toBe(201);
  await clusterSetting('enable', null);
  nodes.start(primary);
  await nodes.waitForGreen('a');
  for (const name of ['b', 'c']) expect(await ids('stale', `preference=_only_nodes:${name}`)).toEqual(['kept', 'new']);
}, 240_000);

test('a shard goes on from nothing when the loss is accepted, and what was given up does not come back with its node', async () => {
  nodes = await NodeProcesses.plan(['a', 'b', 'c']);
  nodes.startAll();
  await nodes.waitForGreen('a');
  await request('PUT', '/gone', { settings: { number_of_shards: 1, number_of_replicas: 0, ...only('b') } });
  await nodes.waitForGreen('a');
  await call(nodes.url('a'), 'PUT', '/gone/_doc/lost', {});
  await nodes.kill('b');
  await nodes.waitFor('a', '/_cluster/health/gone', ({ body }) => body.status === 'red');
  expect((await allocate('allocate_empty_primary', 'gone', 'a', false)).status).toBe(400);
  expect((await allocate('allocate_empty_primary', 'gone', 'a', true)).status).toBe(200);
  await nodes.waitFor('a', '/_cluster/health/gone', ({ body }) => body.active_primary_shards === 1);
  expect((await call(nodes.url('a'), 'PUT', '/gone/_doc/new', {})).status).toBe(201);
  nodes.start('b');
  // The filter wants it on that node, where the copy that was given up lies still.
  await nodes.waitFor('a', SHARDS, ({ body }) => body.length === 1 && body[0].node === 'b');
  expect(await ids('gone')).toEqual(['new']);
}, 240_000);
