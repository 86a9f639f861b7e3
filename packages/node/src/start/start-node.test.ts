import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { createNodeRuntime, createRecordingLog } from '@shoal/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { call, TestCluster } from './node-cluster.test-support.ts';
import { startCoordinatorNode, startDataNode } from './start-node.ts';

const clusters: TestCluster[] = [];

function newCluster(): TestCluster {
  const cluster = new TestCluster();
  clusters.push(cluster);
  return cluster;
}

afterEach(async () => {
  await Promise.all(clusters.splice(0).map((cluster) => cluster.close()));
});

describe('a node', () => {
  test('answers for itself as soon as it is started, and leads a cluster of its own', async () => {
    const one = await newCluster().start('one', {
      settings: { 'discovery.type': 'single-node', 'cluster.initial_cluster_manager_nodes': null },
    });
    expect((await call(one, 'GET', '/')).body).toMatchObject({ name: 'one', cluster_name: 'test' });
    const health = await call(one, 'GET', '/_cluster/health?wait_for_status=green');
    expect(health.body).toMatchObject({ status: 'green', number_of_nodes: 1, number_of_data_nodes: 1 });
  });

  test('tells how many clients are and were connected to its HTTP port', async () => {
    const one = await newCluster().start('one');
    const { nodes } = (await call(one, 'GET', '/_nodes/stats/http')).body;
    const { http } = nodes[one.node.cluster.localNode.id];
    expect(http.current_open).toBeGreaterThanOrEqual(1);
    expect(http.total_opened).toBeGreaterThanOrEqual(http.current_open);
    expect(Object.keys(http)).toEqual(['current_open', 'total_opened', 'routes']);
  });

  test('refuses what a page of another site asks, on hot routes and on others', async () => {
    const one = await newCluster().start('one', { settings: { 'http.allowed_hosts': 'es.example.com' } });
    const port = one.node.httpAddress?.port ?? 0;
    const status = (method: string, path: string, headers: Readonly<Record<string, string>>) =>
      new Promise((resolve, reject) => {
        const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (answer) => {
          resolve(answer.resume().statusCode);
        });
        sent.on('error', reject).end();
      });
    for (const [method, path] of [
      ['GET', '/_search'],
      ['GET', '/'],
      ['DELETE', '/books'],
      ['GET', '/%'],
    ] as const) {
      expect(await status(method, path, { host: 'rebound.example.net:9200' })).toBe(403);
      expect(await status(method, path, { origin: 'http://evil.example.com' })).toBe(403);
    }
    expect(await status('GET', '/', { host: 'es.example.com' })).toBe(200);
  });

  test('beyond loopback does not start, and with insecure warns before anything else', async () => {
    const log = createRecordingLog();
    const runtime = createNodeRuntime({ log });
    const settings = { 'network.host': '0.0.0.0', 'http.port': 0, 'transport.port': 0 };
    await expect(startDataNode(runtime, settings)).rejects.toThrow('--insecure');
    const node = await startDataNode(runtime, { ...settings, insecure: true });
    await node.close();
    expect(log.lines[0]).toMatchObject({ level: 'warn' });
    expect(log.lines[0]?.message).toContain('beyond loopback');
  });

  test('without the data role refuses a folder with shards', async () => {
    const runtime = createNodeRuntime({ log: createRecordingLog() });
    await runtime.disk.mkdir('indices/some-uuid/0');
    await expect(startCoordinatorNode(runtime, { 'http.port': 0, 'transport.port': 0 })).rejects.toThrow(
      'node does not have the [data] role but has shard data: [./indices/some-uuid]',
    );
  });

  test('on the folder of another node does not start', async () => {
    const cluster = newCluster();
    const { runtime } = await cluster.start('one');
    await expect(startDataNode(runtime, { 'http.port': 0, 'transport.port': 0 })).rejects.toThrow('node lock');
  });

  test('without a data path leaves nothing on the disk', async () => {
    const runtime = createNodeRuntime({ log: createRecordingLog() });
    const settings = { 'discovery.type': 'single-node', 'transport.port': 0 };
    const node = await startDataNode(runtime, settings, { httpPort: null, dataPath: null });
    await node.cluster.waitForState((state) => state.clusterManagerId !== null, 5_000);
    expect(node.httpAddress).toBeNull();
    await node.close();
    expect(await runtime.disk.list('.')).toEqual([]);
  });

  test('that closes twice closes once', async () => {
    const runtime = createNodeRuntime({ log: createRecordingLog() });
    const node = await startDataNode(runtime, { 'transport.port': 0 }, { httpPort: null });
    await Promise.all([node.close(), node.close()]);
    const again = await startDataNode(runtime, { 'transport.port': 0 }, { httpPort: null });
    expect(again.cluster.localNode.id).toBe(node.cluster.localNode.id);
    await again.close();
  });

  test.skipIf(networkInterfaces().lo?.every(({ family }) => family !== 'IPv6') ?? true)(
    'of an IPv6 address tells it as others dial it, and is joined by it',
    async () => {
      const cluster = newCluster();
      const settings = { 'network.host': '::1' };
      const one = await cluster.start('one', { settings });
      const two = await cluster.start('two', { settings });
      await call(two, 'GET', '/_cluster/health?wait_for_nodes=2&timeout=20s');
      const { body } = await call(two, 'GET', '/_nodes/http,transport');
      const { http, transport_address: transport } = body.nodes[one.node.cluster.localNode.id];
      expect(transport).toBe(`[::1]:${one.node.transportAddress.port}`);
      expect(http.publish_address).toBe(`[::1]:${one.node.httpAddress?.port}`);
    },
  );

  test('takes the first free port of a range', async () => {
    const cluster = newCluster();
    const one = await cluster.start('one');
    const { port } = one.node.transportAddress;
    const two = await cluster.start('two', { settings: { 'transport.port': `${port}-${port + 50}` } });
    expect(two.node.transportAddress.port).toBeGreaterThan(port);
  });
});
