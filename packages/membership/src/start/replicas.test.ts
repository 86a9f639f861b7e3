import { clusterHealth } from '@shoal/cluster';
import type { ClusterState, ShardRouting } from '@shoal/cluster-state';
import { afterEach, describe, expect, test } from 'vitest';
import {
  emptyIndex,
  type RunningNode,
  reached,
  startNode,
  startNodes,
  TIMEOUTS,
} from './cluster-nodes.test-support.ts';

const running: RunningNode[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((node) => node.service.close()));
});

async function threeNodes(): Promise<readonly [RunningNode, RunningNode, RunningNode]> {
  const nodes = await startNodes(3);
  running.push(...nodes);
  const [first, second, third] = nodes;
  if (first === undefined || second === undefined || third === undefined) throw new Error('three nodes were asked for');
  await Promise.all(nodes.map((node) => reached(node, (state) => state.nodes.size === 3)));
  return [first, second, third];
}

const copies = (state: ClusterState): readonly ShardRouting[] => state.routing.indices.get('lib')?.[0] ?? [];
const isGreen = (state: ClusterState): boolean =>
  state.routing.indices.has('lib') && clusterHealth(state, ['lib']).status === 'green';
const term = (state: ClusterState): number => state.metadata.indices.get('lib')?.primaryTerms[0] ?? 0;

async function lib(node: RunningNode, settings: Record<string, unknown> = {}): Promise<ClusterState> {
  const request = { ...emptyIndex('lib', 1), settings: { number_of_replicas: 1, ...settings } };
  await node.service.admin.createIndex({ ...request, waitForActiveShards: 'all' });
  return reached(node, isGreen);
}

describe('a cluster that assigns replicas', () => {
  test('goes on with one when the node of the primary is gone, and gives the third node a copy when the delay is over', async () => {
    const nodes = await threeNodes();
    const before = await lib(nodes[0], { 'unassigned.node_left.delayed_timeout': '300ms' });
    const [primary, replica] = copies(before);
    const lost = nodes.find((node) => node.service.localNode.id === primary?.nodeId) as RunningNode;
    const [watcher, other] = nodes.filter((node) => node !== lost) as [RunningNode, RunningNode];
    await lost.service.close();
    const promoted = await reached(
      watcher,
      (state) => copies(state)[0]?.allocationId === replica?.allocationId,
      20_000,
    );
    expect(term(promoted)).toBe(2);
    expect(copies(promoted)[0]).toMatchObject({ state: 'STARTED', isPrimary: true });
    const whole = await reached(watcher, isGreen, 20_000);
    const ids = [watcher, other].map((node) => node.service.localNode.id).sort();
    expect(
      copies(whole)
        .map((copy) => copy.nodeId ?? '')
        .sort(),
    ).toEqual(ids);
    // Ids of copies that have no node leave a set that has more ids than there are copies.
    expect(whole.metadata.indices.get('lib')?.inSyncAllocations[0]).toHaveLength(2);
  }, 60_000);

  test('waits for the node of a replica, which gets its copy again when it comes back with its disk', async () => {
    const nodes = await threeNodes();
    const before = await lib(nodes[0]);
    const replica = copies(before)[1];
    const lost = nodes.find((node) => node.service.localNode.id === replica?.nodeId) as RunningNode;
    const watcher = nodes.find((node) => node !== lost) as RunningNode;
    await lost.service.close();
    const away = await reached(watcher, (state) => clusterHealth(state, null).delayedUnassignedShards === 1, 20_000);
    expect(copies(away)[1]).toMatchObject({ state: 'UNASSIGNED', unassigned: { lastNodeId: replica?.nodeId } });
    const seedHosts = [`127.0.0.1:${watcher.service.localNode.address.port}`];
    const options = { seedHosts, initialClusterManagerNodes: [] };
    running.push(await startNode('back', lost.machine, options));
    const whole = await reached(watcher, isGreen, 20_000);
    expect(copies(whole)[1]).toMatchObject({ nodeId: replica?.nodeId, state: 'STARTED', recoverySource: 'PEER' });
    expect(copies(whole)[1]?.allocationId).not.toBe(replica?.allocationId);
    expect(term(whole)).toBe(1);
  }, 60_000);

  test('marks a copy stale for its primary, and tells one that is primary no more', async () => {
    const [node] = await threeNodes();
    const state = await lib(node);
    const [primary, replica] = copies(state);
    const at = { index: 'lib', shard: 0 };
    const ofPrimary = { ...at, allocationId: primary?.allocationId ?? '', primaryTerm: 1 };
    const version = node.service.state().version;
    await node.service.admin.confirmPrimary(ofPrimary);
    expect(node.service.state().version).toBeGreaterThan(version);
    const mark = { ...at, allocationId: replica?.allocationId ?? '', markStale: true, reason: 'it does not answer' };
    await node.service.admin.shardFailed({ ...mark, primaryTerm: 1 });
    const inSync = node.service.state().metadata.indices.get('lib')?.inSyncAllocations[0];
    expect(inSync).not.toContain(replica?.allocationId);
    await node.service.admin.shardFailed({ ...ofPrimary, primaryTerm: 0, markStale: false, reason: 'disk' });
    await reached(node, (s) => term(s) > 1);
    const noLonger = { type: 'no_longer_primary_shard_exception' };
    await expect(node.service.admin.shardFailed({ ...mark, primaryTerm: 1 })).rejects.toMatchObject(noLonger);
    await expect(node.service.admin.confirmPrimary(ofPrimary)).rejects.toMatchObject(noLonger);
  }, 60_000);

  test('takes and gives copies with the number of replicas', async () => {
    const [node] = await threeNodes();
    await lib(node);
    for (const count of [2, 0, 1]) {
      const settings = { number_of_replicas: count };
      await node.service.admin.updateIndexSettings({
        ...TIMEOUTS,
        indices: ['lib'],
        settings,
        preserveExisting: false,
      });
      const state = await reached(node, (s) => isGreen(s) && copies(s).length === 1 + count);
      expect(state.metadata.indices.get('lib')?.inSyncAllocations[0]).toHaveLength(1 + count);
    }
  }, 60_000);
});
