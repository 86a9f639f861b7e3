import type { Address } from '@shoal/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { startMiddle, type TestIdentity, TestNodes, until } from '../channel/transport.test-support.ts';
import type { Connection, ConnectOptions, Transport } from '../channel/transport.ts';
import { dialFailure, handshakeFailure } from '../channel/transport-errors.ts';

const nodes = new TestNodes();
afterEach(() => nodes.closeAll());

async function refusal(connecting: Promise<Connection>): Promise<{ kind: string | null; reason: string }> {
  try {
    await connecting;
  } catch (error) {
    return { kind: handshakeFailure(error), reason: (error as Error).message };
  }
  throw new Error('was not refused');
}

async function between(dialler: TestIdentity, acceptor: TestIdentity, options: ConnectOptions = {}) {
  const b = await nodes.start('b', acceptor);
  const a = await nodes.start('a', dialler, {}, dialler.kind === undefined || dialler.kind === 'node');
  const { port } = b.transport.boundAddress;
  return { a, b, port, connecting: a.transport.connect(b.transport.boundAddress, options) };
}

function sockets(transport: Transport): number {
  return transport.stats().inboundSockets;
}

describe('two nodes', () => {
  test('learn who the other is', async () => {
    const { b, connecting, port } = await between(
      {},
      { roles: ['data'], attributes: { zone: 'x' }, httpAddress: '127.0.0.1:9200' },
    );
    const connection = await connecting;
    expect(connection.node).toEqual(b.transport.identity);
    expect(connection.node).toMatchObject({ attributes: { zone: 'x' }, address: { host: '127.0.0.1', port } });
  });

  test.each<[string, TestIdentity, ConnectOptions, number]>([
    ['cluster manager eligible data node', { roles: ['cluster_manager', 'data'] }, {}, 7],
    ['data node', { roles: ['data'] }, {}, 6],
    ['coordinator', { roles: [] }, {}, 5],
    ['NodeClient', { kind: 'node_client', roles: [] }, {}, 5],
    ['TransportClient', { kind: 'transport_client', roles: [] }, {}, 4],
    ['probing node', {}, { kind: 'probe' }, 1],
  ])('a %s opens as many sockets as it needs channels', async (_name, identity, options, count) => {
    const { b, connecting } = await between(identity, {}, options);
    await connecting;
    await until(() => sockets(b.transport) === count);
  });

  test('a node may dial itself', async () => {
    const a = await nodes.start('a');
    expect((await a.transport.connect(a.transport.boundAddress)).node).toEqual(a.transport.identity);
  });

  test('of different clusters refuse, both saying so', async () => {
    const { a, b, connecting, port } = await between({ clusterName: 'mine' }, { clusterName: 'theirs' });
    expect(await refusal(connecting)).toEqual({
      kind: 'clusterName',
      reason:
        `handshake with [{b}{127.0.0.1:${port}}] failed: remote cluster name [theirs] does not match ` +
        'local cluster name [mine]',
    });
    await until(() => b.log.lines.length > 0);
    expect(b.log.lines[0]?.message).toContain('remote cluster name [mine] does not match local cluster name [theirs]');
    await until(() => sockets(b.transport) === 0 && sockets(a.transport) === 0);
  });

  test.each([
    ['1.0.0', '0.1.0'],
    ['0.1.0', '0.0.9'],
  ])('of incompatible versions (%s, %s) refuse', async (local, remote) => {
    const { connecting, port } = await between({ version: local }, { version: remote });
    expect(await refusal(connecting)).toEqual({
      kind: 'version',
      reason:
        `handshake with [{b}{127.0.0.1:${port}}] failed: remote node version [${remote}] is incompatible with ` +
        `local node version [${local}]`,
    });
  });

  test('of the same major version agree', async () => {
    const { connecting } = await between({ version: '0.3.0' }, { version: '0.1.2' });
    expect((await connecting).node.version).toBe('0.1.2');
  });

  test('with one node id refuse: a data path was copied', async () => {
    const { connecting } = await between({ nodeId: 'same' }, { nodeId: 'same' });
    const { kind, reason } = await refusal(connecting);
    expect(kind).toBe('sameNodeId');
    expect(reason).toContain('another node with the same id is running; data path copied?');
  });

  test('a dialled address with another node than expected is refused', async () => {
    const { connecting } = await between({}, {}, { expectNodeId: 'gone' });
    const { kind, reason } = await refusal(connecting);
    expect(kind).toBe('unexpectedNode');
    expect(reason).toContain('expected node [gone] but found node [b-id], the address was reused');
  });
});

describe('a node', () => {
  test('gives up a peer that is cut off, with everything that waits for it', async () => {
    const b = await nodes.start('b');
    const a = await nodes.start('a', {}, { livenessPingMs: 20 });
    b.transport.handle('test:never', () => new Promise(() => undefined));
    const middle = await startMiddle(a.runtime, b.transport.boundAddress);
    const connection = await a.transport.connect(middle.address);
    const asked = connection.request('test:never', { message: null }, { channel: 'reg', timeoutMs: null });
    middle.goSilent();
    await expect(asked).rejects.toMatchObject({ type: 'node_disconnected_exception' });
    expect(await connection.closed).toBe('no answer to 3 pings');
    await middle.close();
  });

  test('keeps a peer that is long silent and answers its pings', async () => {
    const b = await nodes.start('b');
    const a = await nodes.start('a', {}, { livenessPingMs: 1 });
    const connection = await a.transport.connect(b.transport.boundAddress);
    const before = a.transport.stats().rxFrames;
    await until(() => a.transport.stats().rxFrames >= before + 4);
    expect(connection.isClosed).toBe(false);
  });
});

describe('a client', () => {
  test.each([
    ['transport_client', 'TransportClient'],
    ['node_client', 'NodeClient'],
  ] as const)('%s must have exactly the version of the nodes', async (kind, name) => {
    const { connecting, port } = await between({ kind, version: '0.1.1' }, { version: '0.1.0' });
    expect(await refusal(connecting)).toEqual({
      kind: 'version',
      reason:
        `handshake with [{b}{127.0.0.1:${port}}] failed: remote node version [0.1.0] is incompatible with ` +
        `local node version [0.1.1]: a ${name} must have exactly the version of the nodes`,
    });
  });

  test('that names no cluster fits any', async () => {
    const { connecting } = await between({ kind: 'transport_client', clusterName: '' }, { clusterName: 'theirs' });
    expect((await connecting).node.clusterName).toBe('theirs');
  });

  test('that names another cluster is refused', async () => {
    const { connecting } = await between({ kind: 'transport_client', clusterName: 'x' }, { clusterName: 'theirs' });
    expect((await refusal(connecting)).kind).toBe('clusterName');
  });

  test('does not listen, and answers nothing to port 0', async () => {
    const { a, connecting } = await between({ kind: 'transport_client' }, {});
    await connecting;
    expect(a.transport.boundAddress).toEqual({ host: '', port: 0 });
  });

  test('pings idle sockets, which nodes answer', async () => {
    const b = await nodes.start('b');
    const a = await nodes.start('a', { kind: 'transport_client' }, { pingScheduleMs: 1 }, false);
    const connection = await a.transport.connect(b.transport.boundAddress);
    const before = a.transport.stats().rxFrames;
    await until(() => a.transport.stats().rxFrames >= before + 4);
    expect(connection.isClosed).toBe(false);
  });

  test('drops a peer that answers nothing to its pings', async () => {
    const b = await nodes.start('b');
    const a = await nodes.start('a', { kind: 'transport_client' }, { pingScheduleMs: 20 }, false);
    const middle = await startMiddle(a.runtime, b.transport.boundAddress);
    const connection = await a.transport.connect(middle.address);
    middle.goSilent();
    expect(await connection.closed).toBe('no answer to 3 pings');
    await middle.close();
  });

  test('of kind probe looks at any node without judging it', async () => {
    const { connecting } = await between(
      { kind: 'probe', version: '9.9.9', clusterName: 'x' },
      { version: '0.1.0', clusterName: 'theirs' },
    );
    expect((await connecting).node).toMatchObject({ version: '0.1.0', clusterName: 'theirs' });
  });
});

describe('an address without a node of ours', () => {
  async function listener(
    onData: (bytes: Uint8Array, reply: (bytes: string) => void) => void,
  ): Promise<{ at: Address; close(): Promise<void> }> {
    const { runtime } = await nodes.start('x');
    const open = await runtime.net.listen({ host: '127.0.0.1', port: 0 }, (socket) => {
      socket.on({
        data: (bytes) => onData(bytes, (reply) => socket.write([new TextEncoder().encode(reply)])),
        closed: () => undefined,
      });
    });
    return { at: open.address, close: () => open.close() };
  }

  test('that refuses is told as refused', async () => {
    const a = await nodes.start('a');
    const gone = await listener(() => undefined);
    await gone.close();
    const error: unknown = await a.transport.connect(gone.at).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ type: 'connect_transport_exception' });
    expect(dialFailure(error)).toBe('refused');
  });

  test('that never answers ends at the handshake timeout', async () => {
    const a = await nodes.start('a');
    const silent = await listener(() => undefined);
    expect(await refusal(a.transport.connect(silent.at, { handshakeTimeoutMs: 20 }))).toEqual({
      kind: 'noAnswer',
      reason: `handshake with [127.0.0.1:${silent.at.port}] failed: no answer within [20ms]`,
    });
    await silent.close();
  });

  test('that is an HTTP port is named as such', async () => {
    const a = await nodes.start('a');
    const http = await listener((_bytes, reply) => reply('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const { kind, reason } = await refusal(a.transport.connect(http.at));
    expect(kind).toBe('foreignProtocol');
    expect(reason).toContain('received HTTP response on transport port');
    await http.close();
  });
});
