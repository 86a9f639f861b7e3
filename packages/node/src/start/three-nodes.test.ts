import { afterEach, describe, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

const clusters: TestCluster[] = [];

afterEach(async () => {
  await Promise.all(clusters.splice(0).map((cluster) => cluster.close()));
});

async function threeNodes(): Promise<{ readonly cluster: TestCluster; readonly nodes: readonly TestNode[] }> {
  const cluster = new TestCluster();
  clusters.push(cluster);
  const nodes = [await cluster.start('n1'), await cluster.start('n2'), await cluster.start('n3')];
  const health = await call(nodes[0]!, 'GET', '/_cluster/health?wait_for_nodes=3&timeout=20s');
  expect(health.body.timed_out).toBe(false);
  return { cluster, nodes };
}

const DOCS = 120;

async function load(node: TestNode, index: string, settings: object = {}): Promise<void> {
  const created = await call(node, 'PUT', `/${index}?wait_for_active_shards=all`, {
    settings: { number_of_shards: 3, ...settings },
  });
  expect(created.body).toMatchObject({ acknowledged: true, shards_acknowledged: true });
  const lines: string[] = [];
  for (let i = 0; i < DOCS; i++) {
    lines.push(JSON.stringify({ index: { _id: `d${i}` } }), JSON.stringify({ n: i, text: `word${i % 7} common` }));
  }
  const bulk = await call(node, 'POST', `/${index}/_bulk?refresh=true`, `${lines.join('\n')}\n`);
  expect(bulk.body.errors).toBe(false);
}

describe('three nodes', () => {
  test('answer the same to any question on any of them', async () => {
    const { nodes } = await threeNodes();
    await load(nodes[1]!, 'books');
    for (const node of nodes) {
      expect((await call(node, 'GET', '/books/_count')).body).toMatchObject({
        count: DOCS,
        _shards: { total: 3, successful: 3, failed: 0 },
      });
      const found = await call(node, 'POST', '/books/_search', {
        query: { match: { text: 'word3' } },
        sort: [{ n: 'desc' }],
        size: 3,
      });
      expect(found.body.hits.total).toEqual({ value: 17, relation: 'eq' });
      expect(found.body.hits.hits.map((hit: { _source: { n: number } }) => hit._source.n)).toEqual([115, 108, 101]);
      expect((await call(node, 'GET', '/books/_doc/d42')).body).toMatchObject({ found: true, _source: { n: 42 } });
    }
    const shards = await call(nodes[0]!, 'GET', '/_cat/shards/books?format=json&h=node');
    expect(new Set(shards.body.map((row: { node: string }) => row.node)).size).toBe(3);
  });

  test('of which one leaves and returns with its folder lose nothing', async () => {
    const { cluster, nodes } = await threeNodes();
    await load(nodes[0]!, 'books', { number_of_replicas: 0 });
    const third = nodes[2]!;
    await third.node.close();
    const red = await call(nodes[0]!, 'GET', '/_cluster/health?wait_for_nodes=2&timeout=20s');
    expect(red.body).toMatchObject({ status: 'red', number_of_nodes: 2, unassigned_shards: 1 });
    const partial = await call(nodes[0]!, 'GET', '/books/_count');
    expect(partial.body._shards).toMatchObject({ total: 3, successful: 2, failed: 1 });
    expect(partial.body.count).toBeLessThan(DOCS);

    await cluster.start('n3', { runtime: third.runtime });
    const green = await call(nodes[0]!, 'GET', '/_cluster/health?wait_for_status=green&wait_for_nodes=3&timeout=20s');
    expect(green.body).toMatchObject({ status: 'green', timed_out: false });
    expect((await call(nodes[1]!, 'GET', '/books/_count')).body.count).toBe(DOCS);
  });

  test('forget the data of a deleted index, also on a node that was away', async () => {
    const { cluster, nodes } = await threeNodes();
    await load(nodes[0]!, 'gone');
    const folders = async (node: TestNode) => node.runtime.disk.list('indices').catch(() => []);
    const third = nodes[2]!;
    expect(await folders(third)).toHaveLength(1);
    await third.node.close();
    await call(nodes[0]!, 'GET', '/_cluster/health?wait_for_nodes=2&timeout=20s');
    expect((await call(nodes[0]!, 'DELETE', '/gone')).body).toEqual({ acknowledged: true });
    await expect.poll(() => folders(nodes[0]!), { timeout: 120_000 }).toEqual([]);
    expect(await folders(third)).toHaveLength(1);
    await cluster.start('n3', { runtime: third.runtime });
    await expect.poll(() => folders(third), { timeout: 120_000 }).toEqual([]);
  });

  test('and a coordinator in front of them: it holds nothing and answers everything', async () => {
    const { cluster, nodes } = await threeNodes();
    const coordinator = await cluster.start('c1', { coordinator: true });
    await call(coordinator, 'GET', '/_cluster/health?wait_for_nodes=4&timeout=20s');
    await load(coordinator, 'books');
    expect((await call(coordinator, 'GET', '/books/_count')).body.count).toBe(DOCS);
    const info = await call(nodes[0]!, 'GET', '/_nodes');
    expect(info.body._nodes).toEqual({ total: 4, successful: 4, failed: 0 });
    const stats = await call(coordinator, 'GET', '/_nodes/stats');
    const bodies = Object.values(stats.body.nodes) as { name: string; indices: { docs: { count: number } } }[];
    expect(bodies.reduce((sum, node) => sum + node.indices.docs.count, 0)).toBe(2 * DOCS);
    expect(bodies.find((node) => node.name === 'c1')?.indices.docs.count).toBe(0);
    // States reach the coordinator as a whole first, then as differences.
    const discovery = (await call(coordinator, 'GET', '/_nodes/_local/stats/discovery')).body.nodes;
    const [own] = Object.values(discovery) as { discovery: { published_cluster_states: Record<string, number> } }[];
    expect(own?.discovery.published_cluster_states.compatible_diffs).toBeGreaterThan(0);
  });
});

describe('fields that are new', () => {
  test('are in the mapping that all shards agreed on before the write is answered', async () => {
    const { nodes } = await threeNodes();
    await call(nodes[0]!, 'PUT', '/things', { settings: { number_of_shards: 3 } });
    const writes = Array.from({ length: 30 }, (_, i) =>
      call(nodes[i % 3]!, 'PUT', `/things/_doc/${i}`, { [`field${i % 5}`]: i, clash: i % 2 === 0 ? 1 : 'text' }),
    );
    const answers = await Promise.all(writes);
    const statuses = new Set(answers.map((answer) => answer.status));
    // Either kind may be first; the other is refused where it cannot be read as that kind.
    expect([...statuses].every((status) => status === 201 || status === 400)).toBe(true);
    const mapping = await call(nodes[0]!, 'GET', '/things/_mapping');
    expect(Object.keys(mapping.body.things.mappings.properties).sort()).toEqual([
      'clash',
      'field0',
      'field1',
      'field2',
      'field3',
      'field4',
    ]);
  });
});
