import { CancelSource, ShoalError, ValueReader } from '@shoal/core';
import { afterEach, describe, expect, test } from 'vitest';
import { type ActionCodec, handleWith, requestWith } from '../channel/action-codec.ts';
import { startMiddle, TestNodes, until } from '../channel/transport.test-support.ts';
import type { Connection, SendOptions } from '../channel/transport.ts';
import { localConnection } from './start-transport.ts';

const nodes = new TestNodes();
afterEach(() => nodes.closeAll());

const REG: SendOptions = { channel: 'reg', timeoutMs: 10_000 };

async function pair(settings = {}) {
  const a = await nodes.start('a', {}, settings);
  const b = await nodes.start('b', {}, settings);
  const connection = await a.transport.connect(b.transport.boundAddress);
  return { a, b, connection };
}

const double: ActionCodec<number, number> = {
  name: 'test:double',
  writeRequest: (n) => ({ message: { n } }),
  readRequest: (body) => ValueReader.of(body.message).integer('n', 0, 1000),
  writeResponse: (n) => ({ message: { n } }),
  readResponse: (body) => ValueReader.of(body.message).integer('n', 0, 2000),
};

describe('a request over sockets', () => {
  test('is read, handled and answered by the codec of its action', async () => {
    const { b, connection } = await pair();
    handleWith(b.transport, double, (n) => 2 * n);
    expect(await requestWith(connection, double, 21, REG)).toBe(42);
  });

  test('carries who asks, its headers, parent task and timeout', async () => {
    const { b, connection } = await pair();
    b.transport.handle('test:echo', (request) => ({
      message: [request.from.nodeId, request.headers, request.parentTask, request.timeoutMs, request.action],
    }));
    const options = { ...REG, parentTask: 'a-id:7', headers: { 'X-Opaque-Id': 'x' } };
    const answer = await connection.request('test:echo', { message: null }, options);
    expect(answer.message).toEqual(['a-id', { 'X-Opaque-Id': 'x' }, 'a-id:7', 10_000, 'test:echo']);
  });

  test('carries typed arrays both ways, aligned for use in place, on every channel', async () => {
    const { b, connection } = await pair();
    b.transport.handle('test:back', (request) => ({ message: request.message, sections: request.sections }));
    for (const channel of ['ping', 'state', 'recovery', 'bulk', 'reg'] as const) {
      const scores = new Float64Array(3000).map((_, i) => i / 7);
      const body = { message: { channel }, sections: [new Uint8Array([1, 2, 3]), new Uint8Array(scores.buffer)] };
      const answer = await connection.request('test:back', body, { ...REG, channel });
      expect(answer.message).toEqual({ channel });
      const [small, large] = answer.sections;
      expect([...small!]).toEqual([1, 2, 3]);
      expect(large!.byteOffset % 8).toBe(0);
      expect(new Float64Array(large!.buffer, large!.byteOffset, 3000)).toEqual(scores);
    }
  });

  test.each(['true', 'indexing_data'] as const)('survives compression (%s)', async (compress) => {
    const { a, b, connection } = await pair({ compress });
    b.transport.handle('test:back', (request) => ({ message: request.message, sections: request.sections }));
    const message = { text: 'shoal '.repeat(20_000) };
    const sections = [new Uint8Array(999), new Uint8Array(new Float64Array(4096).fill(1).buffer)];
    const answer = await connection.request('test:back', { message, sections }, { ...REG, channel: 'bulk' });
    expect(answer.message).toEqual(message);
    expect(answer.sections.map((section) => section.byteOffset % 8)).toEqual([0, 0]);
    expect(new Float64Array(answer.sections[1]!.buffer, answer.sections[1]!.byteOffset, 4096)[4095]).toBe(1);
    expect(a.transport.stats().txBytes).toBeLessThan(20_000);
  });

  test('of 40 MiB passes while pings on their own socket are answered', async () => {
    const { b, connection } = await pair();
    b.transport.handle('test:size', (request) => ({ message: request.sections[0]!.byteLength }));
    b.transport.handle('test:ping', () => ({ message: 'pong' }));
    const large = connection.request(
      'test:size',
      { message: null, sections: [new Uint8Array(40 * 1024 * 1024)] },
      { ...REG, channel: 'bulk' },
    );
    const ping = await connection.request('test:ping', { message: null }, { channel: 'ping', timeoutMs: 5000 });
    expect(ping.message).toBe('pong');
    expect((await large).message).toBe(40 * 1024 * 1024);
  });

  test('sees the error of the handler whole', async () => {
    const { b, connection } = await pair();
    b.transport.handle('test:fail', () => {
      throw new ShoalError('index_not_found_exception', 404, 'no such index [x]', { metadata: { index: 'x' } });
    });
    const failed = connection.request('test:fail', { message: null }, REG);
    await expect(failed).rejects.toMatchObject({ status: 404, metadata: { index: 'x' } });
  });

  test('sees any other exception as a 500, and the other node logs it', async () => {
    const { b, connection } = await pair();
    b.transport.handle('test:bug', () => Promise.reject(new TypeError('oops')));
    const failed = connection.request('test:bug', { message: null }, REG);
    await expect(failed).rejects.toMatchObject({ type: 'exception', status: 500, reason: 'oops' });
    expect(b.log.lines.map((line) => line.message)).toContain('handler of a transport request failed');
  });

  test('for an unknown action fails with its name', async () => {
    const { connection } = await pair();
    await expect(connection.request('test:nobody', { message: null }, REG)).rejects.toMatchObject({
      type: 'action_not_found_transport_exception',
      reason: 'No handler for action [test:nobody]',
    });
  });

  test('with a wrong field is refused by the reader, naming the field', async () => {
    const { b, connection } = await pair();
    handleWith(b.transport, double, (n) => n);
    const wrong = connection.request('test:double', { message: { n: 'many' } }, REG);
    await expect(wrong).rejects.toThrow('field [n] of a transport message must be an integer within 0..1000');
  });

  test('whose answer cannot be written fails at once', async () => {
    const { b, connection } = await pair();
    b.transport.handle('test:huge', () => ({ message: 2n ** 80n }));
    await expect(connection.request('test:huge', { message: null }, REG)).rejects.toThrow('the answer cannot be sent');
  });

  test('longer than a frame may be is refused before it is sent', async () => {
    const { connection } = await pair({ frameBytesMax: 100_000 });
    const body = { message: null, sections: [new Uint8Array(200_000)] };
    await expect(connection.request('test:x', body, REG)).rejects.toThrow('exceeds the limit [100000]');
  });
});

describe('nodes with unequal memory', () => {
  test('do not send each other more than the other reads, in requests and answers', async () => {
    const a = await nodes.start('a');
    const b = await nodes.start('b', {}, { frameBytesMax: 100_000 });
    const large = { message: null, sections: [new Uint8Array(200_000)] };
    b.transport.handle('test:ok', () => ({ message: 'ok' }));
    a.transport.handle('test:large', () => large);
    const there = await a.transport.connect(b.transport.boundAddress);
    const back = await b.transport.connect(a.transport.boundAddress);
    const tooLong = 'exceeds the limit [100000] of the other node';
    await expect(there.request('test:ok', large, REG)).rejects.toThrow(tooLong);
    await expect(back.request('test:large', { message: null }, REG)).rejects.toThrow(tooLong);
    expect((await there.request('test:ok', { message: null }, REG)).message).toBe('ok');
  });
});

describe('a request that gets no answer', () => {
  test('times out, and the late answer is dropped', async () => {
    const { b, connection } = await pair();
    let answer: (() => void) | undefined;
    b.transport.handle('test:slow', () => new Promise((resolve) => (answer = () => resolve({ message: 1 }))));
    b.transport.handle('test:fast', () => ({ message: 2 }));
    await expect(connection.request('test:slow', { message: null }, { ...REG, timeoutMs: 20 })).rejects.toMatchObject({
      type: 'receive_timeout_transport_exception',
      reason: expect.stringMatching(
        /^\[b\]\[127\.0\.0\.1:\d+\]\[test:slow\] request_id \[\d+\] timed out after \[20ms\]$/,
      ),
    });
    answer?.();
    expect((await connection.request('test:fast', { message: null }, REG)).message).toBe(2);
    expect((await connection.request('test:fast', { message: null }, REG)).message).toBe(2);
  });

  test('may have a fraction of a millisecond left, or none', async () => {
    const { b, connection } = await pair();
    b.transport.handle('test:left', (request) => ({ message: request.timeoutMs }));
    b.transport.handle('test:never', () => new Promise(() => undefined));
    const send = (timeoutMs: number, action = 'test:left') =>
      connection.request(action, { message: null }, { ...REG, timeoutMs });
    expect((await send(5000.25)).message).toBe(5001);
    await expect(send(-3, 'test:never')).rejects.toMatchObject({ type: 'receive_timeout_transport_exception' });
    expect((await send(5000)).message).toBe(5000);
  });

  test('is cancelled by its signal at both ends', async () => {
    const { b, connection } = await pair();
    let seen: string | null = null;
    b.transport.handle('test:long', (request) => {
      return new Promise((resolve) => {
        request.signal.onCancel(() => {
          seen = request.signal.reason;
          resolve({ message: null });
        });
      });
    });
    const source = new CancelSource();
    const pending = connection.request('test:long', { message: null }, { ...REG, signal: source.flag });
    await until(() => b.transport.stats().runningRequests === 1);
    source.cancel('user left');
    await expect(pending).rejects.toMatchObject({
      type: 'task_cancelled_exception',
      reason: 'task cancelled [user left]',
    });
    await until(() => seen !== null);
    expect(seen).toBe('cancelled by the sender');
    const late = connection.request('test:long', { message: null }, { ...REG, signal: source.flag });
    await expect(late).rejects.toMatchObject({ type: 'task_cancelled_exception' });
  });

  test('fails at once when the other node closes, with one event for all sockets', async () => {
    const { a, b, connection } = await pair();
    const events: string[] = [];
    a.transport.onConnectionClosed(({ node }) => events.push(node.name));
    let reason: string | null = null;
    b.transport.handle('test:never', (request) => {
      request.signal.onCancel(() => (reason = request.signal.reason));
      return new Promise(() => undefined);
    });
    const pending = connection.request('test:never', { message: null }, { ...REG, timeoutMs: null });
    const failed = expect(pending).rejects.toMatchObject({
      type: 'node_disconnected_exception',
      reason: expect.stringMatching(/^\[b\]\[127\.0\.0\.1:\d+\]\[test:never\] disconnected$/),
    });
    await until(() => b.transport.stats().runningRequests === 1);
    await b.transport.close();
    await failed;
    await connection.closed;
    expect(connection.isClosed).toBe(true);
    expect(events).toEqual(['b']);
    expect(reason).toMatch(/^connection closed/);
    await expect(connection.request('test:never', { message: null }, REG)).rejects.toMatchObject({
      type: 'node_not_connected_exception',
    });
    expect(a.transport.stats()).toMatchObject({ outboundConnections: 0, pendingRequests: 0, inflightBytes: 0 });
  });

  test('fails when one socket of the connection is lost: all are closed, with one event', async () => {
    const a = await nodes.start('a');
    const b = await nodes.start('b');
    const events: string[] = [];
    a.transport.onConnectionClosed(({ node }) => events.push(node.name));
    b.transport.handle('test:never', () => new Promise(() => undefined));
    const middle = await startMiddle(a.runtime, b.transport.boundAddress);
    const connection = await a.transport.connect(middle.address);
    const other = await a.transport.connect(b.transport.boundAddress);
    const pending = connection.request('test:never', { message: null }, REG);
    const failed = expect(pending).rejects.toMatchObject({ type: 'node_disconnected_exception' });
    middle.cutOne();
    await failed;
    await connection.closed;
    await until(() => b.transport.stats().inboundSockets === 7);
    expect(events).toEqual(['b']);
    expect(other.isClosed).toBe(false);
    await middle.close();
  });

  test('closing here drops the sockets there', async () => {
    const { b, connection } = await pair();
    expect(b.transport.stats().inboundSockets).toBe(7);
    connection.close('enough');
    expect(await connection.closed).toBe('enough');
    await until(() => b.transport.stats().inboundSockets === 0);
  });
});

describe('the connection of a node to itself', () => {
  let local: Connection;
  async function self() {
    const a = await nodes.start('a');
    local = localConnection(a.transport);
    return a;
  }

  test('reaches its own handlers, later and without a socket', async () => {
    const a = await self();
    const order: string[] = [];
    handleWith(a.transport, double, (n) => {
      order.push('handled');
      return 2 * n;
    });
    const answer = requestWith(local, double, 4, REG);
    order.push('sent');
    expect(await answer).toBe(8);
    expect(order).toEqual(['sent', 'handled']);
    expect(a.transport.stats().txFrames).toBe(0);
    expect(local).toBe(localConnection(a.transport));
  });

  test('knows timeouts, cancellation, unknown actions and the end', async () => {
    const a = await self();
    a.transport.handle('test:never', () => new Promise(() => undefined));
    const send = (options: Partial<SendOptions>, action = 'test:never') =>
      local.request(action, { message: null }, { ...REG, ...options });
    await expect(send({ timeoutMs: 5 })).rejects.toMatchObject({ type: 'receive_timeout_transport_exception' });
    await expect(send({}, 'test:x')).rejects.toMatchObject({ type: 'action_not_found_transport_exception' });
    const source = new CancelSource();
    const cancelled = send({ signal: source.flag });
    source.cancel('no longer wanted');
    await expect(cancelled).rejects.toMatchObject({ type: 'task_cancelled_exception' });
    const lost = send({ timeoutMs: null });
    const failed = expect(lost).rejects.toMatchObject({ type: 'node_disconnected_exception' });
    await a.transport.close();
    await failed;
    await expect(send({})).rejects.toMatchObject({ type: 'node_not_connected_exception' });
  });
});
