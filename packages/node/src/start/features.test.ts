import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

describe('two nodes', () => {
  const cluster = new TestCluster();
  let [a, b]: TestNode[] = [];

  beforeAll(async () => {
    a = await cluster.start('a');
    b = await cluster.start('b');
    await call(a, 'GET', '/_cluster/health?wait_for_nodes=2&timeout=20s');
    await call(a, 'PUT', '/lib/_doc/1?refresh', { n: 1 });
  }, 60_000);
  afterAll(() => cluster.close());

  test('forget searches and results of tasks when _features are reset on either of them', async () => {
    const kept = await call(
      b!,
      'POST',
      '/lib/_async_search?keep_on_completion=true&wait_for_completion_timeout=10s',
      {},
    );
    const search = `/_async_search/${kept.body.id}`;
    expect((await call(a!, 'GET', search)).status).toBe(200);
    const { body } = await call(b!, 'POST', '/lib/_delete_by_query?wait_for_completion=false', {
      query: { match_none: {} },
    });
    await expect
      .poll(async () => (await call(a!, 'GET', `/_tasks/${body.task}`)).body.completed, { timeout: 20_000 })
      .toBe(true);
    await expect.poll(async () => (await call(a!, 'HEAD', '/.tasks')).status, { timeout: 20_000 }).toBe(200);
    const migration = await call(a!, 'GET', '/_migration/system_features');
    const { settings } = (await call(a!, 'GET', '/.tasks/_settings?flat_settings=true')).body['.tasks'];
    const version = settings['index.version.created'];
    expect(migration.body.features[1]).toMatchObject({
      feature_name: 'tasks',
      minimum_index_version: version,
      indices: [{ index: '.tasks', version }],
    });

    const reset = await call(a!, 'POST', '/_features/_reset');
    expect(reset).toMatchObject({
      status: 200,
      body: {
        features: [
          { feature_name: 'async_search', status: 'SUCCESS' },
          { feature_name: 'tasks', status: 'SUCCESS' },
        ],
      },
    });
    expect((await call(a!, 'GET', search)).status).toBe(404);
    expect((await call(a!, 'HEAD', '/.tasks')).status).toBe(404);
    expect((await call(a!, 'GET', '/lib/_doc/1')).body.found).toBe(true);
  });

  test('count together in _info', async () => {
    await call(a!, 'PUT', '/_ingest/pipeline/p', { processors: [{ set: { field: 'x', value: 1 } }] });
    for (const node of [a!, a!, b!]) await call(node, 'POST', '/lib/_doc?pipeline=p', {});
    const { body } = await call(b!, 'GET', '/_info/ingest,thread_pool');
    expect(Object.keys(body)).toEqual(['cluster_name', 'ingest', 'thread_pool']);
    expect(body.ingest.total.count).toBe(3);
    expect(body.ingest.pipelines.p.processors).toMatchObject([{ set: { type: 'set', stats: { count: 3 } } }]);
    expect(body.thread_pool.write.completed).toBeGreaterThanOrEqual(4);
    expect(Object.keys((await call(b!, 'GET', '/_info/_all')).body)).toEqual([
      'cluster_name',
      'http',
      'ingest',
      'thread_pool',
    ]);
  });

  test.each([
    ['htp', 'request [/_info/htp] contains unrecognized target: [htp] -> did you mean [http]?'],
    ['_all,http', 'request [/_info/_all,http] contains _all and individual target [_all,http]'],
  ])('refuse _info/%s', async (target, reason) => {
    const { status, body } = await call(a!, 'GET', `/_info/${target}`);
    expect([status, body.error.type, body.error.reason]).toEqual([400, 'illegal_argument_exception', reason]);
  });

  test('meter no repositories', async () => {
    const { body } = await call(a!, 'GET', '/_nodes/b/_repositories_metering');
    expect(body._nodes).toEqual({ total: 1, successful: 1, failed: 0 });
    expect(Object.values(body.nodes)).toEqual([[]]);
    expect((await call(a!, 'DELETE', '/_nodes/_all/_repositories_metering/1')).status).toBe(200);
    expect((await call(a!, 'DELETE', '/_nodes/_all/_repositories_metering/x')).status).toBe(400);
  });
});
