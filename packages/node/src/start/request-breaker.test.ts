import { afterEach, expect, test } from 'vitest';
import { call, TestCluster } from './node-cluster.test-support.ts';

const clusters: TestCluster[] = [];

afterEach(async () => {
  await Promise.all(clusters.splice(0).map((cluster) => cluster.close()));
});

test('a search that holds too much is refused with the numbers, and the node shows them', async () => {
  const cluster = new TestCluster();
  clusters.push(cluster);
  const node = await cluster.start('one', { settings: { 'indices.breaker.request.limit': '20kb' } });
  await call(node, 'PUT', '/books', { settings: { number_of_shards: 1, number_of_replicas: 0 } });
  const lines = Array.from({ length: 60 }, (_, i) => `{"index":{}}\n{"text":"${'x'.repeat(1_000)}","n":${i}}\n`);
  await call(node, 'POST', '/books/_bulk?refresh=true', lines.join(''));
  const breaker = async () => {
    const { body } = await call(node, 'GET', '/_nodes/stats/breaker');
    const [stats] = Object.values<Record<string, Record<string, Record<string, unknown>>>>(body.nodes);
    return stats?.breakers?.request;
  };
  expect(await breaker()).toMatchObject({ limit_size_in_bytes: 20_480, estimated_size_in_bytes: 0, tripped: 0 });
  expect((await call(node, 'POST', '/books/_search', { size: 10 })).status).toBe(200);
  const refused = await call(node, 'POST', '/books/_search', { size: 60 });
  expect([refused.status, refused.body.error.root_cause[0].type]).toEqual([429, 'circuit_breaking_exception']);
  expect(refused.body.error.root_cause[0]).toMatchObject({ bytes_limit: 20_480, durability: 'TRANSIENT' });
  expect(refused.body.error.root_cause[0].reason).toMatch(
    /^\[request\] Data too large, data for \[<fetched documents>\] would be \[\d+\/[\d.]+kb\], which is larger than the limit of \[20480\/20kb\]/,
  );
  // What was refused is held no longer.
  expect(await breaker()).toMatchObject({ estimated_size_in_bytes: 0, tripped: 1 });
  expect((await call(node, 'POST', '/books/_search', { size: 10 })).status).toBe(200);
});

test('a search is refused while the process holds more than it may, and the node shows what it holds', async () => {
  const cluster = new TestCluster();
  clusters.push(cluster);
  const node = await cluster.start('one', { settings: { 'indices.breaker.total.limit': '1mb' } });
  await call(node, 'PUT', '/books', { settings: { number_of_shards: 1, number_of_replicas: 0 } });
  await call(node, 'PUT', '/books/_doc/1?refresh=true', { n: 1 });
  const refused = await call(node, 'POST', '/books/_search', { size: 10 });
  expect([refused.status, refused.body.error.root_cause[0].type]).toEqual([429, 'circuit_breaking_exception']);
  expect(refused.body.error.root_cause[0].reason).toMatch(/^\[parent\] Data too large, .* real usage: \[/);
  const { body } = await call(node, 'GET', '/_nodes/stats/breaker');
  const [stats] = Object.values<Record<string, Record<string, Record<string, number>>>>(body.nodes);
  expect(stats?.breakers?.parent).toMatchObject({ limit_size_in_bytes: 1024 * 1024, tripped: 1 });
  expect(stats?.breakers?.parent?.estimated_size_in_bytes).toBeGreaterThan(10 * 1024 * 1024);
});

test('by what breakers count alone, where settings say so', async () => {
  const cluster = new TestCluster();
  clusters.push(cluster);
  const settings = { 'indices.breaker.total.limit': '1mb', 'indices.breaker.total.use_real_memory': 'false' };
  const node = await cluster.start('one', { settings });
  await call(node, 'PUT', '/books', { settings: { number_of_shards: 1, number_of_replicas: 0 } });
  await call(node, 'PUT', '/books/_doc/1?refresh=true', { n: 1 });
  expect((await call(node, 'POST', '/books/_search', { size: 10 })).status).toBe(200);
});
