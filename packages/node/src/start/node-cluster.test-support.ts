/**
 * Whole nodes in this process for tests: memory disks, inline workers, real sockets on free ports of loopback.
 */
import { parseJson, showHostPort } from '@shoal/core';
import { createNodeRuntime, createRecordingLog, type RecordingLog, type Runtime } from '@shoal/runtime';
import { type DataNode, type GivenSettings, startCoordinatorNode, startDataNode } from './start-node.ts';

export interface TestNode {
  readonly node: DataNode;
  readonly runtime: Runtime;
  readonly log: RecordingLog;
}

export interface HttpAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of any shape.
  readonly body: any;
}

const ANY_PORT = { 'http.port': 0, 'transport.port': 0 };

export class TestCluster {
  readonly #nodes: TestNode[] = [];
  readonly #seeds: string[] = [];

  /** A node that knows the earlier ones as seeds; the first one founds the cluster. */
  async start(
    name: string,
    options: { readonly coordinator?: boolean; readonly settings?: GivenSettings; readonly runtime?: Runtime } = {},
  ): Promise<TestNode> {
    const log = createRecordingLog();
    const runtime = options.runtime ?? createNodeRuntime({ log });
    const settings = {
      ...ANY_PORT,
      'cluster.name': 'test',
      'node.name': name,
      'discovery.seed_hosts': this.#seeds,
      'discovery.find_peers_interval': '50ms',
      // However full the disk of the machine is.
      'cluster.routing.allocation.disk.threshold_enabled': false,
      // Copies stay where they are while a test counts them.
      'cluster.routing.rebalance.enable': 'none',
      ...(this.#seeds.length === 0 ? { 'cluster.initial_cluster_manager_nodes': [name] } : {}),
      ...options.settings,
    };
    const start = options.coordinator ? startCoordinatorNode : startDataNode;
    const node = await start(runtime, settings);
    this.#seeds.push(showHostPort(node.transportAddress));
    const started = { node, runtime, log };
    this.#nodes.push(started);
    return started;
  }

  async close(): Promise<void> {
    await Promise.all(this.#nodes.map(({ node }) => node.close()));
  }
}

export async function call({ node }: TestNode, method: string, path: string, body?: unknown): Promise<HttpAnswer> {
  const address = node.httpAddress;
  if (address === null) throw new Error('the node has no HTTP port');
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(`http://${showHostPort(address)}${path}`, {
    method,
    ...(text === undefined
      ? {}
      : {
          body: text,
          headers: { 'content-type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json' },
        }),
  });
  const answer = await response.text();
  return { status: response.status, body: answer === '' ? null : parseJson(answer) };
}
