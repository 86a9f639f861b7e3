/**
 * One replica: a node may die at any moment, and nothing that was acknowledged is lost.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { NodeProcesses } from '../support/node-processes.test-support.ts';
import { call } from '../support/shoal-process.test-support.ts';

let nodes: NodeProcesses;
afterEach(() => nodes?.destroy());

const NAMES = ['a', 'b', 'c'] as const;
const IDS_A_BULK = 20;
const IDS_A_GET = 500;

interface Copy {
  readonly shard: string;
  readonly prirep: 'p' | 'r';
  readonly state: string;
  readonly node: string;
}

async function startThree(): Promise<void> {
  nodes = await NodeProcesses.plan([...NAMES]);
  nodes.startAll();
  await nodes.waitForGreen('a');
}

async function createReplicated(shards: number): Promise<void> {
  const settings = { number_of_shards: shards, number_of_replicas: 1, 'index.unassigned.node_left.delayed_timeout': 0 };
  await call(nodes.url('a'), 'PUT', '/acked', { settings });
  await nodes.waitForGreen('a');
}

/** All copies are there, on the nodes that are left. */
async function green(through: string): Promise<void> {
  await nodes.waitFor(through, '/_cluster/health', ({ body }) => body?.status === 'green', 60_000);
}

/** Resolves when node `a` sees so many nodes and all copies. */
async function greenWith(count: number): Promise<void> {
  const path = `/_cluster/health?wait_for_nodes=${count}&wait_for_status=green&timeout=2s`;
  await nodes.waitFor('a', path, ({ status }) => status === 200);
}

async function copiesOf(through: string): Promise<readonly Copy[]> {
  return (await call(nodes.url(through), 'GET', '/_cat/shards/acked?format=json')).body;
}

/** What each copy of each shard counts. */
async function countsOfCopies(through = 'b'): Promise<readonly (readonly number[])[]> {
  const counts = new Map<string, number[]>();
  for (const { shard, node } of await copiesOf(through)) {
    const preference = encodeURIComponent(`_shards:${shard}|_only_nodes:${node}`);
    const { body } = await call(nodes.url('c'), 'GET', `/acked/_count?preference=${preference}`);
    counts.set(shard, [...(counts.get(shard) ?? []), body.count]);
  }
  return [...counts.values()];
}

/** Every one of the ids is there. */
async function expectAll(through: string, ids: ReadonlySet<string>): Promise<void> {
  const all = [...ids];
  for (let at = 0; at < all.length; at += IDS_A_GET) {
    const { body } = await call(nodes.url(through), 'POST', '/acked/_mget', { ids: all.slice(at, at + IDS_A_GET) });
    expect(body.docs.filter((doc: { found: boolean }) => !doc.found).map((doc: { _id: string }) => doc._id)).toEqual(
      [],
    );
  }
}

/** Writes until it is told to end, whatever happens; remembers what was acknowledged. */
class Writers {
  readonly acked = new Set<string>();
  readonly #running: Promise<unknown>;
  #isEnding = false;
  /** Bulks that were answered. */
  answered = 0;

  constructor(through: string, prefix: string) {
    this.#running = Promise.all([0, 1, 2].map((writer) => this.#write(through, `${prefix}-${writer}`)));
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#running;
  }

  /** Resolves when so many more bulks were answered. */
  async untilAnswered(count: number): Promise<void> {
    const goal = this.answered + count;
    while (this.answered < goal) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  async #write(through: string, prefix: string): Promise<void> {
    for (let bulk = 0; !this.#isEnding; bulk++) {
      const ids = Array.from({ length: IDS_A_BULK }, (_, k) => `${prefix}-${bulk}-${k}`);
      const body = ids.map((id) => `{"index":{"_id":"${id}"}}\n{"text":"word ${id}","n":${bulk}}\n`).join('');
      const answer = await call(nodes.url(through), 'POST', '/acked/_bulk', body).catch(() => null);
      for (const item of answer?.body.items ?? []) if (item.index.status < 300) this.acked.add(item.index._id);
      this.answered += 1;
    }
  }
}

describe('an index with one replica on three nodes', () => {
  test('is green, and answers a write when both copies have it', async () => {
    await startThree();
    await createReplicated(2);
    const copies = await copiesOf('a');
    expect(copies.map(({ state }) => state)).toEqual(['STARTED', 'STARTED', 'STARTED', 'STARTED']);
    for (const shard of ['0', '1']) {
      expect(new Set(copies.filter((copy) => copy.shard === shard).map(({ node }) => node)).size).toBe(2);
    }
    const { body } = await call(nodes.url('b'), 'PUT', '/acked/_doc/1?refresh=true', { text: 'one' });
    expect(body).toMatchObject({ result: 'created', _shards: { total: 2, successful: 2, failed: 0 } });
    const waited = await call(nodes.url('b'), 'PUT', '/acked/_doc/2?wait_for_active_shards=all', { text: 'two' });
    expect(waited.body._shards).toEqual({ total: 2, successful: 2, failed: 0 });
  });

  test.each(['true', 'wait_for'])('shows what was written with refresh=%s on every copy', async (refresh) => {
    await startThree();
    await createReplicated(2);
    for (let n = 0; n < 8; n++) await call(nodes.url('a'), 'PUT', `/acked/_doc/${n}?refresh=${refresh}`, { n });
    const [first = [], second = []] = await countsOfCopies();
    expect([first.length, second.length]).toEqual([2, 2]);
    expect([first[1], second[1]]).toEqual([first[0], second[0]]);
    expect((first[0] ?? 0) + (second[0] ?? 0)).toBe(8);
  });

  test('has copies that show what the others show as soon as they are there', async () => {
    await startThree();
    await createReplicated(1);
    const settings = (changed: object): Promise<unknown> => call(nodes.url('a'), 'PUT', '/acked/_settings', changed);
    await settings({ refresh_interval: -1 });
    for (let n = 0; n < 5; n++) await call(nodes.url('a'), 'PUT', `/acked/_doc/${n}?refresh=true`, { n });
    await settings({ number_of_replicas: 2 });
    await nodes.waitForGreen('a');
    expect(await countsOfCopies()).toEqual([[5, 5, 5]]);
  });

  test('is green while it is closed, and again when it is opened', async () => {
    await startThree();
    await createReplicated(2);
    for (let n = 0; n < 10; n++) await call(nodes.url('a'), 'PUT', `/acked/_doc/${n}`, { n });
    await call(nodes.url('a'), 'POST', '/acked/_close');
    await green('b');
    const places = (copies: readonly Copy[]): readonly string[] => copies.map(({ shard, node }) => shard + node).sort();
    const closed = places(await copiesOf('b'));
    await call(nodes.url('a'), 'POST', '/acked/_open');
    await green('b');
    expect(places(await copiesOf('b'))).toEqual(closed);
    const [first = [], second = []] = await countsOfCopies();
    expect([first[1], second[1], (first[0] ?? 0) + (second[0] ?? 0)]).toEqual([first[0], second[0], 10]);
  });

  test('builds the copies of a closed index anew where a node is gone, and loses nothing with the next', async () => {
    await startThree();
    await createReplicated(2);
    for (let n = 0; n < 10; n++) await call(nodes.url('a'), 'PUT', `/acked/_doc/${n}`, { n });
    await call(nodes.url('a'), 'POST', '/acked/_close');
    await green('a');
    await nodes.kill('c');
    await greenWith(2);
    const copies = await copiesOf('a');
    expect(copies.map(({ state, node }) => [state, node !== 'c'])).toEqual(copies.map(() => ['STARTED', true]));
    nodes.start('c');
    await greenWith(3);
    await nodes.kill('b');
    await greenWith(2);
    await call(nodes.url('a'), 'POST', '/acked/_open');
    await greenWith(2);
    const [first = [], second = []] = await countsOfCopies('a');
    expect([first[1], second[1], (first[0] ?? 0) + (second[0] ?? 0)]).toEqual([first[0], second[0], 10]);
  });

  test('loses no acknowledged write when the node of a primary is killed under load, and heals', async () => {
    await startThree();
    await createReplicated(2);
    const victim = (await copiesOf('a')).find(({ shard, prirep }) => shard === '0' && prirep === 'p')?.node ?? '';
    const through = NAMES.find((name) => name !== victim) ?? 'a';
    const writers = new Writers(through, 'first');
    await writers.untilAnswered(60);
    await nodes.kill(victim);
    const killedMs = performance.now();
    await writers.untilAnswered(30);
    const resumedMs = performance.now() - killedMs;
    await writers.untilAnswered(60);
    await green(through);
    await writers.end();
    expect(writers.acked.size).toBeGreaterThan(1_000);
    expect(resumedMs).toBeLessThan(60_000);
    await expectAll(through, writers.acked);
    const copies = await copiesOf(through);
    expect(copies.map(({ state }) => state)).toEqual(['STARTED', 'STARTED', 'STARTED', 'STARTED']);
    expect(copies.some(({ node }) => node === victim)).toBe(false);

    // It comes back with old copies, which count for nothing, and takes its part again.
    nodes.start(victim);
    await nodes.waitFor(through, '/_cluster/health', ({ body }) => body?.number_of_nodes === 3);
    await green(through);
    await expectAll(victim, writers.acked);
    // The new copies are what a second death leaves.
    const other = NAMES.find((name) => name !== victim && name !== through) ?? 'a';
    await nodes.kill(other);
    await green(through);
    await expectAll(through, writers.acked);
  });

  test('keeps what a killed replica missed, and brings it to that node again', async () => {
    await startThree();
    await createReplicated(1);
    const replica = (await copiesOf('a')).find(({ prirep }) => prirep === 'r')?.node ?? '';
    const through = NAMES.find((name) => name !== replica) ?? 'a';
    const writers = new Writers(through, 'only');
    await writers.untilAnswered(30);
    await nodes.kill(replica);
    await writers.untilAnswered(60);
    nodes.start(replica);
    await writers.untilAnswered(30);
    await writers.end();
    await nodes.waitFor(through, '/_cluster/health', ({ body }) => body?.number_of_nodes === 3);
    await green(through);
    const primary = (await copiesOf(through)).find(({ prirep }) => prirep === 'p')?.node ?? '';
    await nodes.kill(primary);
    const left = NAMES.find((name) => name !== primary) ?? 'a';
    await green(left);
    await expectAll(left, writers.acked);
  });
});
