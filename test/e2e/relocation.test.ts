/**
 * Copies move between nodes while clients write and search: none of them notices. Nothing here tries again.
 */
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
