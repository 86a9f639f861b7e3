import { afterEach, describe, expect, test } from 'vitest';
import { type ClusterOptions, startShoal } from '../start/start-shoal.ts';
import type { ShoalCluster } from './shoal-cluster.ts';

const clusters: ShoalCluster[] = [];

/** A cluster with ten orders, on three shards. */
async function start(options: Partial<ClusterOptions> = {}): Promise<ShoalCluster> {
  const cluster = await startShoal({ nodes: 3, ...options });
  clusters.push(cluster);
  await ask(cluster, 'PUT', '/orders', { settings: { number_of_shards: 3 } });
  for (let id = 0; id < 10; id++) await ask(cluster, 'PUT', `/orders/_doc/${id}`, { id });
  return cluster;
}

async function ask(
  cluster: ShoalCluster,
  method: string,
  path: string,
  body?: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const answer = await cluster.fetch(path, { method, ...(body === undefined ? {} : { body }) });
  const answered = await answer.json();
  expect(answer.status, JSON.stringify(answered)).toBeLessThan(300);
  return answered;
}

type Answer = Readonly<Record<string, unknown>>;

const found = async (cluster: ShoalCluster): Promise<unknown> => {
  const { hits } = await ask(cluster, 'POST', '/orders/_search');
  return (hits as { readonly total: { readonly value: number } }).total.value;
};

afterEach(async () => {
  await Promise.all(clusters.splice(0).map((cluster) => cluster.close()));
});

describe('a snapshot of a cluster', () => {
  test('is returned to as often as wanted, with all that was written and nothing that came after', async () => {
    const cluster = await start();
    await ask(cluster, 'PUT', '/_cluster/settings', { persistent: { 'search.default_keep_alive': '4m' } });
    const fixtures = await cluster.snapshot();
    expect(fixtures.indices).toEqual(['orders']);
    for (let round = 0; round < 2; round++) {
      await ask(cluster, 'PUT', '/orders/_doc/10', { id: 10 });
      await ask(cluster, 'DELETE', '/orders/_doc/1');
      await ask(cluster, 'PUT', '/others');
      await ask(cluster, 'PUT', '/_cluster/settings', { persistent: { 'search.default_keep_alive': '3m' } });
      await cluster.restore(fixtures);
      expect(await found(cluster)).toBe(10);
      expect((await ask(cluster, 'GET', '/orders/_doc/1'))._version).toBe(1);
      expect((await cluster.fetch('/others')).status).toBe(404);
      expect(await ask(cluster, 'GET', '/_cluster/settings')).toMatchObject({
        persistent: { search: { default_keep_alive: '4m' } },
      });
    }
  });

  test('is returned to from whatever became of the nodes and the network', async () => {
    const cluster = await start();
    const fixtures = await cluster.snapshot();
    cluster.partition([0], [1, 2]);
    cluster.kill(2, { silent: true });
    await cluster.advance('1m');
    await cluster.restore(fixtures);
    expect(cluster.nodes.map(({ isAlive }) => isAlive)).toEqual([true, true, true]);
    expect(await found(cluster)).toBe(10);
    expect(await ask(cluster, 'GET', '/_cluster/health?wait_for_status=green')).toMatchObject({
      timed_out: false,
      number_of_nodes: 3,
    });
  });

  test('has what was written and not refreshed, and another of later what came since', async () => {
    const cluster = await start({ visibility: 'elasticsearch' });
    const early = await cluster.snapshot();
    await ask(cluster, 'PUT', '/orders/_doc/10', { id: 10 });
    const late = await cluster.snapshot();
    await cluster.restore(early);
    await ask(cluster, 'POST', '/orders/_refresh');
    expect(await found(cluster)).toBe(10);
    await cluster.restore(late);
    await ask(cluster, 'POST', '/orders/_refresh');
    expect(await found(cluster)).toBe(11);
  });

  test('leaves the clocks as they are, and cuts who waits for an answer', async () => {
    const cluster = await start();
    const fixtures = await cluster.snapshot();
    await cluster.clock.set(cluster.clock.now() + 30 * 86_400_000);
    const before = cluster.clock.now();
    const waiting = cluster.fetch('/_cluster/health?wait_for_nodes=5&timeout=1h');
    const cut = expect(waiting).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    await cluster.advance('1s');
    await cluster.restore(fixtures);
    await cut;
    expect(cluster.clock.now()).toBeGreaterThan(before);
  });

  test('goes the same way again from one seed', async () => {
    const run = async (): Promise<unknown> => {
      const cluster = await start({ seed: 3 });
      const fixtures = await cluster.snapshot();
      await ask(cluster, 'DELETE', '/orders');
      await cluster.restore(fixtures);
      return [cluster.nowMs, await found(cluster)];
    };
    expect(await run()).toEqual(await run());
  });

  test('is one of all nodes together, and of this cluster', async () => {
    const [one, other] = [await start(), await start()];
    const foreign = await other.snapshot();
    await expect(one.restore(foreign)).rejects.toThrow('the snapshot is one of another cluster');
    one.kill(1);
    await expect(one.snapshot()).rejects.toThrow('a snapshot is one of all nodes, and [shoal-testing-1] is dead');
    await one.restart(1);
    one.partition([0], [1, 2]);
    await one.advance('2m');
    await expect(one.snapshot()).rejects.toThrow('does not see every other');
  });
});
