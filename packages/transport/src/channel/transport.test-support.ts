/**
 * Nodes for the transport's tests: real loopback sockets on free ports, closed at the end of each test.
 */
import {
  type Address,
  createNodeRuntime,
  createRecordingLog,
  type RecordingLog,
  type Runtime,
  type Socket,
} from '@shoal/runtime';
import { startTransport } from '../start/start-transport.ts';
import type { NodeIdentity } from './node-identity.ts';
import type { Transport } from './transport.ts';
import type { TransportSettings } from './transport-settings.ts';

export interface TestNode {
  readonly transport: Transport;
  readonly runtime: Runtime;
  readonly log: RecordingLog;
}

export type TestIdentity = Partial<Omit<NodeIdentity, 'address'>>;

export class TestNodes {
  readonly #nodes: TestNode[] = [];

  async start(
    name: string,
    identity: TestIdentity = {},
    settings: Partial<TransportSettings> = {},
    listens = true,
  ): Promise<TestNode> {
    const log = createRecordingLog();
    const runtime = createNodeRuntime({ log });
    const transport = await startTransport(runtime, {
      identity: { ...testIdentity(name), ...identity },
      bind: listens ? { host: '127.0.0.1', port: 0 } : null,
      settings,
    });
    const node = { transport, runtime, log };
    this.#nodes.push(node);
    return node;
  }

  async closeAll(): Promise<void> {
    for (const node of this.#nodes.splice(0)) await node.transport.close();
  }
}

export function testIdentity(name: string): Omit<NodeIdentity, 'address'> {
  return {
    nodeId: `${name}-id`,
    ephemeralId: `${name}-life`,
    name,
    clusterName: 'test',
    version: '0.1.0',
    roles: ['cluster_manager', 'data'],
    kind: 'node',
    attributes: {},
    httpAddress: null,
  };
}

/** Waits for `condition`, turn by turn; the test's own timeout is the limit. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
}

export interface Middle {
  readonly address: Address;
  /** Reads no more from the dialler, so its bytes pile up. */
  stopReading(): void;
  /** Drops everything that comes from either side, as a broken network does. */
  goSilent(): void;
  /** Cuts the newest socket. */
  cutOne(): void;
  close(): Promise<void>;
}

/** A man in the middle: passes bytes on between who dials him and `target` until told otherwise. */
export async function startMiddle(runtime: Runtime, target: Address): Promise<Middle> {
  let mode: 'pass' | 'stuck' | 'silent' = 'pass';
  const lefts: Socket[] = [];
  const listener = await runtime.net.listen({ host: '127.0.0.1', port: 0 }, (left) => {
    lefts.push(left);
    left.pause();
    void runtime.net.dial(target, { connectTimeoutMs: 1000 }).then((right) => {
      left.on({
        data: (chunk) => {
          if (mode === 'stuck') left.pause();
          else if (mode === 'pass') right.write([chunk]);
        },
        closed: () => right.destroy(),
      });
      right.on({
        data: (chunk) => {
          if (mode !== 'silent') left.write([chunk]);
        },
        closed: () => left.destroy(),
      });
      left.resume();
    });
  });
  return {
    address: listener.address,
    stopReading: () => {
      mode = 'stuck';
    },
    goSilent: () => {
      mode = 'silent';
    },
    cutOne: () => lefts.pop()?.destroy(),
    close: async () => {
      for (const left of lefts) left.destroy();
      await listener.close();
    },
  };
}
