/**
 * The examples run: each against a node that this test starts.
 */
import { type DataNode, startDataNode } from '@shoal/node';
import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countVisits } from './node-client.ts';
import { findWhales } from './transport-client.ts';

let node: DataNode;
let address = '';

beforeAll(async () => {
  const runtime = createNodeRuntime({ log: createSilentLog() });
  const settings = {
    'cluster.name': 'examples',
    'node.name': 'one',
    'cluster.initial_cluster_manager_nodes': 'one',
    'transport.port': 0,
  };
  node = await startDataNode(runtime, settings, { httpPort: null });
  await node.cluster.waitForState((state) => state.clusterManagerId !== null, 10_000);
  address = `127.0.0.1:${node.transportAddress.port}`;
});

afterAll(() => node.close());

test('a transport client finds what it indexed', async () => {
  expect(await findWhales([address])).toEqual(['Moby Dick']);
});

test('a node client joins, counts and leaves', async () => {
  expect(await countVisits([address])).toBe(2);
  const left = await node.cluster.waitForState((state) => state.nodes.size === 1, 10_000);
  expect(left).not.toBeNull();
});
