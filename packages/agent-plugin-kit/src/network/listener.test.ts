import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { makeContext, RecordedMetrics } from '../../../agent-config/src/options/plugin-fixture.test-support.ts';
import { Listener } from './listener.ts';

const open: { close(): Promise<void> }[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const listener of open.splice(0)) await listener.close();
});

async function listen(onConnection: (socket: Socket) => void = () => {}) {
  const metrics = new RecordedMetrics();
  const listener = new Listener(createServer(onConnection), makeContext({ metrics }));
  open.push(listener);
  await listener.listen({ host: '127.0.0.1', port: 0 });
  return { listener, port: Number(metrics.gauges.get('port')) };
}

async function dial(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

describe('a listener', () => {
  test('publishes the port that it got', async () => {
    const { port } = await listen();
    expect(port).toBeGreaterThan(0);
    await dial(port);
  });

  test('rejects a port that is taken', async () => {
    const { port } = await listen();
    const second = new Listener(createServer(), makeContext());
    await expect(second.listen({ host: '127.0.0.1', port })).rejects.toThrow('EADDRINUSE');
  });

  test('ends connections when it closes, after what they gave is settled', async () => {
    let accepted = (_: Socket): void => undefined;
    const connected = new Promise<Socket>((resolve) => (accepted = resolve));
    const { listener, port } = await listen(accepted);
    const socket = await dial(port);
    await connected;
    const closed = once(socket.resume(), 'close');
    let isOpen: boolean | null = null;
    await listener.close(async () => {
      isOpen = !socket.destroyed;
    });
    await closed;
    expect(isOpen).toBe(true);
    open.length = 0;
  });
});
