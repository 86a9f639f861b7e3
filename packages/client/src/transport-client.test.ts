import { SHOAL_VERSION, ShoalError, showHostPort } from '@shoal/core';
import { CLIENT_EXECUTE, CLIENT_NODES, type ClientRequest } from '@shoal/protocol';
import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { handleWith, startTransport, type Transport } from '@shoal/transport';
import { afterEach, describe, expect, test } from 'vitest';
import type { TransportClientOptions } from './node-connections.ts';
import { TransportClient } from './transport-client.ts';

const runtime = createNodeRuntime({ log: createSilentLog() });
const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((thing) => thing.close()));
});

interface TestNode {
  readonly transport: Transport;
  readonly asked: ClientRequest[];
  readonly address: string;
}

/** A node that answers each request with its name as the index, or as `answer` says. */
async function startNode(
  name: string,
  answer: (request: ClientRequest) => unknown = () => ({ count: 1, _shards: shards }),
): Promise<TestNode> {
  const transport = await startTransport(runtime, {
    bind: { host: '127.0.0.1', port: 0 },
    identity: {
      nodeId: name,
      ephemeralId: name,
      name,
      clusterName: 'test',
      version: SHOAL_VERSION,
      roles: ['data'],
      kind: 'node',
      attributes: {},
      httpAddress: null,
    },
  });
  const asked: ClientRequest[] = [];
  handleWith(transport, CLIENT_EXECUTE, async (request) => {
    asked.push(request);
    const value = answer(request);
    return { status: 200, body: new TextEncoder().encode(JSON.stringify(await value)) };
  });
  open.push(transport);
  return { transport, asked, address: showHostPort(transport.boundAddress) };
}

async function connect(options: Partial<TransportClientOptions> & { addresses: readonly string[] }) {
  const client = await TransportClient.start({ runtime, ...options });
  open.push(client);
  return client;
}

const shards = { total: 1, successful: 1, skipped: 0, failed: 0 };
const DOWN = '127.0.0.1:1';

describe('requests', () => {
  test('go round the connected nodes', async () => {
    const nodes = await Promise.all([startNode('a'), startNode('b')]);
    const client = await connect({ addresses: nodes.map((node) => node.address) });
    for (let i = 0; i < 4; i++) await client.count();
    expect(nodes.map((node) => node.asked.length)).toEqual([2, 2]);
  });

  test('leave out nodes that are down', async () => {
    const node = await startNode('a');
    const client = await connect({ addresses: [DOWN, node.address] });
    expect(client.connectedNodes()).toEqual([node.address]);
    expect((await client.count()).count).toBe(1);
  });

  test('are typed: an error of the cluster arrives with its type, status and causes', async () => {
    const error = {
      type: 'index_not_found_exception',
      reason: 'no such index [x]',
      index: 'x',
      root_cause: [{ type: 'index_not_found_exception', reason: 'no such index [x]', index: 'x' }],
    };
    const node = await startNode('a', () => ({ error, status: 404 }));
    const client = await connect({ addresses: [node.address] });
    await expect(client.search({ index: 'x' })).rejects.toMatchObject({
      type: 'index_not_found_exception',
      reason: 'no such index [x]',
      metadata: { index: 'x' },
      rootCauses: [{ type: 'index_not_found_exception' }],
    });
  });

  test('with an empty id are refused before they are sent: they would mean something else', async () => {
    const node = await startNode('a');
    const client = await connect({ addresses: [node.address] });
    await expect(client.delete({ index: 'x', id: '' })).rejects.toThrow('[id] must not be empty');
    expect(node.asked).toEqual([]);
  });
});

describe('a connection that is lost under a request', () => {
  const dies = (node: () => TestNode) => () => {
    void node().transport.close();
    return new Promise<never>(() => undefined);
  };

  test('sends a read to another node', async () => {
    const a: TestNode = await startNode('a', (request) => (request.operation === 'count' ? dies(() => a)() : {}));
    const b = await startNode('b');
    const client = await connect({ addresses: [a.address, b.address] });
    for (let i = 0; i < 2; i++) expect((await client.count()).count).toBe(1);
    expect(a.asked).toHaveLength(1);
    expect(b.asked).toHaveLength(2);
  });

  test('reports a write, and never repeats it', async () => {
    const a: TestNode = await startNode('a', () => dies(() => a)());
    const b: TestNode = await startNode('b', () => dies(() => b)());
    const client = await connect({ addresses: [a.address, b.address] });
    await expect(client.index({ index: 'i', id: '1', document: { a: 1 } })).rejects.toMatchObject({
      type: 'node_disconnected_exception',
    });
    expect(a.asked.length + b.asked.length).toBe(1);
  });
});

describe('without any node', () => {
  test('each request says which were tried', async () => {
    const client = await connect({ addresses: [DOWN] });
    await expect(client.clusterHealth()).rejects.toMatchObject({
      type: 'no_node_available_exception',
      status: 503,
      reason: `None of the configured nodes are available: [{#transport#-1}{127.0.0.1}{${DOWN}}]`,
    });
  });

  test('a client of another version is told so, with both versions', async () => {
    const node = await startNode('a');
    const client = await connect({ addresses: [node.address], version: '0.0.9' });
    const error: unknown = await client.count().catch((e: unknown) => e);
    expect(error).toBeInstanceOf(ShoalError);
    expect((error as ShoalError).reason).toMatch(
      new RegExp(
        `handshake with \\[.*\\] failed: remote node version \\[${SHOAL_VERSION}\\] is incompatible with local node version ` +
          '\\[0\\.0\\.9\\]: a TransportClient must have exactly the version of the nodes',
      ),
    );
  });

  test('a client of another cluster is told so', async () => {
    const node = await startNode('a');
    const client = await connect({ addresses: [node.address], clusterName: 'other' });
    await expect(client.count()).rejects.toThrow('does not match local cluster name [other]');
  });
});

test('sniffing adds the data nodes that a node knows of', async () => {
  const a = await startNode('a');
  const b = await startNode('b');
  const { host, port } = b.transport.boundAddress;
  handleWith(a.transport, CLIENT_NODES, () => ({ nodes: [{ nodeId: 'b', host, port }] }));
  const client = await connect({ addresses: [a.address], sniff: true });
  expect(client.connectedNodes()).toEqual([a.address, b.address]);
});
