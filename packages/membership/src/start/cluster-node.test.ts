import { clusterHealth } from '@shoal/cluster';
import type { ClusterState } from '@shoal/cluster-state';
import { ShoalError } from '@shoal/core';
import { afterEach, describe, expect, test } from 'vitest';
import {
  emptyIndex,
  newMachine,
  type RunningNode,
  reached,
  startNode,
  startNodes,
  TIMEOUTS,
} from './cluster-nodes.test-support.ts';

const running: RunningNode[] = [];

afterEach(async () => {
  const nodes = running.splice(0);
  await Promise.all(nodes.map((node) => node.service.close()));
  for (const node of nodes) expect(node.fatal).toEqual([]);
});

function track(nodes: RunningNode[]): RunningNode[] {
  running.push(...nodes);
  return nodes;
}

/** All three vote: until then losing one of the first two costs the quorum. */
function isFormed(state: ClusterState): boolean {
  const { lastCommittedConfig } = state.metadata.coordination;
  return (
    state.clusterManagerId !== null &&
    state.nodes.size === 3 &&
    lastCommittedConfig.every((id) => state.nodes.has(id)) &&
    lastCommittedConfig.length === 3
  );
}

function managerOf(nodes: readonly RunningNode[]): RunningNode {
  const id = nodes[0]?.service.state().clusterManagerId;
  const manager = nodes.find((node) => node.service.localNode.id === id);
  if (manager === undefined) throw new Error(`no manager among ${nodes.length} nodes`);
  return manager;
}

function others(nodes: readonly RunningNode[], not: RunningNode): RunningNode[] {
  return nodes.filter((node) => node !== not);
}

async function stop(node: RunningNode): Promise<void> {
  running.splice(running.indexOf(node), 1);
  await node.service.close();
}

describe('three nodes', () => {
  test('form a cluster and create an index from any node', async () => {
    const nodes = track(await startNodes(3));
    for (const node of nodes) await reached(node, isFormed);
    const follower = others(nodes, managerOf(nodes))[0] as RunningNode;
    const answer = await follower.service.admin.createIndex(emptyIndex('lib', 3));
    expect(answer).toEqual({ acknowledged: true, shardsAcknowledged: true, index: 'lib' });
    for (const node of nodes) {
      const state = await reached(node, (s) => clusterHealth(s, null).status === 'green');
      const holders = (state.routing.indices.get('lib') ?? []).flat().map((copy) => copy.nodeId);
      expect(new Set(holders).size).toBe(3);
      expect(state.metadata.clusterUuidCommitted).toBe(true);
    }
    expect(await follower.service.admin.pendingTasks({ masterTimeoutMs: 1_000 })).toBeInstanceOf(Array);
    await expect(follower.service.admin.createIndex(emptyIndex('lib', 1))).rejects.toMatchObject({
      type: 'resource_already_exists_exception',
    });
    await expect(follower.service.admin.createIndex(emptyIndex('Bad', 1))).rejects.toMatchObject({
      reason: 'Invalid index name [Bad], must be lowercase',
    });
  });

  test('lose a data node: its shards are unassigned and red; it returns with its disk: green, in a higher term', async () => {
    const nodes = track(await startNodes(3));
    for (const node of nodes) await reached(node, isFormed);
    const manager = managerOf(nodes);
    await manager.service.admin.createIndex(emptyIndex('lib', 3));
    const victim = others(nodes, manager)[0] as RunningNode;
    const victimId = victim.service.localNode.id;
    await stop(victim);
    const red = await reached(manager, (s) => s.nodes.size === 2 && clusterHealth(s, null).status === 'red');
    const lost = (red.routing.indices.get('lib') ?? []).flat().find((copy) => copy.state === 'UNASSIGNED');
    expect(lost?.unassigned).toMatchObject({ reason: 'NODE_LEFT', lastNodeId: victimId });
    const explained = await manager.service.admin.explainAllocation({
      shard: null,
      includeYesDecisions: false,
      masterTimeoutMs: 1_000,
    });
    expect(explained).toMatchObject({ index: 'lib', primary: true, current_state: 'unassigned' });
    const seedHosts = [`127.0.0.1:${manager.service.localNode.address.port}`];
    const [back] = track([await startNode('n-back', victim.machine, { seedHosts, initialClusterManagerNodes: [] })]);
    expect(back?.service.localNode.id).toBe(victimId);
    const green = await reached(manager, (s) => s.nodes.size === 3 && clusterHealth(s, null).status === 'green');
    expect(green.metadata.indices.get('lib')?.primaryTerms[lost?.shard ?? 0]).toBe(2);
    const again = (green.routing.indices.get('lib') ?? []).flat().find((copy) => copy.shard === lost?.shard);
    expect(again?.nodeId).toBe(victimId);
  });

  test('elect another cluster manager when theirs is gone, and take changes again', async () => {
    const nodes = track(await startNodes(3));
    for (const node of nodes) await reached(node, isFormed);
    const first = managerOf(nodes);
    const rest = others(nodes, first);
    const firstId = first.service.localNode.id;
    await stop(first);
    const [asked] = rest;
    const change = asked?.service.admin.updateClusterSettings({
      ...TIMEOUTS,
      persistent: { 'cluster.max_shards_per_node': 77 },
      transient: {},
    });
    for (const node of rest) {
      await reached(node, (s) => s.clusterManagerId !== null && s.clusterManagerId !== firstId && s.nodes.size === 2);
    }
    expect(await change).toMatchObject({ acknowledged: true, persistent: { 'cluster.max_shards_per_node': '77' } });
    for (const node of rest) {
      await reached(node, (s) => s.metadata.persistentSettings['cluster.max_shards_per_node'] === '77');
    }
  });

  test('that all stop find their indices again after a restart', async () => {
    const nodes = track(await startNodes(3));
    for (const node of nodes) await reached(node, isFormed);
    await managerOf(nodes).service.admin.createIndex(emptyIndex('kept', 3));
    const ports = nodes.map((node) => node.service.localNode.address.port);
    const uuid = nodes[0]?.service.state().metadata.clusterUuid;
    for (const node of nodes) await stop(node);
    const seedHosts = ports.map((port) => `127.0.0.1:${port}`);
    const again = track(
      await Promise.all(
        nodes.map((node, i) =>
          startNode(`n${i + 1}`, node.machine, { port: ports[i] ?? 0, seedHosts, initialClusterManagerNodes: ['n1'] }),
        ),
      ),
    );
    for (const node of again) {
      const state = await reached(
        node,
        (s) => s.nodes.size === 3 && clusterHealth(s, null).status === 'green' && s.metadata.indices.has('kept'),
      );
      expect(state.metadata.clusterUuid).toBe(uuid);
    }
  });
});

describe('a single node', () => {
  test('is its own cluster at once, also without a disk', async () => {
    const [node] = track([await startNode('solo', newMachine(), { discoveryType: 'single-node', dataPath: null })]);
    await reached(node as RunningNode, (s) => s.clusterManagerId === node?.service.localNode.id);
  });

  test('with nobody to elect says what is missing and answers with master_not_discovered', async () => {
    const [node] = track([
      await startNode('lonely', newMachine(), { seedHosts: ['127.0.0.1:1'], initialClusterManagerNodes: ['a', 'b'] }),
    ]);
    const lonely = node as RunningNode;
    expect(lonely.service.state().blocks.global[0]?.description).toBe('state not recovered / initialized');
    const asked = lonely.service.admin.createIndex({ ...emptyIndex('x', 1), masterTimeoutMs: 100 });
    await expect(asked).rejects.toMatchObject({ type: 'master_not_discovered_exception', status: 503 });
    const diagnosis = lonely.service.diagnose();
    expect(diagnosis.clusterManagerId).toBeNull();
    expect(diagnosis.missing).toEqual(expect.any(String));
    expect(diagnosis.attempts[0]?.address).toEqual({ host: '127.0.0.1', port: 1 });
  });

  test('on a data path that another node uses refuses to start', async () => {
    const machine = newMachine();
    track([await startNode('a', machine, { discoveryType: 'single-node' })]);
    const second = startNode('b', machine, { discoveryType: 'single-node' });
    await expect(second).rejects.toThrow(ShoalError);
    await expect(second).rejects.toThrow(/failed to obtain node locks, tried \[data\]/);
  });

  test('waits for the copies that the settings of a new index or its template want', async () => {
    const [node] = track([await startNode('solo', newMachine(), { discoveryType: 'single-node' })]);
    const { admin } = (node as RunningNode).service;
    const settings = { number_of_replicas: 1, 'write.wait_for_active_shards': 2 };
    const body = { index_patterns: ['two-*'], template: { settings } };
    const put = await admin.putTemplate({ ...emptyIndex('', 1), kind: 'index', name: 't', create: true, body });
    expect(put).toEqual({ acknowledged: true, warnings: [] });
    const patient = { ...emptyIndex('one', 1), settings: {}, waitForActiveShards: null };
    const hasty = { ...patient, timeoutMs: 50 };
    const wanted = [patient, { ...hasty, index: 'set', settings }, { ...hasty, index: 'two-copies' }];
    const answers = await Promise.all(wanted.map((index) => admin.createIndex(index)));
    expect(answers.map(({ shardsAcknowledged }) => shardsAcknowledged)).toEqual([true, false, false]);
  });

  test('closes and opens an index, which comes back from its documents', async () => {
    const [node] = track([await startNode('solo', newMachine(), { discoveryType: 'single-node' })]);
    const solo = node as RunningNode;
    await solo.service.admin.createIndex(emptyIndex('c', 2));
    await solo.service.admin.setIndexState({ ...TIMEOUTS, indices: ['c'], state: 'close' });
    expect(solo.service.state().routing.indices.has('c')).toBe(true);
    expect(solo.service.state().blocks.indices.get('c')?.[0]?.id).toBe(4);
    const before = solo.service.state().metadata.indices.get('c')?.inSyncAllocations;
    await solo.service.admin.setIndexState({ ...TIMEOUTS, indices: ['c'], state: 'open' });
    const state = await reached(solo, (s) => clusterHealth(s, ['c']).status === 'green' && s.routing.indices.has('c'));
    expect(state.metadata.indices.get('c')?.inSyncAllocations).toEqual(before);
    await solo.service.admin.deleteIndices({ ...TIMEOUTS, indices: ['c'] });
    expect(solo.service.state().metadata.indexGraveyard.at(-1)?.index).toBe('c');
  });
});
