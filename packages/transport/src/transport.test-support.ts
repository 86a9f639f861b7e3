/**
 * Nodes for the transport's tests: real loopback sockets on free ports, closed at the end of each test.
 */
import { createNodeRuntime, createRecordingLog, type RecordingLog, type Runtime } from '@shoal/runtime';
import type { NodeIdentity } from './node-identity.ts';
import { startTransport } from './start-transport.ts';
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
