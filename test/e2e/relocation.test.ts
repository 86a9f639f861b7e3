/**
 * Copies move between nodes while clients write and search: none of them notices. Nothing here tries again.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { NodeProcesses } from '../support/node-processes.test-support.ts';
import { call } from '../support/shoal-process.test-support.ts';

let nodes: NodeProcesses;
afterEach(() => nodes?.destroy());

const NAMES = ['a', 'b', 'c'] as const;
const MOVES = 10;
const WRITERS = 4;
const IDS_A_WRITER = 3;

interface Copy {
  readonly prirep: 'p' | 'r';
  readonly state: string;
  readonly node: string;
}

async function copiesOf(): Promise<readonly Copy[]> {
  return (await call(nodes.url('a'), 'GET', '/_cat/shards/moved?format=json&h=prirep,state,node')).body;
}

/** Clients that go on until they are told to end, and what they were told. */
class Load {
  /** Times that each document was written, which is its version. */
  readonly written = new Map<string, number>();
  readonly wrong: unknown[] = [];
  searches = 0;
  #isEnding = false;
  readonly #running: Promise<unknown>;

  constructor() {
    const writers = Array.from({ length: WRITERS }, (_, writer) => this.#write(writer));
    this.#running = Promise.all([...writers, this.#search('a'), this.#search('c')]);
  }

  get writes(): number {
    return [...this.written.values()].reduce((sum, count) => sum + count, 0);
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#running;
  }

  async #write(writer: number): Promise<void> {
    const url = nodes.url(NAMES[writer % NAMES.length] ?? 'a');
    for (let round = 0; !this.#isEnding; round++) {
      const id = `${writer}-${round % IDS_A_WRITER}`;
      const version = (this.written.get(id) ?? 0) + 1;
      const { status, body } = await call(url, 'PUT', `/moved/_doc/${id}`, { round });
      const isRight = status < 300 && body._version === version && body._shards.failed === 0;
      if (!isRight) this.wrong.push({ id, version, status, body });
      this.written.set(id, version);
    }
  }

  async #search(through: string): Promise<void> {
    while (!this.#isEnding) {
      const { status, body } = await call(nodes.url(through), 'GET', '/moved/_search?size=0');
      if (status !== 200 || body._shards.failed > 0) this.wrong.push({ status, body });
      this.searches += 1;
    }
  }
}

async function move(sort: Copy['prirep']): Promise<void> {
  const copies = await copiesOf();
  const from = copies.find(({ prirep }) => prirep === sort)?.node ?? '';
  const to = NAMES.find((name) => copies.every(({ node }) => node !== name));
  const commands = [{ move: { index: 'moved', shard: 0, from_node: from, to_node: to } }];
  const { status, body } = await call(nodes.url('b'), 'POST', '/_cluster/reroute?metric=none', { commands });
  expect({ status, body }).toMatchObject({ status: 200 });
  await nodes.waitFor('a', '/_cat/shards/moved?format=json&h=prirep,state,node', ({ body: now }) => {
    const arrived = (now as readonly Copy[]).find(({ node }) => node === to);
    return arrived?.state === 'STARTED' && arrived.prirep === sort;
  });
}

test('a primary and its replica move ten times under load, and every request is answered as if they did not', async () => {
  nodes = await NodeProcesses.plan([...NAMES]);
  nodes.startAll();
  await nodes.waitForGreen('a');
  const settings = { number_of_shards: 1, number_of_replicas: 1 };
  await call(nodes.url('a'), 'PUT', '/moved', { settings });
  await nodes.waitForGreen('a');
  const load = new Load();
  const termBefore = await termOf();
  for (let count = 0; count < MOVES; count++) {
    const before = load.writes;
    await move(count % 2 === 0 ? 'p' : 'r');
    await nodes.waitFor('a', '/_cluster/health', () => load.writes > before + 20);
  }
  await load.end();
  expect(load.wrong).toEqual([]);
  expect(load.searches).toBeGreaterThan(MOVES);
  expect((await termOf()) - termBefore).toBe(MOVES / 2);
  await expectSameCopies(load.written);
}, 240_000);

test('a primary on the move shows how far it is, stays when that is cancelled, and leaves nothing behind', async () => {
  nodes = await NodeProcesses.plan([...NAMES]);
  nodes.startAll();
  await nodes.waitForGreen('a');
  await limitRecoveries('300kb');
  await call(nodes.url('a'), 'PUT', '/moved', { settings: { number_of_replicas: 0, refresh_interval: -1 } });
  // Text that does not compress: the files are to take a while.
  const word = (k: number): string => (Math.imul(k + 1, 0x9e37_79b1) >>> 0).toString(36);
  const words = (n: number): string => Array.from({ length: 300 }, (_, k) => word(n * 300 + k)).join(' ');
  const lines = Array.from({ length: 400 }, (_, n) => `{"index":{"_id":"${n}"}}\n{"text":"${words(n)}"}\n`);
  await call(nodes.url('a'), 'POST', '/moved/_bulk?refresh=true', lines.join(''));
  await call(nodes.url('a'), 'POST', '/moved/_flush');
  const scroll = await call(nodes.url('a'), 'POST', '/moved/_search?scroll=5m&size=10&_source=false');
  const next = () =>
    call(nodes.url('a'), 'POST', '/_search/scroll', { scroll: '5m', scroll_id: scroll.body._scroll_id });
  const [before] = await copiesOf();
  const from = before?.node ?? '';
  const to = NAMES.find((name) => name !== from) ?? '';
  const commands = [{ move: { index: 'moved', shard: 0, from_node: from, to_node: to } }];

  const dry = await call(nodes.url('b'), 'POST', '/_cluster/reroute?dry_run&metric=routing_table', { commands });
  expect(dry.body.state.routing_table.indices.moved.shards['0']).toMatchObject([{ state: 'RELOCATING' }]);
  expect(await copiesOf()).toEqual([before]);

  await call(nodes.url('b'), 'POST', '/_cluster/reroute?metric=none', { commands });
  const rows = '/_cat/recovery/moved?format=json&active_only';
  await nodes.waitFor(
    'a',
    rows,
    ({ body }) => body[0]?.stage === 'index' && Number.parseInt(body[0].bytes_recovered, 10) > 0,
  );
  const { body } = await call(nodes.url('a'), 'GET', '/moved/_recovery?active_only');
  expect(body.moved.shards).toMatchObject([
    { type: 'PEER', stage: 'INDEX', source: { name: from }, target: { name: to } },
  ]);
  const [moving, ...others] = await copiesOf();
  expect(others).toEqual([]);
  expect(moving?.node.startsWith(`${from} -> `)).toBe(true);
  const health = await call(nodes.url('a'), 'GET', '/_cluster/health');
  expect(health.body).toMatchObject({
    status: 'green',
    relocating_shards: 1,
    initializing_shards: 0,
    active_shards: 1,
  });
  expect((await next()).status).toBe(200);

  const cancel = [{ cancel: { index: 'moved', shard: 0, node: to } }];
  await call(nodes.url('b'), 'POST', '/_cluster/reroute?metric=none', { commands: cancel });
  expect(await copiesOf()).toEqual([before]);
  expect((await next()).status).toBe(200);

  await limitRecoveries('100mb');
  await call(nodes.url('b'), 'POST', '/_cluster/reroute?metric=none', { commands });
  await nodes.waitFor('a', '/_cat/shards/moved?format=json&h=node,state', ({ body: now }) => {
    return now.length === 1 && now[0].node === to && now[0].state === 'STARTED';
  });
  await nodes.waitFor(from, '/moved/_count', ({ body: now }) => now?.count === 400);
  const late = await next();
  expect([late.status, late.body.error?.root_cause[0].type]).toEqual([404, 'search_context_missing_exception']);
  const { uuid } = (await call(nodes.url('a'), 'GET', '/moved/_settings')).body.moved.settings.index;
  const folder = join(nodes.dataPath(from), 'indices', uuid, '0');
  await nodes.waitFor(from, '/_cluster/health', () => !existsSync(folder));
  const done = await call(nodes.url('a'), 'GET', '/moved/_recovery');
  expect(done.body.moved.shards).toMatchObject([
    { type: 'PEER', stage: 'DONE', primary: true, source: { name: from } },
  ]);
}, 120_000);

async function limitRecoveries(rate: string): Promise<void> {
  await call(nodes.url('a'), 'PUT', '/_cluster/settings', {
    persistent: { 'indices.recovery.max_bytes_per_sec': rate },
  });
}

async function termOf(): Promise<number> {
  const { body } = await call(nodes.url('a'), 'GET', '/_cluster/state/metadata/moved');
  return body.metadata.indices.moved.primary_terms['0'];
}

async function expectSameCopies(written: ReadonlyMap<string, number>): Promise<void> {
  await call(nodes.url('a'), 'POST', '/moved/_refresh');
  const wanted = [...written].sort().map(([id, version]) => `${id} ${version}`);
  for (const { node } of await copiesOf()) {
    const preference = encodeURIComponent(`_only_nodes:${node}`);
    const query = `/moved/_search?size=1000&version=true&preference=${preference}`;
    const { body } = await call(nodes.url('c'), 'GET', query);
    const hits = body.hits.hits.map((hit: { _id: string; _version: number }) => `${hit._id} ${hit._version}`);
    expect(hits.sort()).toEqual(wanted);
  }
}
