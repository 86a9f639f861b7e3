import { type DataNode, startDataNode } from '@shoal/node';
import { NODE_STATS } from '@shoal/protocol';
import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NodeClient } from './node-client.ts';
import type { ShoalClient } from './shoal-client.ts';
import { TransportClient } from './transport-client.ts';

const open: { close(): Promise<void> }[] = [];
let nodes: DataNode[] = [];
let addresses: string[] = [];

const silent = () => createNodeRuntime({ log: createSilentLog() });

beforeAll(async () => {
  for (const name of ['one', 'two']) {
    const node = await startDataNode(
      silent(),
      {
        'cluster.name': 'clients',
        'node.name': name,
        'transport.port': 0,
        'discovery.seed_hosts': addresses,
        'discovery.find_peers_interval': '50ms',
        ...(name === 'one' ? { 'cluster.initial_cluster_manager_nodes': ['one'] } : {}),
      },
      { httpPort: null },
    );
    nodes.push(node);
    addresses.push(`127.0.0.1:${node.transportAddress.port}`);
  }
});

afterAll(async () => {
  await Promise.all(open.map((client) => client.close()));
  await Promise.all(nodes.map((node) => node.close()));
  nodes = [];
  addresses = [];
});

const KINDS: readonly { readonly kind: string; readonly start: () => Promise<ShoalClient> }[] = [
  { kind: 'NodeClient', start: () => NodeClient.start({ clusterName: 'clients', seedHosts: addresses }) },
  { kind: 'TransportClient', start: () => TransportClient.start({ addresses, clusterName: 'clients' }) },
];

describe.each(KINDS)('a $kind', ({ kind, start }) => {
  const index = `books-${kind.toLowerCase()}`;
  let client: ShoalClient;

  beforeAll(async () => {
    client = await start();
    open.push(client);
    const health = await client.clusterHealth({ waitForNodes: '>=2' });
    expect(health.timedOut).toBe(false);
  });

  test('indexes, gets and deletes documents', async () => {
    const made = await client.index({ index, id: '1', document: { title: 'Moby Dick', year: 1851 } });
    expect(made).toMatchObject({ index, id: '1', version: 1, result: 'created', shards: { successful: 1, failed: 0 } });
    expect(await client.get({ index, id: '1' })).toMatchObject({
      found: true,
      version: 1,
      source: { title: 'Moby Dick', year: 1851 },
    });
    expect(await client.get({ index, id: 'none' })).toEqual({ found: false, index, id: 'none' });
    expect(await client.delete({ index, id: '1' })).toMatchObject({ result: 'deleted', version: 2 });
    expect(await client.delete({ index, id: '1' })).toMatchObject({ result: 'not_found' });
  });

  test('loads, counts and searches', async () => {
    const answer = await client.bulk({
      index,
      refresh: 'immediate',
      operations: [
        { kind: 'index', id: 'a', document: { title: 'a whale' } },
        { kind: 'index', id: 'b', document: { title: 'a ship' } },
        { kind: 'create', id: 'a', document: { title: 'again' } },
      ],
    });
    expect(answer.hasErrors).toBe(true);
    expect(answer.items.map((item) => item.status)).toEqual([201, 201, 409]);
    expect(answer.items[2]?.error?.type).toBe('version_conflict_engine_exception');
    expect((await client.count({ index })).count).toBe(2);
    const found = await client.search({ index, body: { query: { match: { title: 'whale' } } } });
    expect(found.total).toEqual({ value: 1, relation: 'eq' });
    expect(found.hits).toMatchObject([{ index, id: 'a', source: { title: 'a whale' } }]);
    expect(found.hits[0]?.score).toBeGreaterThan(0);
  });

  test('rejects with the type and status of the API', async () => {
    await expect(client.search({ index: 'no-such-index' })).rejects.toMatchObject({
      type: 'index_not_found_exception',
      status: 404,
      metadata: { index: 'no-such-index' },
    });
    const clash = client.index({ index, id: 'a', opType: 'create', document: {} });
    await expect(clash).rejects.toMatchObject({ type: 'version_conflict_engine_exception', status: 409 });
  });
});

describe('a NodeClient', () => {
  test('is a node without roles, and leaves when it is closed', async () => {
    const client = await NodeClient.start({ clusterName: 'clients', seedHosts: addresses });
    const [first] = nodes;
    const joined = await first?.cluster.waitForState((state) => state.nodes.has(client.nodeId), 10_000);
    expect(joined?.nodes.get(client.nodeId)).toMatchObject({ roles: [], httpAddress: null });
    const options = { channel: 'reg', timeoutMs: 5_000 } as const;
    const { stats } = await first!.cluster.send(client.nodeId, NODE_STATS, {}, options);
    expect(stats).toMatchObject({ roles: [], indices: { docs: { count: 0 } }, jvm: { threads: { count: 1 } } });
    await client.close();
    const gone = await first?.cluster.waitForState((state) => !state.nodes.has(client.nodeId), 10_000);
    expect(gone).not.toBeNull();
  });

  test('that reaches nobody fails with what each address did', async () => {
    const start = NodeClient.start({ clusterName: 'clients', seedHosts: ['127.0.0.1:1'], initialStateTimeoutMs: 300 });
    await expect(start).rejects.toMatchObject({ type: 'master_not_discovered_exception', status: 503 });
    await expect(start).rejects.toThrow('127.0.0.1:1');
  });

  test('of another version is refused, with both versions', async () => {
    const start = NodeClient.start({
      clusterName: 'clients',
      seedHosts: addresses,
      version: '0.0.9',
      initialStateTimeoutMs: 1_500,
    });
    await expect(start).rejects.toThrow(
      /remote node version \[0\.1\.0\] is incompatible with local node version \[0\.0\.9\]/,
    );
  });
});
