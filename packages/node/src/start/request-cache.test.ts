/** What shards keep to answer faster, as statistics show it: answers of searches, and what terms hold in memory. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

const cluster = new TestCluster();
let one: TestNode;

beforeAll(async () => {
  one = await cluster.start('one', {
    settings: { 'discovery.type': 'single-node', 'cluster.initial_cluster_manager_nodes': null },
  });
  const mappings = { properties: { tag: { type: 'keyword' }, at: { type: 'date' } } };
  await call(one, 'PUT', '/lib', {
    mappings,
    settings: { 'index.number_of_shards': 2, 'index.refresh_interval': '-1' },
  });
  for (const round of [0, 1]) {
    const lines = Array.from({ length: 200 }, (_, i) => [{ index: {} }, { tag: `t${round}-${i}`, at: '2024-05-06' }]);
    const body = `${lines
      .flat()
      .map((line) => JSON.stringify(line))
      .join('\n')}\n`;
    await call(one, 'POST', '/lib/_bulk?refresh=true', body);
  }
});

afterAll(() => cluster.close());

const AGGS = { size: 0, aggs: { tags: { terms: { field: 'tag', size: 3 } } } };

interface Counts {
  readonly hit_count: number;
  readonly miss_count: number;
  readonly memory_size_in_bytes: number;
}

async function counts(): Promise<Counts> {
  const { body } = await call(one, 'GET', '/lib/_stats/request_cache');
  return body._all.total.request_cache;
}

/** Hits and misses of the shards that a request counts. */
async function counted(path: string, body: unknown): Promise<string> {
  const before = await counts();
  expect((await call(one, 'POST', path, body)).status).toBe(200);
  const after = await counts();
  return `${after.hit_count - before.hit_count} hits, ${after.miss_count - before.miss_count} misses`;
}

test('a search without hits is answered from the cache until something is shown that it did not see', async () => {
  expect(await counted('/lib/_search', AGGS)).toBe('0 hits, 2 misses');
  expect(await counted('/lib/_search', AGGS)).toBe('2 hits, 0 misses');
  expect(await counted('/lib/_search?request_cache=false', AGGS)).toBe('0 hits, 0 misses');
  expect(await counted('/lib/_search', { size: 1 })).toBe('0 hits, 0 misses');
  expect(await counted('/lib/_search?request_cache=true', { size: 1 })).toBe('0 hits, 2 misses');
  expect(await counted('/lib/_search?request_cache=true', { size: 1 })).toBe('2 hits, 0 misses');
  expect(await counted('/lib/_search', { ...AGGS, query: { range: { at: { lt: 'now' } } } })).toBe('0 hits, 0 misses');
  expect(await counted('/lib/_count', { query: { match_all: {} } })).toBe('0 hits, 2 misses');
  expect(await counted('/lib/_count', { query: { match_all: {} } })).toBe('2 hits, 0 misses');
  const lines = `{"index":"lib","request_cache":false}\n${JSON.stringify(AGGS)}\n`;
  expect(await counted('/_msearch', lines)).toBe('0 hits, 0 misses');
  await call(one, 'POST', '/lib/_doc?refresh=true', { tag: 'new' });
  await call(one, 'POST', '/lib/_doc?refresh=true&routing=other', { tag: 'new' });
  const { body } = await call(one, 'POST', '/lib/_search', AGGS);
  expect(body.aggregations.tags.buckets[0]).toEqual({ key: 'new', doc_count: 2 });
});

test('`_cache/clear` empties what it names', async () => {
  await call(one, 'POST', '/lib/_search', AGGS);
  expect((await counts()).memory_size_in_bytes).toBeGreaterThan(0);
  await call(one, 'POST', '/lib/_cache/clear?fielddata=true');
  expect((await counts()).memory_size_in_bytes).toBeGreaterThan(0);
  const cleared = await call(one, 'POST', '/lib/_cache/clear?request=true');
  expect(cleared.body).toEqual({ _shards: { total: 4, successful: 2, failed: 0 } });
  expect((await counts()).memory_size_in_bytes).toBe(0);
});

test('an index may leave the cache out', async () => {
  await call(one, 'PUT', '/lib/_settings', { 'index.requests.cache.enable': false });
  expect(await counted('/lib/_search', AGGS)).toBe('0 hits, 0 misses');
  expect(await counted('/lib/_search?request_cache=true', AGGS)).toBe('0 hits, 2 misses');
  await call(one, 'PUT', '/lib/_settings', { 'index.requests.cache.enable': null });
});

test('memory that terms hold is told by field', async () => {
  await call(one, 'POST', '/lib/_search?request_cache=false', AGGS);
  const { body } = await call(one, 'GET', '/lib/_stats/fielddata?fields=t*');
  const { memory_size_in_bytes: bytes, fields } = body._all.total.fielddata;
  expect(bytes).toBeGreaterThan(0);
  expect(fields).toEqual({ tag: { memory_size_in_bytes: bytes } });
  expect((await call(one, 'GET', '/lib/_stats/fielddata?fields=x')).body._all.total.fielddata.fields).toEqual({});
  const nodes = await call(one, 'GET', '/_nodes/stats/indices/fielddata?fielddata_fields=tag');
  const [stats] = Object.values<{ readonly indices: unknown }>(nodes.body.nodes);
  expect(stats?.indices).toMatchObject({ fielddata: { memory_size_in_bytes: bytes, evictions: 0, fields } });
  const rows = await call(one, 'GET', '/_cat/fielddata/tag?format=json&bytes=b');
  expect(rows.body).toMatchObject([{ node: 'one', field: 'tag', size: String(bytes) }]);
  expect((await call(one, 'GET', '/_cat/fielddata?fields=nope&format=json')).body).toEqual([]);
  await call(one, 'POST', '/lib/_cache/clear?fields=tag');
  expect((await call(one, 'GET', '/_cat/fielddata?format=json')).body).toEqual([]);
});
