/**
 * Chaos with real processes on hosts of their own: what port 9300 carries is cut, what 9200 carries goes on.
 */
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { ChaosCluster } from './chaos-cluster.test-support.ts';
import { findPower } from './hosts.test-support.ts';

const power = await findPower();
if (power.kind === 'none') process.stderr.write(`chaos tests are SKIPPED: ${power.reason}\n`);

const isGreen = (nodes: number) => (answer: { status: number; body: { status?: string; number_of_nodes?: number } }) =>
  answer.status === 200 && answer.body.status === 'green' && answer.body.number_of_nodes === nodes;

const WRITERS = 8;
/** How long a writer waits for an answer before it writes the next document. */
const PATIENCE_MS = 250;
const STARTED_WITHIN_MS = 120_000;
const ACKED_BEFORE = 100;
const HEALED_WITHIN_MS = 90_000;
/** Longest time in which a node that is cut off finds out and answers: a peer is given up after some 30 s of silence. */
const ANSWERED_WITHIN_MS = 60_000;
/** Shorter than the three checks of 10 s that a silent cluster manager is given. */
const RESET_WITHIN_MS = 20_000;
const IDS_ASKED_MAX = 5_000;

/** Longer than one check takes to time out, shorter than the tries that a node has. */
const PAUSE_MS = 12_000;
const MANAGER = '/_cluster/state/master_node,nodes';

const managerOf = (body: { master_node?: string; nodes?: Record<string, { name: string }> }): number =>
  Number(body.nodes?.[body.master_node ?? '']?.name.slice(1) ?? 0);

const HEALTH = '/_cluster/health?timeout=1s&master_timeout=1s';

describe.skipIf(power.kind === 'none')('port 9300 blocked', () => {
  let cluster: ChaosCluster;
  afterEach(() => cluster?.destroy());
  afterAll(() => {
    if (power.kind !== 'none') power.release();
  });

  function create(count: number): ChaosCluster {
    if (power.kind === 'none') throw new Error('skipped');
    cluster = new ChaosCluster(power, count);
    return cluster;
  }

  test('everywhere before the start: no cluster manager ever, 9200 answers, and green once it is open', async () => {
    const { hosts, numbers } = create(3);
    for (const host of numbers) hosts.block(host, 9300);
    for (const host of numbers) cluster.start(host);
    for (const host of numbers) await cluster.waitFor(host, '/', (answer) => answer.status === 200, STARTED_WITHIN_MS);

    for (const host of numbers) {
      const root = await cluster.call(host, 'GET', '/');
      expect(root.body.cluster_uuid).toBe('_na_');
      const health = await cluster.call(host, 'GET', HEALTH);
      expect(health).toEqual({
        id: expect.any(Number),
        status: 503,
        body: {
          error: {
            root_cause: [{ type: 'master_not_discovered_exception', reason: null }],
            type: 'master_not_discovered_exception',
            reason: null,
          },
          status: 503,
        },
      });
    }
    // The line that says what is missing comes every 10 s; it names the peers and the port.
    while (!cluster.log(1).includes('10.77.0.2:9300')) {
      const health = await cluster.call(1, 'GET', HEALTH);
      expect(health.status).toBe(503);
    }
    expect(cluster.log(1)).toContain('10.77.0.2:9300');
    expect(cluster.log(1)).not.toMatch(/elected as cluster manager/);

    for (const host of numbers) hosts.unblock(host);
    await cluster.waitFor(1, HEALTH, isGreen(3), HEALED_WITHIN_MS);
  });

  test('of the cluster manager, silently: another one, and no acknowledged write is lost', async () => {
    await loseTheManager('drop', 180_000);
  });

  test('of the cluster manager, with resets: another one before checks time out, and no acknowledged write is lost', async () => {
    await loseTheManager('reset', RESET_WITHIN_MS);
  });

  test('of another node, silently: it calls itself unhealthy, and answers searches and writes in time', async () => {
    const { manager, asked: cut } = await startWithIndex();
    cluster.hosts.block(cut, 9300);
    const began = performance.now();
    // Asked before it knows: of two shards the nodes do not answer.
    const early = await cluster.call(cut, 'GET', '/acked/_search');
    expect(early.body._shards).toMatchObject({ total: 3, failed: 2 });
    expect(performance.now() - began).toBeLessThan(ANSWERED_WITHIN_MS);
    await cluster.waitFor(cut, '/_cluster/health?local=true', ({ body }) => body.status === 'red', ANSWERED_WITHIN_MS);
    expect((await cluster.call(cut, 'GET', HEALTH)).status).toBe(503);
    const late = await cluster.call(cut, 'GET', '/acked/_search');
    expect(late.body._shards).toMatchObject({ total: 3, failed: 2 });
    const write = await cluster.call(cut, 'PUT', '/acked/_doc/1?timeout=1s', { n: 1 });
    expect([write.status, write.body.error.type]).toEqual([503, 'cluster_block_exception']);
    await cluster.waitFor(manager, '/_cluster/health', ({ body }) => body.status === 'red', ANSWERED_WITHIN_MS);
    cluster.hosts.unblock(cut);
    await cluster.waitFor(cut, HEALTH, isGreen(3), HEALED_WITHIN_MS);
  }, 180_000);

  test('pausing for 12 s as a whole: the same cluster afterwards, and no acknowledged write is lost', async () => {
    const { manager, asked } = await startWithIndex();
    const writing = startWriting(asked);
    await writing.reached(ACKED_BEFORE);
    cluster.process(manager).kill('SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    cluster.process(manager).kill('SIGCONT');
    const acked = await writing.stop();
    await cluster.waitFor(asked, HEALTH, isGreen(3), HEALED_WITHIN_MS);
    const { body } = await cluster.call(asked, 'GET', MANAGER);
    expect(managerOf(body)).toBe(manager);
    await expectAll(acked);
  });

  async function loseTheManager(how: 'drop' | 'reset', withinMs: number): Promise<void> {
    const { manager, asked } = await startWithIndex();
    const writing = startWriting(asked);
    await writing.reached(ACKED_BEFORE);
    cluster.hosts.block(manager, 9300, how);
    await cluster.waitFor(
      asked,
      `${MANAGER}?local=true`,
      ({ body }) => managerOf(body) !== 0 && managerOf(body) !== manager,
      withinMs,
    );
    const acked = await writing.stop();
    cluster.hosts.unblock(manager);
    await cluster.waitFor(asked, HEALTH, isGreen(3), HEALED_WITHIN_MS);
    await expectAll(acked);
  }

  /** Three nodes with an index of a shard on each: its manager, and another node to talk to. */
  async function startWithIndex(): Promise<{ readonly manager: number; readonly asked: number }> {
    const { numbers } = create(3);
    for (const host of numbers) cluster.start(host);
    await cluster.waitFor(1, HEALTH, isGreen(3), STARTED_WITHIN_MS);
    await cluster.call(1, 'PUT', '/acked', { settings: { number_of_shards: 3, number_of_replicas: 0 } });
    await cluster.waitFor(1, HEALTH, isGreen(3), STARTED_WITHIN_MS);
    const { body } = await cluster.call(1, 'GET', MANAGER);
    const manager = managerOf(body);
    return { manager, asked: numbers.find((host) => host !== manager) ?? 0 };
  }

  function startWriting(asked: number) {
    const acked: string[] = [];
    let isWriting = true;
    let next = 0;
    const waiting = new Set<Promise<void>>();
    const write = async (id: string): Promise<void> => {
      const answer = await cluster.call(asked, 'PUT', `/acked/_doc/${id}?timeout=1s`, { id }).catch(() => null);
      if (answer !== null && answer.status < 300) acked.push(id);
    };
    // A write to the shard that is cut off waits until its node is given up: the others go on meanwhile.
    const writers = Array.from({ length: WRITERS }, async () => {
      while (isWriting) {
        const written = write(`doc-${next++}`);
        waiting.add(written);
        void written.then(() => waiting.delete(written));
        await Promise.race([written, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
      }
    });
    return {
      async reached(count: number): Promise<void> {
        while (acked.length < count) await cluster.call(asked, 'GET', '/');
      },
      async stop(): Promise<readonly string[]> {
        isWriting = false;
        await Promise.all([...writers, ...waiting]);
        return acked;
      },
    };
  }

  /** Each node answers for all shards as soon as the cluster is green: none still waits to connect to another. */
  async function expectAll(acked: readonly string[]): Promise<void> {
    await cluster.call(cluster.numbers[0] ?? 0, 'POST', '/acked/_refresh');
    for (const host of cluster.numbers) {
      const found = await cluster.call(host, 'POST', '/acked/_mget', { ids: acked.slice(0, IDS_ASKED_MAX) });
      expect(found.status).toBe(200);
      expect(found.body.docs.filter((doc: { found: boolean }) => !doc.found)).toEqual([]);
      const counted = await cluster.call(host, 'GET', '/acked/_count');
      expect(counted.body._shards).toEqual({ total: 3, successful: 3, skipped: 0, failed: 0 });
      // Writes that were interrupted may be there too.
      expect(counted.body.count).toBeGreaterThanOrEqual(acked.length);
    }
  }
});
