import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ValueReader } from '@shoal/core';
import {
  createNodeRuntime,
  createSilentLog,
  type Listener,
  type Network,
  type Runtime,
  type Socket,
  type SocketHandlers,
} from '@shoal/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { handleWith } from '../channel/action-codec.ts';
import type { NodeKind } from '../channel/node-identity.ts';
import { TestNodes, testIdentity, until } from '../channel/transport.test-support.ts';
import type { Connection, SendOptions, Transport } from '../channel/transport.ts';
import { MESSAGE_VALUES_MAX } from '../messages/message-check.ts';
import { Dice, fuzzInput, helloAnswerFrame, helloFrame } from './fuzz-inputs.test-support.ts';
import { startTransport } from './start-transport.ts';

// FUZZ_INPUTS=1000000 for the long run; FUZZ_SEED repeats one.
const INPUTS = Number(process.env.FUZZ_INPUTS ?? 100_000);
const SEED = Number(process.env.FUZZ_SEED ?? 1);
const SOCKET_INPUTS = Math.ceil(INPUTS / 400);
const BATCH = 250;
const HEAP_GROWTH_MAX_BYTES = 24 * 1024 * 1024;
const REG: SendOptions = { channel: 'reg', timeoutMs: 10_000 };

/** A socket whose other end is this test: bytes go straight into the node, in this turn. */
class MemorySocket implements Socket {
  readonly remote = { host: 'memory', port: 1 };
  readonly local = { host: 'memory', port: 2 };
  readonly pendingBytes = 0;
  isClosed = false;
  written = 0;
  #handlers: SocketHandlers | null = null;

  on(handlers: SocketHandlers): void {
    this.#handlers = handlers;
  }
  deliver(bytes: Uint8Array): void {
    if (!this.isClosed) this.#handlers?.data(bytes);
  }
  write(chunks: readonly Uint8Array[]): void {
    for (const chunk of chunks) this.written += chunk.byteLength;
  }
  pause(): void {}
  resume(): void {}
  end(): void {
    this.destroy();
  }
  destroy(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#handlers?.closed('closed');
  }
}

interface Target {
  readonly runtime: Runtime;
  readonly transport: Transport;
  /** Gives the node a socket as if somebody had connected. */
  readonly accept: (socket: Socket) => void;
  /** What the next dials return. */
  readonly dialled: MemorySocket[];
  readonly heard: Heard;
}

/** What came as far as a handler. */
interface Heard {
  valuesMax: number;
  readonly kinds: Set<NodeKind>;
}

/** Kinds of peers, most of them nodes: the others are refused what a node may ask for. */
const KINDS: readonly NodeKind[] = ['node', 'node', 'node', 'node_client', 'transport_client', 'probe'];

async function startTarget(): Promise<Target> {
  const real = createNodeRuntime({ log: createSilentLog() });
  let accept: (socket: Socket) => void = () => undefined;
  const dialled: MemorySocket[] = [];
  const net: Network = {
    ...real.net,
    listen: (at, onSocket): Promise<Listener> => {
      accept = onSocket;
      return real.net.listen(at, onSocket);
    },
    dial: async () => {
      const socket = new MemorySocket();
      dialled.push(socket);
      return socket;
    },
  };
  const runtime = { ...real, net };
  const heard: Heard = { valuesMax: 0, kinds: new Set() };
  const transport = await startTransport(runtime, {
    identity: testIdentity('target'),
    bind: { host: '127.0.0.1', port: 0 },
    settings: { connectionsPerNode: { ping: 0, state: 0, recovery: 0, bulk: 0, reg: 1 } },
  });
  transport.handle('test:echo', (request) => {
    heard.kinds.add(request.from.kind);
    if (Array.isArray(request.message)) heard.valuesMax = Math.max(heard.valuesMax, request.message.length);
    return { message: request.message, sections: request.sections };
  });
  transport.handle('test:throw', (request) => {
    heard.kinds.add(request.from.kind);
    throw new TypeError('thrown by the handler');
  });
  handleWith(
    transport,
    {
      name: 'test:typed',
      writeRequest: (n: number) => ({ message: { n } }),
      readRequest: (body) => ValueReader.of(body.message).integer('n', 0, 9),
      writeResponse: (n: number) => ({ message: { n } }),
      readResponse: (body) => ValueReader.of(body.message).integer('n', 0, 9),
    },
    (n) => n,
  );
  return { runtime, transport, accept: (socket) => accept(socket), dialled, heard };
}

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

function liveBytes(): number {
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** In random pieces, as TCP may cut it. */
function deliver(socket: MemorySocket, bytes: Buffer, dice: Dice): void {
  let at = 0;
  while (at < bytes.byteLength) {
    const size = dice.chance(50) ? bytes.byteLength - at : 1 + dice.below(bytes.byteLength - at);
    socket.deliver(bytes.subarray(at, at + size));
    at += size;
  }
}

function attackAcceptor(target: Target, dice: Dice, n: number): void {
  const socket = new MemorySocket();
  target.accept(socket);
  const hello = helloFrame(dice.pick(['reg', 'bulk', 'ping']), `n${n}`, dice.pick(KINDS));
  if (dice.chance(60)) deliver(socket, hello, dice);
  deliver(socket, fuzzInput(dice), dice);
  // Some keep their socket until the handlers have answered into it.
  if (dice.chance(80)) socket.destroy();
  else target.runtime.sched.soon(() => target.runtime.sched.soon(() => socket.destroy()));
}

/** The node dials somebody who answers with garbage, at once or after a good handshake. */
async function attackDialler(target: Target, dice: Dice): Promise<void> {
  const connecting = target.transport.connect({ host: 'memory', port: 1 }, { kind: 'probe', handshakeTimeoutMs: 50 });
  const connected = connecting.then(
    async (connection) => {
      const answers = [1, 2].map((n) =>
        connection.request('x', { message: n }, { channel: 'reg', timeoutMs: 50 }).catch(() => null),
      );
      target.dialled.at(-1)?.deliver(fuzzInput(dice));
      connection.close('done');
      await Promise.all(answers);
    },
    () => undefined,
  );
  await Promise.resolve();
  await Promise.resolve();
  const socket = target.dialled.at(-1);
  socket?.deliver(dice.chance(70) ? helloAnswerFrame() : fuzzInput(dice));
  if (dice.chance(30)) socket?.destroy();
  await connected;
  socket?.destroy();
  target.dialled.length = 0;
}

const nodes = new TestNodes();
let transport: Transport | null = null;
afterEach(async () => {
  await transport?.close();
  await nodes.closeAll();
});

async function witness(connection: Connection): Promise<void> {
  const answer = await connection.request('test:echo', { message: 'still there?' }, REG);
  expect(answer.message).toBe('still there?');
}

describe(`any input on the transport port (seed ${SEED})`, () => {
  test(
    `leaves the node alive, its other sockets undisturbed and its memory as it was (${INPUTS} inputs)`,
    async () => {
      const dice = new Dice(SEED);
      const target = await startTarget();
      transport = target.transport;
      const friend = await nodes.start('friend');
      const connection = await friend.transport.connect(target.transport.boundAddress);
      await until(() => target.transport.stats().inboundSockets === 7);
      const diallerEvery = 20;
      let bytesAfterWarmUp = 0;
      for (let done = 0; done < INPUTS; done += BATCH) {
        for (let i = 0; i < BATCH; i++) {
          if (i % diallerEvery === 0) await attackDialler(target, dice);
          else attackAcceptor(target, dice, done + i);
        }
        await witness(connection);
        if (bytesAfterWarmUp === 0 && done >= INPUTS / 4) bytesAfterWarmUp = liveBytes();
      }
      await until(() => target.transport.stats().inboundSockets === 7);
      await until(() => target.transport.stats().runningRequests === 0);
      expect(target.transport.stats()).toMatchObject({ inflightBytes: 0, outboundConnections: 0, pendingRequests: 0 });
      expect(connection.isClosed).toBe(false);
      expect(target.heard.valuesMax).toBeLessThan(MESSAGE_VALUES_MAX);
      expect(target.heard.kinds).toEqual(new Set(['node', 'node_client']));
      expect(target.transport.stats().refusedSockets).toBeGreaterThan(INPUTS / 10);
      expect(liveBytes() - bytesAfterWarmUp).toBeLessThan(HEAP_GROWTH_MAX_BYTES);
    },
    INPUTS * 10,
  );

  test(`over real sockets too (${SOCKET_INPUTS} inputs)`, async () => {
    const dice = new Dice(SEED + 1);
    const target = await startTarget();
    transport = target.transport;
    const friend = await nodes.start('friend');
    const connection = await friend.transport.connect(target.transport.boundAddress);
    for (let n = 0; n < SOCKET_INPUTS; n++) {
      const at = target.transport.boundAddress;
      const socket = await friend.runtime.net.dial(at, { connectTimeoutMs: 5000 });
      const closed = new Promise((resolve) => socket.on({ data: () => undefined, closed: resolve }));
      const hello = dice.chance(60) ? helloFrame('reg', `s${n}`) : Buffer.alloc(0);
      const input = fuzzInput(dice);
      const cut = dice.below(input.byteLength + 1);
      socket.write([hello, input.subarray(0, cut), input.subarray(cut)]);
      if (dice.chance(50)) socket.end();
      else friend.runtime.sched.soon(() => socket.destroy());
      await closed;
      if (n % 25 === 0) await witness(connection);
    }
    await witness(connection);
    await until(() => target.transport.stats().inboundSockets === 7);
    expect(target.transport.stats().inflightBytes).toBe(0);
  });
});
