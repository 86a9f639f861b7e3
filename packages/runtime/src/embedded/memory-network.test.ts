import { describe, expect, test } from 'vitest';
import type { Socket } from '../interfaces/network.ts';
import { ControlledTime } from './controlled-time.ts';
import { createMemoryNetwork } from './memory-network.ts';

const AT = { host: '127.0.0.1', port: 0 };
const DIAL = { connectTimeoutMs: 1_000 };

async function connected() {
  const net = createMemoryNetwork(new ControlledTime().sched);
  const accepted = deferred<Socket>();
  const listener = await net.listen(AT, accepted.resolve);
  const near = await net.dial(listener.address, DIAL);
  return { net, listener, near, far: await accepted.promise };
}

function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** What arrives at a socket until it closes. */
function arriving(socket: Socket): Promise<{ bytes: number[]; reason: string }> {
  const bytes: number[] = [];
  return new Promise((resolve) => {
    socket.on({ data: (chunk) => bytes.push(...chunk), closed: (reason) => resolve({ bytes, reason }) });
  });
}

describe('a network in memory', () => {
  test('brings what was written before the end, in order, and both ends close', async () => {
    const { near, far } = await connected();
    const [sent, received] = [arriving(near), arriving(far)];
    near.write([new Uint8Array([1, 2]), new Uint8Array([3])]);
    far.write([new Uint8Array([9])]);
    near.end();
    expect((await received).bytes).toEqual([1, 2, 3]);
    expect((await sent).bytes).toEqual([9]);
  });

  test('refuses an address where nobody listens, or listens no more', async () => {
    const { net, listener } = await connected();
    await listener.close();
    await expect(net.dial(listener.address, DIAL)).rejects.toMatchObject({ kind: 'refused' });
  });

  test('gives an address to one listener', async () => {
    const { net, listener } = await connected();
    await expect(net.listen(listener.address, () => undefined)).rejects.toMatchObject({ kind: 'addressInUse' });
  });

  test('holds what a paused reader does not take, and tells when it is taken', async () => {
    const { near, far } = await connected();
    const drained = deferred<void>();
    near.on({ data: () => undefined, closed: () => undefined, drain: () => drained.resolve() });
    far.pause();
    const received = arriving(far);
    near.write([new Uint8Array(10)]);
    expect(near.pendingBytes).toBe(10);
    far.resume();
    await drained.promise;
    expect(near.pendingBytes).toBe(0);
    near.destroy();
    expect((await received).bytes).toHaveLength(10);
  });
});
