import { describe, expect, test } from 'vitest';
import type { Listener, Socket } from '../interfaces/network.ts';
import { createSilentLog } from '../log/recording-log.ts';
import { createNodeNetwork } from './node-network.ts';

const net = createNodeNetwork(createSilentLog());
const HERE = { host: '127.0.0.1', port: 0 };
const SOON = { connectTimeoutMs: 5000 };

async function pair(): Promise<{ near: Socket; far: Socket; listener: Listener }> {
  let accepted: (socket: Socket) => void = () => undefined;
  const far = new Promise<Socket>((resolve) => {
    accepted = resolve;
  });
  const listener = await net.listen(HERE, accepted);
  const near = await net.dial(listener.address, SOON);
  return { near, far: await far, listener };
}

/** Bytes there and an end back, over a connection of its own: what was sent before has arrived too. */
async function roundTrip(): Promise<void> {
  const { near, far, listener } = await pair();
  const back = collect(near);
  const there = collect(far);
  near.write([new Uint8Array(10)]);
  near.end();
  await there.closed;
  await back.closed;
  await listener.close();
}

function collect(socket: Socket): { bytes: () => number; closed: Promise<string> } {
  let bytes = 0;
  const closed = new Promise<string>((resolve) => {
    socket.on({
      data: (chunk) => {
        bytes += chunk.byteLength;
      },
      closed: resolve,
    });
  });
  return { bytes: () => bytes, closed };
}

describe('a socket', () => {
  test('carries all bytes, tells when its queue is empty, and ends after what was queued', async () => {
    const { near, far, listener } = await pair();
    expect(near.remote).toEqual(listener.address);
    expect(far.remote).toEqual(near.local);
    const there = collect(far);
    let drained = 0;
    const closed = new Promise((resolve) => {
      near.on({
        data: () => undefined,
        drain: () => {
          drained++;
          expect(near.pendingBytes).toBe(0);
        },
        closed: resolve,
      });
    });
    const chunk = new Uint8Array(4 * 1024 * 1024);
    near.write([chunk, chunk, chunk]);
    expect(near.pendingBytes).toBeGreaterThan(0);
    near.end();
    await there.closed;
    expect(there.bytes()).toBe(3 * chunk.byteLength);
    expect(await closed).toBe('closed here');
    expect(drained).toBe(1);
    near.write([chunk]);
    expect(near.pendingBytes).toBe(0);
    await listener.close();
  });

  test('that is destroyed closes at both ends', async () => {
    const { near, far, listener } = await pair();
    const there = collect(far);
    const here = collect(near);
    near.destroy();
    expect(await here.closed).toBe('closed here');
    expect(await there.closed).toMatch(/closed by the other side|ECONNRESET/);
    await listener.close();
  });

  test('that closed before anyone listened still says so', async () => {
    const { near, far, listener } = await pair();
    near.destroy();
    await collect(far).closed;
    expect(await collect(near).closed).toBe('closed here');
    await listener.close();
  });

  test('that is paused hands over nothing until resumed', async () => {
    const { near, far, listener } = await pair();
    const there = collect(far);
    far.pause();
    near.write([new Uint8Array(10)]);
    await roundTrip();
    expect(there.bytes()).toBe(0);
    far.resume();
    near.end();
    await there.closed;
    expect(there.bytes()).toBe(10);
    await listener.close();
  });
});

describe('a failure has a kind', () => {
  test('refused: nobody listens', async () => {
    const listener = await net.listen(HERE, () => undefined);
    await listener.close();
    await expect(net.dial(listener.address, SOON)).rejects.toMatchObject({ name: 'NetworkError', kind: 'refused' });
  });

  test('addressInUse: the port is taken', async () => {
    const listener = await net.listen(HERE, () => undefined);
    await expect(net.listen(listener.address, () => undefined)).rejects.toMatchObject({ kind: 'addressInUse' });
    await listener.close();
    const again = await net.listen(listener.address, () => undefined);
    await again.close();
  });

  test('unresolved: no such host', async () => {
    await expect(net.resolve('no-such-host.invalid')).rejects.toMatchObject({ kind: 'unresolved' });
  });

  test('none for an address, which is its own resolution', async () => {
    expect(await net.resolve('127.0.0.1')).toEqual(['127.0.0.1']);
    expect(await net.resolve('::1')).toEqual(['::1']);
  });
});
