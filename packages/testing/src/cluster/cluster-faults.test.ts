import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startShoal } from '../start/start-shoal.ts';
import type { ClusterNode } from './cluster-node.ts';
import type { ShoalCluster } from './shoal-cluster.ts';

let cluster: ShoalCluster;
let first: ClusterNode;
let second: ClusterNode;

beforeEach(async () => {
  cluster = await startShoal({ nodes: 2 });
  [first, second] = cluster.nodes as unknown as [ClusterNode, ClusterNode]; // It was started with two.
});
afterEach(() => cluster.close());

const status = async (node: Pick<ClusterNode, 'fetch'>, path = '/'): Promise<number> => (await node.fetch(path)).status;

describe('a fault of a cluster', () => {
  test('meets whichever node is asked; that of a node only requests to it', async () => {
    cluster.faults.next(2, { kind: 'status', status: 429 });
    expect([await status(first), await status(second), await status(first)]).toEqual([429, 429, 200]);
    second.faults.next(1, { kind: 'status', status: 503 });
    expect([await status(first), await status(second), await status(second)]).toEqual([200, 503, 200]);
  });

  test('is a shard that fails on the node that has it', async () => {
    await cluster.load([{ n: 1 }, { n: 2 }], { index: 'books' });
    cluster.faults.next(1, { kind: 'shardFailure', index: 'books' });
    const search = async () => (await second.fetch('/books/_search')).json();
    expect(await search()).toMatchObject({ error: { type: 'search_phase_execution_exception' } });
    expect(await search()).toMatchObject({ hits: { total: { value: 2 } } });
    const { shards } = (await (await cluster.fetch('/books/_search_shards')).json()) as {
      shards: readonly (readonly { readonly node: string }[])[];
    };
    const { nodes } = (await (await cluster.fetch('/_nodes')).json()) as {
      nodes: Readonly<Record<string, { readonly name: string }>>;
    };
    const holder = nodes[shards[0]?.[0]?.node ?? '']?.name;
    for (const node of cluster.nodes) {
      const armed = node.faults.next(1, { kind: 'shardFailure', index: 'books' });
      expect('error' in (await search()), node.name).toBe(node.name === holder);
      armed.cancel();
    }
  });

  test('is an answer that comes later, by the time of the cluster', async () => {
    const beforeMs = cluster.nowMs;
    cluster.faults.next(1, { kind: 'delay', ms: 90_000 });
    expect(await status(first)).toBe(200);
    expect(cluster.nowMs - beforeMs).toBeGreaterThanOrEqual(90_000);
  });

  test('is an answer that never comes, until the node is dead', async () => {
    first.faults.next(1, { kind: 'timeout', isDone: true });
    const waiting = first.fetch('/books/_doc/1?refresh', { method: 'PUT', body: { n: 1 } });
    const cut = expect(waiting).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    await cluster.advance('10s');
    expect(await (await second.fetch('/_cat/indices?h=index')).text()).toContain('books');
    cluster.kill(0);
    await cut;
  });

  test('is not for requests to a node that is down', async () => {
    cluster.kill(0);
    cluster.faults.next(1, { kind: 'status', status: 429 });
    await expect(first.fetch('/')).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
    expect(cluster.requests).toEqual([]);
    expect(await status(second)).toBe(429);
  });
});

test('the requests of a cluster are those of all nodes in their order, and each node has its own', async () => {
  await cluster.load([{ n: 1 }], { index: 'books' });
  await second.fetch('/books/_search', { method: 'POST', body: { size: 0 } });
  expect(cluster.requests.map(({ method, path, status }) => [method, path, status])).toEqual([
    ['POST', '/books/_bulk', 200],
    ['POST', '/books/_search', 200],
  ]);
  expect(second.requests).toMatchObject([{ path: '/books/_search', body: { size: 0 } }]);
  expect(first.requests.map(({ path }) => path)).toEqual(['/books/_bulk']);
  cluster.clearRequests();
  expect([cluster.requests, first.requests, second.requests]).toEqual([[], [], []]);
});
