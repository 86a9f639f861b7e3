/** A node that starts on a copy of another's data path: the two have one id, and must never be in a cluster in turn. */
import type { ClusterState } from '@shoal/cluster-state';
import type { Disk } from '@shoal/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type Machine,
  newMachine,
  type RunningNode,
  reached,
  startNode,
  startNodes,
} from './cluster-nodes.test-support.ts';

const running: RunningNode[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((node) => node.service.close()));
});

function isFormed(state: ClusterState): boolean {
  return state.clusterManagerId !== null && state.nodes.size === 3;
}

async function copyFolder(from: Disk, to: Disk, folder: string): Promise<void> {
  await to.mkdir(folder);
  for (const name of await from.list(folder)) {
    const path = `${folder}/${name}`;
    if ((await from.stat(path)).isDirectory) await copyFolder(from, to, path);
    else {
      const file = await to.open(path, 'create');
      await file.write(await from.readFile(path), 0);
      await file.close();
    }
  }
}

async function copyOf(machine: Machine): Promise<Machine> {
  const copy = newMachine();
  await copyFolder(machine.runtime.disk, copy.runtime.disk, 'data');
  return copy;
}

/** Starts a node on a copy of `original`'s data path; resolves with what stopped it. */
async function startCopy(original: RunningNode, seeds: readonly RunningNode[]): Promise<string> {
  let stopped: (error: unknown) => void = () => {};
  const reason = new Promise<unknown>((resolve) => {
    stopped = resolve;
  });
  const seedHosts = seeds.map((node) => `127.0.0.1:${node.service.localNode.address.port}`);
  const options = { seedHosts, initialClusterManagerNodes: [], onFatal: stopped };
  const copy = await startNode('copy', await copyOf(original.machine), options);
  running.push(copy);
  expect(copy.service.localNode.id).toBe(original.service.localNode.id);
  return String(await reason);
}

function processes(state: ClusterState): string[] {
  return [...state.nodes.values()].map((node) => node.ephemeralId).sort();
}

describe('a copy of the data path of a node that is alive', () => {
  test.each([['follower'], ['cluster manager']])('a %s: is refused, and stops', async (role) => {
    const nodes = await startNodes(3);
    running.push(...nodes);
    const states = await Promise.all(nodes.map((node) => reached(node, isFormed)));
    const managerId = states[0]?.clusterManagerId;
    const isOriginal = (node: RunningNode): boolean =>
      (node.service.localNode.id === managerId) === (role === 'cluster manager');
    const original = nodes.find(isOriginal) as RunningNode;
    const others = nodes.filter((node) => node !== original);
    const before = processes(states[0] as ClusterState);
    const reason = await startCopy(original, others);
    expect(reason).toContain(`another process that is alive has the node id [${original.service.localNode.id}]`);
    for (const node of nodes) {
      expect(node.fatal).toEqual([]);
      expect(processes(node.service.state())).toEqual(before);
    }
  });

  test('that is a cluster of its own: finds it by its seeds, and stops before it leads', async () => {
    const original = await startNode('n1', newMachine(), { initialClusterManagerNodes: ['n1'] });
    running.push(original);
    await reached(original, (state) => state.clusterManagerId !== null);
    expect(await startCopy(original, [original])).toContain('another process that is alive has the node id');
    expect(original.fatal).toEqual([]);
  });
});

test('a node whose earlier process is gone joins at once', async () => {
  const nodes = await startNodes(3);
  running.push(...nodes);
  const [state] = await Promise.all(nodes.map((node) => reached(node, isFormed)));
  const victim = nodes.find((node) => node.service.localNode.id !== state?.clusterManagerId) as RunningNode;
  const [seed] = nodes.filter((node) => node !== victim);
  running.splice(running.indexOf(victim), 1);
  await victim.service.close();
  const seedHosts = [`127.0.0.1:${seed?.service.localNode.address.port}`];
  const back = await startNode('back', victim.machine, { seedHosts, initialClusterManagerNodes: [] });
  running.push(back);
  await reached(back, isFormed);
  expect(back.fatal).toEqual([]);
});
