import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

const PIPELINE = {
  description: 'beats to lines',
  last_modified: '2024-01-02T02:50:51.250Z',
  pipeline_metadata: { type: 'logstash_pipeline', version: '1' },
  username: 'elastic',
  pipeline: 'input {} output {}',
  pipeline_settings: { 'pipeline.workers': 1 },
};

describe('pipelines that a cluster keeps for Logstash', () => {
  const cluster = new TestCluster();
  let [a, b]: TestNode[] = [];

  beforeAll(async () => {
    a = await cluster.start('a');
    b = await cluster.start('b');
    await call(a, 'GET', '/_cluster/health?wait_for_nodes=2&timeout=20s');
  }, 60_000);
  afterAll(() => cluster.close());

  test('are none before the first was put', async () => {
    expect(await call(a!, 'GET', '/_logstash/pipeline')).toEqual({ status: 200, body: {} });
    expect((await call(a!, 'GET', '/_logstash/pipeline/x')).status).toBe(404);
    expect((await call(a!, 'DELETE', '/_logstash/pipeline/x')).status).toBe(404);
  });

  test('are shown by every node as they were put, by id and by pattern', async () => {
    expect((await call(a!, 'PUT', '/_logstash/pipeline/one', PIPELINE)).status).toBe(201);
    expect((await call(b!, 'PUT', '/_logstash/pipeline/one', { ...PIPELINE, username: 'me' })).status).toBe(200);
    expect((await call(b!, 'PUT', '/_logstash/pipeline/two', PIPELINE)).status).toBe(201);
    const one = { ...PIPELINE, username: 'me' };
    expect((await call(b!, 'GET', '/_logstash/pipeline/one,none')).body).toEqual({ one });
    expect((await call(a!, 'GET', '/_logstash/pipeline/t*')).body).toEqual({ two: PIPELINE });
    expect((await call(a!, 'GET', '/_logstash/pipeline')).body).toEqual({ one, two: PIPELINE });
    expect((await call(a!, 'DELETE', '/_logstash/pipeline/one')).status).toBe(200);
    expect((await call(b!, 'GET', '/_logstash/pipeline')).body).toEqual({ two: PIPELINE });
  });

  test.each([
    [{ ...PIPELINE, pipeline: undefined }, 'Required [pipeline]'],
    [{ ...PIPELINE, pipeline_settings: 1 }, 'failed to parse field [pipeline_settings]'],
  ])('are refused with a part missing or of another kind', async (pipeline, reason) => {
    const { status, body } = await call(a!, 'PUT', '/_logstash/pipeline/three', pipeline);
    expect([status, body.error.reason]).toEqual([400, expect.stringContaining(reason)]);
  });
});
