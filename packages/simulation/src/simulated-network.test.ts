import type { NetworkError, Socket } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { createWorld, type SimulatedWorld } from './simulated-world.ts';

interface Conversation {
  readonly world: SimulatedWorld;
  readonly client: Socket;
  readonly server: Socket;
  readonly heardByServer: () => string;
  readonly closed: string[];
}

const SERVER = { host: 'server', port: 9300 };

/** A client that is connected to a server on another node. */
async function connect(world: SimulatedWorld): Promise<Conversation> {
  const accepted: Socket[] = [];
  const closed: string[] = [];
  let heard = '';
  await world.settle(
    world.node('server').runtime.net.listen(SERVER, (socket) => {
      socket.on({
        data: (chunk) => {
          heard += Buffer.from(chunk).toString('latin1');
        },
        closed: (reason) => closed.push(`server: ${reason}`),
      });
      accepted.push(socket);
    }),
  );
  const client = await world.settle(world.node('client').runtime.net.dial(SERVER, { connectTimeoutMs: 1_000 }));
  client.on({ data: () => undefined, closed: (reason) => closed.push(`client: ${reason}`) });
  await world.run(world.nowMs + 10);
  return { world, client, server: accepted[0]!, heardByServer: () => heard, closed };
}

function dialKind(world: SimulatedWorld, to = SERVER): Promise<string> {
  const dialled = world.node('client').runtime.net.dial(to, { connectTimeoutMs: 1_000 });
  return world.settle(
    dialled.then(
      () => 'connected',
      (error: NetworkError) => error.kind,
    ),
  );
}

describe('a simulated stream', () => {
  test('carries bytes in order, whatever the latency', async () => {
    const world = createWorld({ seed: 3, network: { latencyMaxMs: 50, spikes: 0.2 } });
    const { client, heardByServer } = await connect(world);
    const sent = Array.from({ length: 100 }, (_, index) => `${index},`);
    for (const part of sent) client.write([Buffer.from(part)]);
    await world.run(world.nowMs + 5_000);
    expect(heardByServer()).toBe(sent.join(''));
  });

  test('stalls in a partition and goes on when it heals', async () => {
    const { world, client, heardByServer, closed } = await connect(createWorld({ seed: 1 }));
    world.partition(['client'], ['server']);
    client.write([Buffer.from('late')]);
    await world.run(world.nowMs + 60_000);
    expect(heardByServer()).toBe('');
    world.heal();
    await world.run(world.nowMs + 10);
    expect(heardByServer()).toBe('late');
    expect(closed).toEqual([]);
  });

  test('passes the open direction of a one-way block', async () => {
    const { world, client, server, heardByServer } = await connect(createWorld({ seed: 1 }));
    world.block('server', 'client');
    client.write([Buffer.from('heard')]);
    server.write([Buffer.from('not heard')]);
    await world.run(world.nowMs + 1_000);
    expect(heardByServer()).toBe('heard');
  });

  test('ends on both sides after end, with all bytes delivered', async () => {
    const { world, client, heardByServer, closed } = await connect(createWorld({ seed: 1 }));
    client.write([Buffer.from('bye')]);
    client.end();
    await world.run(world.nowMs + 100);
    expect(heardByServer()).toBe('bye');
    expect(closed).toEqual(['server: closed by the peer', 'client: closed']);
  });

  test('holds back while the reader is paused, and tells the writer when it drains', async () => {
    const { world, client, server } = await connect(createWorld({ seed: 1 }));
    let drained = 0;
    client.on({
      data: () => undefined,
      drain: () => {
        drained += 1;
      },
      closed: () => undefined,
    });
    server.pause();
    client.write([new Uint8Array(200_000)]);
    await world.run(world.nowMs + 100);
    expect(client.pendingBytes).toBeGreaterThan(100_000);
    server.resume();
    await world.run(world.nowMs + 100);
    expect([client.pendingBytes, drained]).toEqual([0, 1]);
  });

  test('is reset when the process at the other end dies', async () => {
    const { world, closed } = await connect(createWorld({ seed: 1 }));
    world.node('server').crash();
    await world.run(world.nowMs + 100);
    expect(closed).toEqual(['client: connection reset by peer']);
  });

  test('stays half open when the machine at the other end falls silent, until it is back', async () => {
    const { world, client, closed } = await connect(createWorld({ seed: 1 }));
    world.node('server').crash({ silent: true });
    client.write([Buffer.from('anybody?')]);
    await world.run(world.nowMs + 60_000);
    expect(closed).toEqual([]);
    world.node('server').restart();
    client.write([Buffer.from('anybody?')]);
    await world.run(world.nowMs + 100);
    expect(closed).toEqual(['client: connection reset by peer']);
  });

  test('is cut by a reset of the link', async () => {
    const { world, closed } = await connect(createWorld({ seed: 1 }));
    world.resetConnections('server', 'client');
    await world.run(world.nowMs + 1);
    expect([...closed].sort()).toEqual(['client: connection reset', 'server: connection reset']);
  });
});

describe('a dial', () => {
  test('is refused where nobody listens', async () => {
    expect(await dialKind(createWorld({ seed: 1 }))).toBe('refused');
  });

  test('times out into a partition, a blocked port and a silent machine', async () => {
    const { world } = await connect(createWorld({ seed: 1 }));
    world.block('server', 'client');
    expect(await dialKind(world)).toBe('timeout');
    world.heal();
    world.block('client', 'server', 9200);
    expect(await dialKind(world)).toBe('connected');
    world.block('client', 'server', 9300);
    expect(await dialKind(world)).toBe('timeout');
    world.heal();
    world.node('server').crash({ silent: true });
    expect(await dialKind(world)).toBe('timeout');
  });

  test('finds an address taken only once', async () => {
    const { world } = await connect(createWorld({ seed: 1 }));
    const again = world.node('server').runtime.net.listen(SERVER, () => undefined);
    await expect(world.settle(again)).rejects.toMatchObject({ kind: 'addressInUse' });
  });
});
