/** Nodes that cannot join: `_cluster/health/_why` of the cluster and of the node itself say why, and what is said lets it in. */
import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { afterEach, expect, test } from 'vitest';
import { call, type HttpAnswer, TestCluster, type TestNode } from './node-cluster.test-support.ts';

const clusters: TestCluster[] = [];

afterEach(async () => {
  await Promise.all(clusters.splice(0).map((cluster) => cluster.close()));
});

function newCluster(): TestCluster {
  const cluster = new TestCluster();
  clusters.push(cluster);
  return cluster;
}

type Finding = { readonly cause: string; readonly reason: string; readonly mends: readonly { command?: string }[] };

async function findings(node: TestNode): Promise<readonly Finding[]> {
  return (await call(node, 'GET', '/_cluster/health/_why')).body.findings;
}

async function commandsOf(node: TestNode, cause: string, said: string): Promise<readonly (string | undefined)[]> {
  const told = async () => (await findings(node)).find((one) => one.cause === cause && one.reason.includes(said));
  await expect.poll(told, { timeout: 10_000 }).toBeDefined();
  return (await told())?.mends.map(({ command }) => command) ?? [];
}

const members = async (node: TestNode): Promise<HttpAnswer['body']> =>
  (await call(node, 'GET', '/_cluster/health?wait_for_nodes=2&timeout=20s')).body.number_of_nodes;

test('a node of another cluster name is told by the cluster and by itself', { timeout: 60_000 }, async () => {
  const cluster = newCluster();
  const first = await cluster.start('a');
  const settings = { 'cluster.name': 'other', 'cluster.initial_cluster_manager_nodes': null };
  const stranger = await cluster.start('b', { settings });
  expect(await commandsOf(first, 'node_refused', 'belongs to a cluster of another name')).toEqual([
    'shoal data-node --cluster.name test',
  ]);
  expect((await call(first, 'GET', '/_cluster/health/_why')).body).toMatchObject({
    status: 'yellow',
    cluster_manager: 'a',
    findings: [{ reason: expect.stringContaining('remote cluster name [other]') }],
  });
  const own = await call(stranger, 'GET', '/_cluster/health/_why?dry_run=true');
  expect(own.body).toMatchObject({ status: 'red', cluster_manager: null, answered_by: 'b' });
  expect(own.body.findings[0].cause).toBe('no_cluster');
  await commandsOf(stranger, 'node_unreachable', 'belongs to a cluster of another name');

  await stranger.node.close();
  await cluster.start('b');
  expect(await members(first)).toBe(2);
});

test('the data folder of a node of another cluster is told, and an empty one lets the node in', {
  timeout: 60_000,
}, async () => {
  const runtime = createNodeRuntime({ log: createSilentLog() });
  const former = newCluster();
  const founder = await former.start('x');
  await former.start('b', { runtime }).then(async (node) => {
    expect(await members(founder)).toBe(2);
    await node.node.close();
  });

  const cluster = newCluster();
  const first = await cluster.start('a');
  const moved = await cluster.start('b', { runtime });
  expect(await commandsOf(first, 'node_refused', 'runs on the data folder of a node of another cluster')).toEqual([
    'shoal data-node --data EMPTY_FOLDER',
  ]);
  await moved.node.close();
  await cluster.start('b');
  expect(await members(first)).toBe(2);
});

test('nodes that are in the cluster by now are no news', { timeout: 60_000 }, async () => {
  const cluster = newCluster();
  const first = await cluster.start('a');
  await cluster.start('b');
  expect(await members(first)).toBe(2);
  expect(await findings(first)).toEqual([]);
});
