import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { afterEach, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

const clusters: TestCluster[] = [];

afterEach(async () => {
  await Promise.all(clusters.splice(0).map((cluster) => cluster.close()));
});

const SETTINGS = {
  'discovery.type': 'single-node',
  'cluster.initial_cluster_manager_nodes': null,
  'path.repo': '/repos',
};

test('a node that ends in the middle of a snapshot goes on with it, and what was there before is whole', async () => {
  const runtime = createNodeRuntime({ log: createSilentLog() });
  const start = async (): Promise<TestNode> => {
    const cluster = new TestCluster();
    clusters.push(cluster);
    return cluster.start('one', { runtime, settings: SETTINGS });
  };
  const before = await start();
  await call(before, 'PUT', '/_snapshot/r', {
    type: 'fs',
    settings: { location: 'r', max_snapshot_bytes_per_sec: '4kb' },
  });
  await call(before, 'PUT', '/books', { settings: { number_of_replicas: 0 } });
  await call(before, 'PUT', '/books/_doc/1?refresh=true', { title: 'one' });
  expect((await call(before, 'PUT', '/_snapshot/r/s1?wait_for_completion=true')).body.snapshot.state).toBe('SUCCESS');
  const lines = Array.from({ length: 500 }, (_, i) => [{ index: {} }, { title: `book ${i} ${Math.sin(i)}` }]).flat();
  await call(before, 'POST', '/books/_bulk?refresh=true', `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  await call(before, 'PUT', '/_snapshot/r/s2');
  expect((await call(before, 'GET', '/_snapshot/r/_current')).body.snapshots).toMatchObject([{ snapshot: 's2' }]);
  await before.node.close();

  const after = await start();
  await call(after, 'GET', '/_cluster/health/books?wait_for_status=green');
  expect((await call(after, 'GET', '/_snapshot/r/_all?verbose=false')).body.snapshots).toMatchObject([
    { snapshot: 's1', state: 'SUCCESS' },
    { snapshot: 's2', state: 'IN_PROGRESS' },
  ]);
  const rename = { rename_pattern: '.+', rename_replacement: 'old' };
  await call(after, 'POST', '/_snapshot/r/s1/_restore?wait_for_completion=true', rename);
  expect((await call(after, 'GET', '/old/_count')).body.count).toBe(1);
  expect((await call(after, 'DELETE', '/_snapshot/r/s2')).body).toEqual({ acknowledged: true });
  const { results } = (await call(after, 'POST', '/_snapshot/r/_cleanup')).body;
  expect(results.deleted_blobs).toBe(0);
  expect((await call(after, 'GET', '/_snapshot/r/s1/_status')).body.snapshots[0].state).toBe('SUCCESS');
});
