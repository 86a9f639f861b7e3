import type { Socket } from '@shoal/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { startMiddle, type TestNode, TestNodes, until } from '../channel/transport.test-support.ts';
import type { SendOptions } from '../channel/transport.ts';

const nodes = new TestNodes();
afterEach(() => nodes.closeAll());

const REG: SendOptions = { channel: 'reg', timeoutMs: 10_000 };

async function dialRaw(node: TestNode): Promise<{ socket: Socket; text: () => string; closed: Promise<string> }> {
  const socket = await node.runtime.net.dial(node.transport.boundAddress, { connectTimeoutMs: 1000 });
  let text = '';
  const closed = new Promise<string>((resolve) => {
    socket.on({
      data: (chunk) => {
        text += new TextDecoder().decode(chunk);
      },
      closed: resolve,
    });
  });
  return { socket, text: () => text, closed };
}

describe('the transport port', () => {
  test('tells HTTP clients in plain text that it is not an HTTP port', async () => {
    const b = await nodes.start('b');
    const raw = await dialRaw(b);
    raw.socket.write([new TextEncoder().encode('GET /_cluster/health HTTP/1.1\r\nHost: x\r\n\r\n')]);
    await raw.closed;
    expect(raw.text()).toBe('This is not an HTTP port');
    expect(b.log.lines[0]?.message).toContain('received HTTP request on transport port');
    expect(b.transport.stats().refusedSockets).toBe(1);
  });

  test('closes a socket that does not say who it is in time', async () => {
    const b = await nodes.start('b', {}, { handshakeTimeoutMs: 20 });
    const raw = await dialRaw(b);
    await raw.closed;
    await until(() => b.transport.stats().inboundSockets === 0);
  });

  test('takes a node while all others of a large cluster are about to say who they are', async () => {
    const b = await nodes.start('b');
    const a = await nodes.start('a');
    const raws = await Promise.all(Array.from({ length: 300 }, () => dialRaw(b)));
    await until(() => b.transport.stats().inboundSockets === raws.length);
    expect((await a.transport.connect(b.transport.boundAddress)).isClosed).toBe(false);
    for (const { socket } of raws) socket.destroy();
  });

  test('answers another protocol revision before it closes', async () => {
    const b = await nodes.start('b');
    const raw = await dialRaw(b);
    raw.socket.write([new Uint8Array([0xe5, 0x53, 7, 9, 0, 0, 0, 20])]);
    await raw.closed;
    expect(raw.text()).toContain('Received message from unsupported version: [7] minimal compatible version is: [1]');
  });

  test('serves others while one socket is damaged', async () => {
    const b = await nodes.start('b');
    const a = await nodes.start('a');
    b.transport.handle('test:ok', () => ({ message: 'ok' }));
    const connection = await a.transport.connect(b.transport.boundAddress);
    const raw = await dialRaw(b);
    raw.socket.write([new Uint8Array([0xe5, 0x53, 1, 9, 255, 255, 255, 255])]);
    await raw.closed;
    expect((await connection.request('test:ok', { message: null }, REG)).message).toBe('ok');
  });
});

describe('a peer', () => {
  test.each([
    ['node', 'test:ok', null],
    ['node_client', 'test:ok', null],
    ['transport_client', 'client:ok', null],
    ['transport_client', 'test:ok', 'security_exception'],
    ['probe', 'test:ok', 'security_exception'],
    ['probe', 'client:ok', 'security_exception'],
  ] as const)('that calls itself a %s asks for [%s]: %s', async (kind, action, refusal) => {
    const b = await nodes.start('b');
    const a = await nodes.start('a', { kind, roles: [] }, {}, false);
    for (const name of ['test:ok', 'client:ok']) b.transport.handle(name, () => ({ message: 'ok' }));
    const connection = await a.transport.connect(b.transport.boundAddress);
    const answer = connection.request(action, { message: null }, REG);
    if (refusal === null) expect((await answer).message).toBe('ok');
    else await expect(answer).rejects.toMatchObject({ type: refusal, status: 403 });
  });

  test('that opens a connection to probe with asks for nothing', async () => {
    const b = await nodes.start('b');
    const a = await nodes.start('a');
    b.transport.handle('test:ok', () => ({ message: 'ok' }));
    const connection = await a.transport.connect(b.transport.boundAddress, { kind: 'probe' });
    const answer = connection.request('test:ok', { message: null }, REG);
    await expect(answer).rejects.toMatchObject({ type: 'security_exception' });
  });
});

describe('memory for requests', () => {
  test('when used up refuses a request with 429 without reading it, and the socket goes on', async () => {
    const b = await nodes.start('b', {}, { inflightBytesMax: 300_000 });
    const a = await nodes.start('a');
    let release: (() => void) | undefined;
    b.transport.handle('test:hold', () => new Promise((resolve) => (release = () => resolve({ message: 'held' }))));
    b.transport.handle('test:ok', () => ({ message: 'ok' }));
    const connection = await a.transport.connect(b.transport.boundAddress);
    const body = { message: null, sections: [new Uint8Array(200_000)] };
    const held = connection.request('test:hold', body, REG);
    await until(() => b.transport.stats().runningRequests === 1);
    await expect(connection.request('test:ok', body, REG)).rejects.toMatchObject({
      type: 'circuit_breaking_exception',
      status: 429,
      reason: expect.stringContaining('[inflight_requests] Data too large, data for [test:ok]'),
    });
    const check = await connection.request('test:ok', body, { ...REG, channel: 'ping' });
    expect(check.message).toBe('ok');
    release?.();
    expect((await held).message).toBe('held');
    expect((await connection.request('test:ok', body, REG)).message).toBe('ok');
    expect(b.transport.stats()).toMatchObject({ inflightBytes: 0, breakerTrips: 1, inflightLimitBytes: 300_000 });
  });

  test('when used up at the asker fails the asker of the answer, and only that', async () => {
    const b = await nodes.start('b');
    const a = await nodes.start('a', {}, { inflightBytesMax: 150_000 });
    let release: (() => void) | undefined;
    a.transport.handle('test:hold', () => new Promise((resolve) => (release = () => resolve({ message: 'held' }))));
    b.transport.handle('test:large', () => ({ message: null, sections: [new Uint8Array(90_000)] }));
    const there = await a.transport.connect(b.transport.boundAddress);
    const back = await b.transport.connect(a.transport.boundAddress);
    const held = back.request('test:hold', { message: null, sections: [new Uint8Array(80_000)] }, REG);
    await until(() => a.transport.stats().runningRequests === 1);
    await expect(there.request('test:large', { message: null }, REG)).rejects.toMatchObject({
      type: 'circuit_breaking_exception',
      status: 429,
    });
    release?.();
    await held;
    expect((await there.request('test:large', { message: null }, REG)).sections[0]?.byteLength).toBe(90_000);
    expect(a.transport.stats().inflightBytes).toBe(0);
  });

  test('is not read from a bulk socket while it is nearly full', async () => {
    const b = await nodes.start('b', {}, { inflightBytesMax: 1_000_000 });
    const a = await nodes.start('a', {}, { connectionsPerNode: { bulk: 1 } });
    const releases: (() => void)[] = [];
    b.transport.handle('test:hold', () => new Promise((resolve) => releases.push(() => resolve({ message: 1 }))));
    const connection = await a.transport.connect(b.transport.boundAddress);
    const body = { message: null, sections: [new Uint8Array(300_000)] };
    const send = () => connection.request('test:hold', body, { ...REG, channel: 'bulk' });
    const sent = [send(), send(), send(), send(), send()];
    await until(() => releases.length >= 3);
    while (releases.length > 0 || b.transport.stats().runningRequests > 0) {
      releases.shift()?.();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await Promise.all(sent);
    expect(b.transport.stats()).toMatchObject({ breakerTrips: 0, inflightBytes: 0 });
  });
});

describe('a peer that does not read', () => {
  test('is closed when it takes no byte for the allowed time, and what waits for it fails', async () => {
    const a = await nodes.start('a', {}, { stalledWriteMs: 100, connectionsPerNode: { bulk: 0 } });
    const b = await nodes.start('b');
    b.transport.handle('test:sink', () => ({ message: null }));
    const middle = await startMiddle(a.runtime, b.transport.boundAddress);
    const connection = await a.transport.connect(middle.address);
    middle.stopReading();
    const body = { message: null, sections: [new Uint8Array(60 * 1024 * 1024)] };
    await expect(connection.request('test:sink', body, { ...REG, timeoutMs: null })).rejects.toMatchObject({
      type: 'node_disconnected_exception',
    });
    expect(await connection.closed).toMatch(/took no byte for 100ms while \d+ wait/);
    await middle.close();
  });

  test('is not sent more than the high-water mark: further requests wait their turn', async () => {
    const mark = 1024 * 1024;
    const marks = { ping: mark, state: mark, recovery: mark, bulk: mark, reg: mark };
    const a = await nodes.start('a', {}, { highWaterBytes: marks, connectionsPerNode: { reg: 1 } });
    const b = await nodes.start('b');
    b.transport.handle('test:sink', (request) => ({ message: request.message }));
    const connection = await a.transport.connect(b.transport.boundAddress);
    const body = (n: number) => ({ message: n, sections: [new Uint8Array(3 * mark)] });
    const answers = await Promise.all([...Array(12).keys()].map((n) => connection.request('test:sink', body(n), REG)));
    expect(answers.map((answer) => answer.message)).toEqual([...Array(12).keys()]);
  });
});
