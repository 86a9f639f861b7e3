/** Cluster settings that a node is started with hold until the cluster sets them, and again when it removes them. */
import { afterEach, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

const clusters: TestCluster[] = [];

afterEach(async () => {
  await Promise.all(clusters.splice(0).map((cluster) => cluster.close()));
});

function startedWith(settings: Readonly<Record<string, string>>): Promise<TestNode> {
  const cluster = new TestCluster();
  clusters.push(cluster);
  return cluster.start('one', { settings });
}

function setting(node: TestNode, name: string, value: string | number | null) {
  return call(node, 'PUT', '/_cluster/settings', { transient: { [name]: value } });
}

/** What a reduction refuses has a cause and no root cause. */
async function reasonOf(answer: ReturnType<typeof call>): Promise<string | null> {
  const { error } = (await answer).body;
  return error?.root_cause?.[0]?.reason ?? error?.caused_by?.reason ?? error?.reason ?? null;
}

interface Case {
  readonly name: string;
  readonly ofNode: string;
  readonly ofCluster: string;
  /** What the node's value refuses and the cluster's does not. */
  readonly ask: (node: TestNode) => ReturnType<typeof call>;
  readonly refusal: string;
}

const CASES: readonly Case[] = [
  {
    name: 'action.auto_create_index',
    ofNode: '-x*,+*',
    ofCluster: 'true',
    ask: (node) => call(node, 'PUT', '/xyz/_doc/1', {}),
    refusal: 'action.auto_create_index',
  },
  {
    name: 'cluster.max_shards_per_node',
    ofNode: '3',
    ofCluster: '100',
    ask: (node) => call(node, 'PUT', `/more`, { settings: { number_of_shards: 4, number_of_replicas: 0 } }),
    refusal: 'this cluster currently has [1]/[3] maximum normal shards open',
  },
  {
    name: 'search.max_buckets',
    ofNode: '1',
    ofCluster: '10',
    ask: (node) => call(node, 'POST', '/lib/_search', { aggs: { n: { terms: { field: 'n' } } } }),
    refusal: 'Must be less than or equal to: [1]',
  },
  {
    name: 'search.max_keep_alive',
    ofNode: '1m',
    ofCluster: '1h',
    ask: (node) => call(node, 'POST', '/lib/_search?scroll=10m', {}),
    refusal: 'It must be less than (1m)',
  },
  {
    name: 'search.max_open_scroll_context',
    ofNode: '0',
    ofCluster: '10',
    ask: (node) => call(node, 'POST', '/lib/_search?scroll=1s', {}),
    refusal: 'Must be less than or equal to: [0]',
  },
  {
    name: 'search.allow_expensive_queries',
    ofNode: 'false',
    ofCluster: 'true',
    ask: (node) => call(node, 'POST', '/lib/_search', { query: { regexp: { 'k.keyword': 'a+' } } }),
    refusal: "cannot be executed when 'search.allow_expensive_queries' is set to false.",
  },
  {
    name: 'indices.id_field_data.enabled',
    ofNode: 'false',
    ofCluster: 'true',
    ask: (node) => call(node, 'POST', '/lib/_search', { sort: '_id' }),
    refusal: 'Fielddata access on the _id field is disallowed',
  },
  {
    name: 'cluster.indices.close.enable',
    ofNode: 'false',
    ofCluster: 'true',
    ask: async (node) => {
      const answer = await call(node, 'POST', '/lib/_close');
      await call(node, 'POST', '/lib/_open');
      return answer;
    },
    refusal: 'closing indices is disabled',
  },
  {
    name: 'action.destructive_requires_name',
    ofNode: 'true',
    ofCluster: 'false',
    ask: (node) => call(node, 'DELETE', '/no*'),
    refusal: 'Wildcard expressions or all indices are not allowed',
  },
];

test.each(CASES)('$name', async ({ name, ofNode, ofCluster, ask, refusal }) => {
  const node = await startedWith({ [name]: ofNode });
  await call(node, 'PUT', '/lib', { settings: { number_of_shards: 1, number_of_replicas: 0 } });
  await call(node, 'PUT', '/lib/_doc/1?refresh=true', { n: [1, 2, 3], k: 'a' });
  expect(await reasonOf(ask(node))).toContain(refusal);
  expect((await setting(node, name, ofCluster)).status).toBe(200);
  expect(await reasonOf(ask(node))).toBeNull();
  await setting(node, name, null);
  if (name !== 'cluster.max_shards_per_node' && name !== 'action.auto_create_index')
    expect(await reasonOf(ask(node))).toContain(refusal);
});

test('wildcards delete where the node says that they may', async () => {
  const node = await startedWith({ 'action.destructive_requires_name': 'false' });
  await call(node, 'PUT', '/lib');
  expect((await call(node, 'DELETE', '/*')).body).toEqual({ acknowledged: true });
  expect((await call(node, 'GET', '/lib')).status).toBe(404);
});

test('shards are assigned as the cluster manager was started to', async () => {
  const node = await startedWith({ 'cluster.routing.allocation.enable': 'none' });
  const body = { settings: { number_of_shards: 1, number_of_replicas: 0 } };
  expect((await call(node, 'PUT', '/lib?timeout=10ms', body)).body.shards_acknowledged).toBe(false);
  const explained = await call(node, 'GET', '/_cluster/allocation/explain');
  expect(JSON.stringify(explained.body)).toContain('[cluster.routing.allocation.enable=none]');
  await setting(node, 'cluster.routing.allocation.enable', 'all');
  expect((await call(node, 'GET', '/_cluster/health/lib?wait_for_status=green&timeout=10s')).status).toBe(200);
});

test.each([
  ['search.max_buckets', 'many', 'Failed to parse value [many] for setting [search.max_buckets]'],
  ['cluster.blocks.read_only', 'true', 'unknown setting [cluster.blocks.read_only]'],
])('a node does not start with %s: %s', async (name, value, reason) => {
  await expect(startedWith({ [name]: value })).rejects.toThrow(reason);
});
