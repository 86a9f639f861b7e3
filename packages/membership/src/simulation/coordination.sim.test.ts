/**
 * Whole coordination in virtual time: the product's transport, messenger and log on simulated networks and disks.
 */
import type { NodeRole } from '@shoal/cluster-state';
import { describe, expect, test } from 'vitest';
import { agreedLeader, CoordinationCluster, clusterOf } from './coordination-cluster.test-support.ts';
import { runCoordinationSeed } from './coordination-nemesis.test-support.ts';

async function formed(seed: string): Promise<CoordinationCluster> {
  const cluster = clusterOf(3, seed);
  for (const id of cluster.ids) cluster.start(id);
  await cluster.run(5_000);
  return cluster;
}

function isWhole(cluster: CoordinationCluster): boolean {
  return agreedLeader(cluster)?.applied?.nodes.size === cluster.ids.length;
}

describe('three nodes on a good network', () => {
  test('elect one leader, agree on a write, and all apply it', async () => {
    const cluster = clusterOf(3, 'calm');
    for (const id of cluster.ids) cluster.start(id);
    expect(await cluster.run(1_000, () => isWhole(cluster))).toBe(true);
    const name = cluster.write(agreedLeader(cluster)!);
    expect(await cluster.run(2_000, () => cluster.results.get(name) !== null)).toBe(true);
    expect(cluster.results.get(name)).toEqual({ kind: 'committed', allApplied: true });
  });

  test('elect another leader when the first one dies, and take the first one back', async () => {
    const cluster = await formed('one death');
    const first = agreedLeader(cluster)!.id;
    cluster.crash(first);
    expect(await cluster.run(10_000, () => agreedLeader(cluster) !== null)).toBe(true);
    expect(agreedLeader(cluster)?.id).not.toBe(first);
    cluster.start(first);
    expect(await cluster.run(20_000, () => isWhole(cluster))).toBe(true);
  });

  test('hold no election while a majority is missing, and say what is missing', async () => {
    const cluster = clusterOf(3, 'alone');
    cluster.start('n1');
    await cluster.run(60_000);
    expect(cluster.process('n1')?.diagnose()).toMatchObject({ mode: 'candidate', term: 0 });
    expect(cluster.process('n1')?.diagnose().missing).toMatch(/more than half of .*\[n1, n2, n3\].*discovered \[n1/);
  });

  test('do not let a node that was cut off drive the term up', async () => {
    const cluster = await formed('cut off');
    const leader = agreedLeader(cluster)!;
    const { term } = leader.diagnose();
    const lonely = cluster.ids.find((id) => id !== leader.id)!;
    for (const id of cluster.ids) {
      cluster.cut(id, lonely);
      cluster.cut(lonely, id);
    }
    await cluster.run(300_000);
    cluster.world.heal();
    expect(await cluster.run(400_000, () => isWhole(cluster))).toBe(true);
    expect(agreedLeader(cluster)?.diagnose().term).toBe(term);
  });

  test('hand over when the leader is excluded from voting', async () => {
    const cluster = await formed('excluded');
    const leader = agreedLeader(cluster)!;
    cluster.exclude(leader, [leader.id]);
    const moved = (): boolean => (agreedLeader(cluster)?.id ?? leader.id) !== leader.id;
    expect(await cluster.run(10_000, moved)).toBe(true);
    const applied = agreedLeader(cluster)?.applied;
    expect(applied?.metadata.coordination.lastCommittedConfig).not.toContain(leader.id);
  });
});

describe('three data nodes and a coordinator that start one after another', () => {
  test.each([1, 2, 3, 4, 5])('are one cluster within a second (%i)', async (seed) => {
    const names = ['n1', 'n2', 'n3'];
    const roles = new Map<string, readonly NodeRole[]>(names.map((id) => [id, ['cluster_manager', 'data']]));
    const cluster = new CoordinationCluster({
      seed: `staggered ${seed}`,
      roles: roles.set('c1', []),
      bootstrap: { kind: 'initialNodes', names },
      settings: {},
    });
    for (const [at, id] of cluster.ids.entries()) cluster.after(at * 60, () => cluster.start(id));
    expect(await cluster.run(1_000, () => isWhole(cluster))).toBe(true);
  });
});

describe('a cluster under faults', () => {
  test('goes the same way twice from one seed, to the byte', async () => {
    for (const seed of [1, 2]) expect(await runCoordinationSeed(seed)).toEqual(await runCoordinationSeed(seed));
  });
});
