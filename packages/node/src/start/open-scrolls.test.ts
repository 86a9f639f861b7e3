/** How many scrolls a node keeps open, over all its shards. */
import { afterEach, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

const clusters: TestCluster[] = [];

afterEach(async () => {
  await Promise.all(clusters.splice(0).map((cluster) => cluster.close()));
});

async function limited(node: TestNode, countMax: number | string | null) {
  return call(node, 'PUT', '/_cluster/settings', { persistent: { 'search.max_open_scroll_context': countMax } });
}

test('the cluster says how many scrolls a node keeps, over all its shards', async () => {
  const cluster = new TestCluster();
  clusters.push(cluster);
  const node = await cluster.start('one');
  for (const [index, shards] of [
    ['single', 1],
    ['pair', 2],
  ]) {
    await call(node, 'PUT', `/${index}`, { settings: { number_of_shards: shards, number_of_replicas: 0 } });
    await call(node, 'PUT', `/${index}/_doc/1?refresh=true`, { n: 1 });
  }
  const open = (index: string) => call(node, 'POST', `/${index}/_search?scroll=1m`, {});
  expect((await limited(node, 3)).status).toBe(200);
  const first = await open('single');
  expect(first.status).toBe(200);
  expect((await open('pair')).body._shards).toMatchObject({ total: 2, successful: 2 });

  const refused = await open('single');
  expect(refused.status).toBe(429);
  expect(refused.body.error.root_cause[0]).toMatchObject({
    type: 'too_many_scroll_contexts_exception',
    reason:
      'Trying to create too many scroll contexts. Must be less than or equal to: [3]. This limit can be set by changing the [search.max_open_scroll_context] setting.',
  });
  await call(node, 'DELETE', '/_search/scroll', { scroll_id: first.body._scroll_id });
  // One is left for two shards: what the other answers is shown.
  expect((await open('pair')).body._shards).toMatchObject({ total: 2, successful: 1, failed: 1 });
  await call(node, 'DELETE', '/_search/scroll/_all');

  // Other searches are not counted, and the default holds again without the setting.
  await limited(node, 0);
  expect((await open('single')).status).toBe(429);
  expect((await call(node, 'POST', '/single/_search', {})).status).toBe(200);
  await limited(node, null);
  expect((await open('single')).status).toBe(200);
});

test.each([-1, 'many'])('a limit of %s scrolls is refused', async (countMax) => {
  const cluster = new TestCluster();
  clusters.push(cluster);
  const node = await cluster.start('one');
  const { status, body } = await limited(node, countMax);
  expect([status, body.error.type]).toEqual([400, 'illegal_argument_exception']);
});
