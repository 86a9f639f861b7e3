/** Indices that do not say how many replicas they want, on a node that is alone: as Elasticsearch's single node answers. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

const cluster = new TestCluster();
let node: TestNode;

beforeAll(async () => {
  node = await cluster.start('one', { settings: { 'path.repo': ['repositories'] } });
  await call(node, 'PUT', '/lib', {});
}, 60_000);
afterAll(() => cluster.close());

const get = async (path: string) => (await call(node, 'GET', path)).body;

async function replicasOf(index: string): Promise<string> {
  const body: Record<string, { settings: Record<string, string> }> = await get(
    `/${index}/_settings?flat_settings=true`,
  );
  return Object.values(body)[0]?.settings['index.number_of_replicas'] ?? 'none';
}

describe('an index of a single node', () => {
  test('waits for one replica, and is yellow', async () => {
    expect(await replicasOf('lib')).toBe('1');
    expect(await get('/_cluster/health/lib?level=indices')).toMatchObject({
      status: 'yellow',
      active_primary_shards: 1,
      active_shards: 1,
      unassigned_shards: 1,
      unassigned_primary_shards: 0,
      active_shards_percent_as_number: 50,
      indices: { lib: { status: 'yellow', number_of_replicas: 1 } },
    });
    expect(await get('/_cat/indices/lib?format=json&h=health,status,pri,rep')).toEqual([
      { health: 'yellow', status: 'open', pri: '1', rep: '1' },
    ]);
    expect(await get('/_cat/shards/lib?format=json&h=prirep,state,node,ur')).toEqual([
      { prirep: 'p', state: 'STARTED', node: 'one', ur: null },
      { prirep: 'r', state: 'UNASSIGNED', node: null, ur: 'INDEX_CREATED' },
    ]);
    expect(await get('/_cat/allocation?format=json&h=shards,node')).toContainEqual({
      shards: expect.any(String),
      node: 'UNASSIGNED',
    });
  });

  test('answers writes with the one copy of two that has them', async () => {
    const one = await call(node, 'PUT', '/lib/_doc/1?refresh=true', { n: 1 });
    expect(one.body).toMatchObject({ result: 'created', _shards: { total: 2, successful: 1, failed: 0 } });
    const bulk = await call(node, 'POST', '/lib/_bulk', '{"index":{"_id":"2"}}\n{"n":2}\n{"delete":{"_id":"2"}}\n');
    for (const item of bulk.body.items) {
      expect(Object.values(item)[0]).toMatchObject({ _shards: { total: 2, successful: 1, failed: 0 } });
    }
  });

  test.each(['_refresh', '_flush', '_forcemerge', '_cache/clear'])(
    'answers %s for the copy that is there',
    async (api) => {
      const { body } = await call(node, 'POST', `/lib/${api}`);
      expect(body._shards).toEqual({ total: 2, successful: 1, failed: 0 });
    },
  );

  test.each(['_stats', '_segments'])('counts both copies in %s', async (api) => {
    expect((await get(`/lib/${api}`))._shards).toEqual({ total: 2, successful: 1, failed: 0 });
  });

  test('is searched as a whole', async () => {
    expect((await get('/lib/_search'))._shards).toMatchObject({ total: 1, successful: 1, failed: 0 });
    expect((await get('/lib/_count'))._shards).toMatchObject({ total: 1, successful: 1, failed: 0 });
  });

  test('keeps a write waiting that wants both copies, and refuses it in the end', async () => {
    const refused = await call(node, 'PUT', '/lib/_doc/3?wait_for_active_shards=2&timeout=50ms', { n: 3 });
    expect(refused).toMatchObject({ status: 503, body: { error: { type: 'unavailable_shards_exception' } } });
  });
});

test('an index that was closed for a while is opened again with its documents', async () => {
  await call(node, 'PUT', '/shut/_doc/1', { n: 1 });
  await call(node, 'POST', '/shut/_close');
  // Where the copies lie is known by then, as somebody looked for a home of the replica.
  await expect.poll(async () => (await get('/_cluster/health/shut')).active_shards, { timeout: 20_000 }).toBe(1);
  await call(node, 'PUT', '/shut/_settings', { 'index.max_result_window': 5 });
  await call(node, 'POST', '/shut/_open');
  expect((await get('/shut/_search?size=1')).hits.total.value).toBe(1);
  expect((await call(node, 'PUT', '/shut/_doc/2', { n: 2 })).status).toBe(201);
});

test('what creates an index gives it one replica where nothing else is said', async () => {
  await call(node, 'PUT', '/written/_doc/1', { n: 1 });
  expect(await replicasOf('written')).toBe('1');

  await call(node, 'PUT', '/_index_template/streams', { index_patterns: ['logs-*'], data_stream: {} });
  await call(node, 'PUT', '/_data_stream/logs-a');
  expect(await replicasOf('logs-a')).toBe('1');

  await call(node, 'PUT', '/_index_template/none', {
    index_patterns: ['none-*'],
    template: { settings: { number_of_replicas: 0 } },
  });
  await call(node, 'PUT', '/none-1', {});
  expect(await replicasOf('none-1')).toBe('0');

  await call(node, 'PUT', '/old-1', {
    aliases: { old: { is_write_index: true } },
    settings: { number_of_replicas: 0 },
  });
  await call(node, 'POST', '/old/_rollover', {});
  expect(await replicasOf('old-000002')).toBe('1');

  await call(node, 'PUT', '/old-1/_block/write');
  await call(node, 'POST', '/old-1/_clone/cloned', {});
  expect(await replicasOf('cloned')).toBe('1');
});

test('a restored index has the replicas that were snapshotted', async () => {
  await call(node, 'PUT', '/kept', { settings: { number_of_replicas: 0 } });
  await call(node, 'PUT', '/kept/_doc/1', { n: 1 });
  await call(node, 'PUT', '/_snapshot/r', { type: 'fs', settings: { location: 'r' } });
  await call(node, 'PUT', '/_snapshot/r/s?wait_for_completion=true', { indices: 'kept' });
  await call(node, 'DELETE', '/kept');
  await call(node, 'POST', '/_snapshot/r/s/_restore?wait_for_completion=true');
  expect(await replicasOf('kept')).toBe('0');
  expect((await get('/_cluster/health/kept')).status).toBe('green');
});

test('indices of the cluster itself have a replica only where there is a node for it', async () => {
  const { body } = await call(node, 'POST', '/lib/_delete_by_query?wait_for_completion=false', {
    query: { match_none: {} },
  });
  await expect.poll(async () => (await get(`/_tasks/${body.task}`)).completed, { timeout: 20_000 }).toBe(true);
  await expect.poll(async () => (await call(node, 'HEAD', '/.tasks')).status, { timeout: 20_000 }).toBe(200);
  expect((await get('/_cluster/health/.tasks')).status).toBe('green');
  await call(node, 'PUT', '/_logstash/pipeline/p', {
    description: '',
    last_modified: '2026-01-01T00:00:00.000Z',
    pipeline_metadata: { type: 'logstash_pipeline', version: 1 },
    username: 'u',
    pipeline: 'input {}',
    pipeline_settings: {},
  });
  expect((await get('/_cluster/health/.logstash')).status).toBe('green');
});
