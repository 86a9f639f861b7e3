import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

describe('_health_report of two nodes', () => {
  const cluster = new TestCluster();
  let node: TestNode;

  beforeAll(async () => {
    node = await cluster.start('a');
    await cluster.start('b');
    await call(node, 'GET', '/_cluster/health?wait_for_nodes=2&timeout=20s');
    await call(node, 'PUT', '/well', {});
    // A copy that no node may have, whatever the cluster does with replicas.
    const settings = { number_of_replicas: 1, 'routing.allocation.enable': 'primaries' };
    await call(node, 'PUT', '/copied', { settings });
    await call(node, 'GET', '/_cluster/health/well?wait_for_status=green&timeout=20s');
  }, 60_000);
  afterAll(() => cluster.close());

  test('tells the status of the whole and of each part', async () => {
    const { status, body } = await call(node, 'GET', '/_health_report');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['status', 'cluster_name', 'indicators']);
    expect(body.status).not.toBe('green');
    expect(Object.keys(body.indicators)).toEqual([
      'master_is_stable',
      'shards_availability',
      'disk',
      'shards_capacity',
      'ilm',
      'slm',
    ]);
    expect(body.indicators.master_is_stable.status).toBe('green');
    expect(body.indicators.disk.details.nodes_with_unknown_disk_status).toBe(0);
    expect(body.indicators.shards_capacity.details).toEqual({
      data: { max_shards_in_cluster: 2_000 },
      frozen: { max_shards_in_cluster: 0 },
    });
    expect(body.indicators.shards_availability).toMatchObject({
      status: 'yellow',
      details: { unassigned_replicas: 0, creating_replicas: 1 },
      impacts: [{ severity: 2, impact_areas: ['search'] }],
      diagnosis: [{ affected_resources: { indices: ['copied'] } }],
    });
  });

  test('tells one part alone, and as little as is asked for', async () => {
    const { body } = await call(node, 'GET', '/_health_report/shards_availability?size=0');
    expect(Object.keys(body)).toEqual(['cluster_name', 'indicators']);
    expect(Object.keys(body.indicators)).toEqual(['shards_availability']);
    expect(body.indicators.shards_availability.diagnosis[0].affected_resources).toEqual({ indices: [] });
    const short = await call(node, 'GET', '/_health_report/shards_availability?verbose=false');
    expect(Object.keys(short.body.indicators.shards_availability)).toEqual(['status', 'symptom', 'impacts']);
  });

  test.each([
    ['/none', 404, 'resource_not_found_exception'],
    ['?size=-1', 400, 'action_request_validation_exception'],
    ['?size=x', 400, 'illegal_argument_exception'],
  ])('refuses %s', async (path, status, type) => {
    const answer = await call(node, 'GET', `/_health_report${path}`);
    expect([answer.status, answer.body.error.type]).toEqual([status, type]);
  });
});
