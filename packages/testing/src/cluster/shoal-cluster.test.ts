import { Client } from '@elastic/elasticsearch';
import { afterEach, describe, expect, test } from 'vitest';
import { type ClusterOptions, startShoal } from '../start/start-shoal.ts';
import type { ClusterNode } from './cluster-node.ts';
import type { ShoalCluster } from './shoal-cluster.ts';

const clusters: ShoalCluster[] = [];

async function start(options: Partial<ClusterOptions> = {}): Promise<ShoalCluster> {
  const cluster = await startShoal({ nodes: 3, ...options });
  clusters.push(cluster);
  return cluster;
}

async function ask(node: Pick<ClusterNode, 'fetch'>, method: string, path: string, body?: Record<string, unknown>) {
  const answer = await node.fetch(path, { method, ...(body === undefined ? {} : { body }) });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

/** Index with a shard on each node, of which there is no other copy, and a few documents. */
async function books(cluster: ShoalCluster): Promise<void> {
  await ask(cluster, 'PUT', '/books', { settings: { number_of_shards: 3, number_of_replicas: 0 } });
  for (let id = 0; id < 20; id++) expect((await ask(cluster, 'PUT', `/books/_doc/${id}`, { id })).status).toBe(201);
}

afterEach(async () => {
  await Promise.all(clusters.splice(0).map((cluster) => cluster.close()));
});

describe('a cluster in a test', () => {
  test('answers from any node, and searches over all', async () => {
    const cluster = await start();
    await books(cluster);
    for (const node of cluster.nodes) {
      expect(await ask(node, 'POST', '/books/_search')).toMatchObject({
        status: 200,
        body: { hits: { total: { value: 20 } } },
      });
    }
    expect(await ask(cluster, 'GET', '/_cluster/health?wait_for_status=green')).toMatchObject({
      body: { number_of_nodes: 3, timed_out: false },
    });
  });

  test('has addresses for clients', async () => {
    const cluster = await start({ nodes: 2 });
    const client = new Client({ nodes: cluster.nodes.map(({ url }) => url) });
    await client.index({ index: 'books', id: '1', document: { title: 'Emma' } });
    expect(await client.search({ index: 'books', q: 'emma' })).toMatchObject({ hits: { total: { value: 1 } } });
    await client.close();
  });

  test('cut off from the others, a node finds no cluster manager until the cut heals', async () => {
    const cluster = await start();
    const [alone] = cluster.nodes;
    cluster.partition([0], [1, 2]);
    await cluster.advance('2m');
    const create = await ask(alone as ClusterNode, 'PUT', '/alone?master_timeout=5s', {});
    expect(create).toMatchObject({ status: 503, body: { error: { type: 'master_not_discovered_exception' } } });
    const others = await ask(cluster.nodes[1] as ClusterNode, 'PUT', '/others');
    expect(others).toMatchObject({ status: 200 });
    cluster.heal();
    await cluster.advance('2m');
    expect((await ask(alone as ClusterNode, 'GET', '/others')).status).toBe(200);
  });

  test('loses no acknowledged write with a node that is killed and comes back', async () => {
    const cluster = await start();
    await books(cluster);
    cluster.kill(2);
    expect(cluster.nodes[2]?.isAlive).toBe(false);
    await expect(cluster.nodes[2]?.fetch('/')).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
    await cluster.advance('1m');
    const less = await ask(cluster, 'POST', '/books/_search?allow_partial_search_results=true');
    expect(less).toMatchObject({ status: 200, body: { _shards: { total: 3, failed: 1 } } });
    await cluster.restart(2);
    for (const node of cluster.nodes) {
      expect(await ask(node, 'GET', '/_cluster/health')).toMatchObject({ body: { number_of_nodes: 3 } });
    }
    expect(await ask(cluster, 'GET', '/_cluster/health?wait_for_status=green')).toMatchObject({
      body: { timed_out: false },
    });
    expect((await ask(cluster, 'POST', '/books/_search')).body).toMatchObject({ hits: { total: { value: 20 } } });
  });

  test('killed while it answers, a node cuts who waits', async () => {
    const cluster = await start();
    const waiting = ask(cluster.nodes[0] as ClusterNode, 'GET', '/_cluster/health?wait_for_nodes=5&timeout=1h');
    const cut = expect(waiting).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    await cluster.advance('1s');
    cluster.kill(0);
    await cut;
  });

  test('goes the same way again from one seed, and another from another', async () => {
    const run = async (seed: number) => {
      const cluster = await start({ seed });
      await books(cluster);
      cluster.kill(0, { silent: true });
      await cluster.advance('90s');
      const { body } = await ask(cluster, 'GET', '/_cluster/health');
      return [cluster.nowMs, body.status, body.number_of_nodes];
    };
    const first = await run(5);
    expect(await run(5)).toEqual(first);
    expect((await run(6))[0]).not.toEqual(first[0]);
  });

  test.each([0, 10, 1.5])('of %s nodes there is none', async (nodes) => {
    await expect(startShoal({ nodes })).rejects.toThrow('1 to 9 nodes');
  });

  test('is over once it is closed', async () => {
    const cluster = await start({ nodes: 1 });
    await cluster.close();
    await expect(cluster.fetch('/')).rejects.toThrow('dead');
    expect(() => cluster.kill(0)).toThrow('closed');
  });
});
