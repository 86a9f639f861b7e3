import { afterEach, expect, test } from 'vitest';
import { call, TestCluster } from './node-cluster.test-support.ts';

const clusters: TestCluster[] = [];

afterEach(async () => {
  await Promise.all(clusters.splice(0).map((cluster) => cluster.close()));
});

test('shards of a closed index keep their place, are counted, explained and opened again with what they hold', async () => {
  const cluster = new TestCluster();
  clusters.push(cluster);
  const one = await cluster.start('one', {
    settings: { 'discovery.type': 'single-node', 'cluster.initial_cluster_manager_nodes': null },
  });
  const settings = { number_of_shards: 2, number_of_replicas: 0 };
  await call(one, 'PUT', '/books', { settings });
  await call(one, 'PUT', '/books/_doc/1?refresh=true', { title: 'found again' });

  const closed = await call(one, 'POST', '/books/_close');
  expect(closed.body).toMatchObject({ shards_acknowledged: true, indices: { books: { closed: true } } });
  const health = await call(one, 'GET', '/_cluster/health/books?wait_for_status=green&level=shards');
  expect(health.body).toMatchObject({
    status: 'green',
    active_primary_shards: 2,
    indices: { books: { shards: { 1: { status: 'green', primary_active: true } } } },
  });
  const explained = await call(one, 'POST', '/_cluster/allocation/explain', {
    index: 'books',
    shard: 0,
    primary: true,
  });
  expect(explained.body).toMatchObject({ current_state: 'started', current_node: { name: 'one' } });
  const all = '/books/_stats?expand_wildcards=all&forbid_closed_indices=false';
  expect((await call(one, 'GET', all)).body).toMatchObject({
    _shards: { total: 2, successful: 2, failed: 0 },
    indices: { books: { status: 'close', total: { docs: { count: 1 }, segments: { count: 0 } } } },
  });
  expect((await call(one, 'GET', `${all}&include_unloaded_segments=true`)).body).toMatchObject({
    _all: { total: { segments: { count: 1 } } },
  });
  expect((await call(one, 'GET', '/books/_search')).status).toBe(400);
  expect((await call(one, 'PUT', '/books/_doc/2', {})).status).toBe(400);

  // A setting that only a closed index takes is there when it opens.
  const analysis = { analyzer: { whole: { type: 'keyword' } } };
  expect((await call(one, 'PUT', '/books/_settings', { analysis })).status).toBe(200);
  const opened = await call(one, 'POST', '/books/_open');
  expect(opened.body).toMatchObject({ acknowledged: true, shards_acknowledged: true });
  expect((await call(one, 'GET', '/books/_search')).body).toMatchObject({ hits: { total: { value: 1 } } });
  const tokens = await call(one, 'POST', '/books/_analyze', { analyzer: 'whole', text: 'a b' });
  expect(tokens.body).toMatchObject({ tokens: [{ token: 'a b' }] });
});

test('an index that wants more copies for its writes than there are is not acknowledged, nor when it is opened', async () => {
  const cluster = new TestCluster();
  clusters.push(cluster);
  const one = await cluster.start('one', {
    settings: { 'discovery.type': 'single-node', 'cluster.initial_cluster_manager_nodes': null },
  });
  const settings = { number_of_shards: 1, number_of_replicas: 1, 'write.wait_for_active_shards': 'all' };
  const created = await call(one, 'PUT', '/wanting?timeout=10ms', { settings });
  expect(created.body).toMatchObject({ acknowledged: true, shards_acknowledged: false });
  await call(one, 'POST', '/wanting/_close?wait_for_active_shards=1');
  const opened = await call(one, 'POST', '/wanting/_open?timeout=10ms');
  expect(opened.body).toMatchObject({ shards_acknowledged: false });
  const enough = await call(one, 'POST', '/wanting/_open?wait_for_active_shards=1');
  expect(enough.body).toMatchObject({ acknowledged: true, shards_acknowledged: true });
});
