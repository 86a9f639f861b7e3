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

test('a search by an alias of a closed index is refused unless the alias is a wildcard or what is missing is ignored', async () => {
  const cluster = new TestCluster();
  clusters.push(cluster);
  const one = await cluster.start('one', {
    settings: { 'discovery.type': 'single-node', 'cluster.initial_cluster_manager_nodes': null },
  });
  const settings = { number_of_shards: 1, number_of_replicas: 0 };
  await call(one, 'PUT', '/kept', { settings, aliases: { both: {} } });
  await call(one, 'PUT', '/kept/_doc/1?refresh=true', { n: 1 });
  await call(one, 'PUT', '/shut', { settings, aliases: { both: {}, gone: {} } });
  await call(one, 'POST', '/shut/_close');
  const search = async (path: string): Promise<string> => {
    const [names = '', query = ''] = path.split('?');
    const { status, body } = await call(one, 'POST', `/${names}/_search?${query}`, {});
    return status === 200 ? `${body.hits.total.value} of ${body._shards.total} shards` : `${status} ${body.error.type}`;
  };
  const closed = '400 index_closed_exception';
  const found = '1 of 1 shards';
  const nothing = '0 of 0 shards';
  const missing = '404 index_not_found_exception';
  const expected: Readonly<Record<string, string>> = {
    both: closed,
    gone: closed,
    'both,gone': closed,
    'both*': found,
    'gone*': nothing,
    'both?ignore_unavailable=true': found,
    'gone?ignore_unavailable=true': nothing,
    'both,gone?ignore_unavailable=true': found,
    'both?expand_wildcards=open': closed,
    'both?expand_wildcards=all': closed,
    'both?expand_wildcards=none': closed,
    'both*?expand_wildcards=all': closed,
    'gone*?expand_wildcards=all': closed,
    'both*?expand_wildcards=none': nothing,
    'both*?expand_wildcards=all&ignore_unavailable=true': found,
    'gone*?expand_wildcards=all&ignore_unavailable=true': nothing,
    'both?allow_no_indices=false': closed,
    'both*?allow_no_indices=false': found,
    'gone*?allow_no_indices=false': missing,
    'gone?ignore_unavailable=true&allow_no_indices=false': missing,
  };
  const answers: Record<string, string> = {};
  for (const path of Object.keys(expected)) answers[path] = await search(path);
  expect(answers).toEqual(expected);
});
