/**
 * Whole coordinators in virtual time. `SEED=n` replays one seed, `SHOAL_SIM_SEEDS=n` sets how many run.
 */
import type { NodeRole } from '@shoal/protocol';
import { describe, expect, test } from 'vitest';
import { seedsToRun, underSeed } from '../../../simulation/src/simulation-seeds.ts';
import { ALL_RULES } from '../steps/consensus-rules.ts';
import { agreedLeader, CoordinatorCluster, clusterOf } from './coordinator-cluster.test-support.ts';
import { runCoordinatorSeed } from './coordinator-nemesis.test-support.ts';

describe('three nodes on a good network', () => {
  test('elect one leader, agree on a write, and all apply it', () => {
    const cluster = clusterOf(3, 'calm');
    for (const id of cluster.ids) cluster.start(id);
    expect(cluster.run(1_000, () => agreedLeader(cluster) !== null)).toBe(true);
    const name = cluster.write(agreedLeader(cluster)!);
    expect(cluster.run(2_000, () => cluster.results.get(name) !== null)).toBe(true);
    expect(cluster.results.get(name)).toEqual({ kind: 'committed', allApplied: true });
  });

  test('elect another leader when the first one dies, and take the first one back', () => {
    const cluster = clusterOf(3, 'one death');
    for (const id of cluster.ids) cluster.start(id);
    cluster.run(5_000);
    const first = agreedLeader(cluster)!.node.id;
    cluster.crash(first);
    expect(cluster.run(10_000, () => agreedLeader(cluster) !== null)).toBe(true);
    expect(agreedLeader(cluster)?.node.id).not.toBe(first);
    cluster.start(first);
    expect(cluster.run(20_000, () => agreedLeader(cluster)?.applied?.state.value.nodes.size === 3)).toBe(true);
  });

  test('hold no election while a majority is missing, and say what is missing', () => {
    const cluster = clusterOf(3, 'alone');
    cluster.start('n1');
    cluster.run(60_000);
    expect(cluster.process('n1')?.core.snapshot()).toMatchObject({ mode: 'candidate', term: 0 });
    expect(cluster.process('n1')?.core.snapshot().missing).toMatch(
      /more than half of .*\[n1, n2, n3\].*discovered \[n1/,
    );
  });

  test('do not let a node that was cut off drive the term up', () => {
    const cluster = clusterOf(3, 'cut off');
    for (const id of cluster.ids) cluster.start(id);
    cluster.run(5_000);
    const leader = agreedLeader(cluster)!;
    const { term } = leader.core.snapshot();
    const lonely = cluster.ids.find((id) => id !== leader.node.id)!;
    for (const id of cluster.ids) {
      cluster.network.cut(id, lonely);
      cluster.network.cut(lonely, id);
    }
    cluster.run(300_000);
    cluster.network.uncut();
    expect(cluster.run(400_000, () => agreedLeader(cluster)?.applied?.state.value.nodes.size === 3)).toBe(true);
    expect(agreedLeader(cluster)?.core.snapshot().term).toBe(term);
  });

  test('hand over when the leader is excluded from voting', () => {
    const cluster = clusterOf(3, 'excluded');
    for (const id of cluster.ids) cluster.start(id);
    cluster.run(5_000);
    const leader = agreedLeader(cluster)!;
    cluster.propose(leader, 'exclude', (value) => ({ ...value, excluded: new Set([leader.node.id]) }));
    const moved = (): boolean => (agreedLeader(cluster)?.node.id ?? leader.node.id) !== leader.node.id;
    expect(cluster.run(10_000, moved)).toBe(true);
    expect(agreedLeader(cluster)?.applied?.state.committedConfig).not.toContain(leader.node.id);
  });
});

describe('three data nodes and a coordinator that start one after another', () => {
  test.each([1, 2, 3, 4, 5])('are one cluster within a second (%i)', (seed) => {
    const names = ['n1', 'n2', 'n3'];
    const roles = new Map<string, readonly NodeRole[]>(names.map((id) => [id, ['cluster_manager', 'data']]));
    const cluster = new CoordinatorCluster({
      seed: `staggered ${seed}`,
      roles: roles.set('c1', []),
      bootstrap: { kind: 'initialNodes', names },
      settings: {},
      rules: ALL_RULES,
    });
    for (const [at, id] of cluster.ids.entries()) cluster.time.after(at * 60, () => cluster.start(id));
    expect(cluster.run(1_000, () => agreedLeader(cluster)?.applied?.state.value.nodes.size === 4)).toBe(true);
  });
});

describe('a cluster under faults', () => {
  test('keeps every invariant, and comes together when they end', () => {
    let writesCommitted = 0;
    for (const seed of seedsToRun(1_500)) {
      writesCommitted += underSeed(seed, () => runCoordinatorSeed(seed)).writesCommitted;
    }
    expect(writesCommitted).toBeGreaterThan(0);
  }, 600_000);

  test('goes the same way twice from one seed', () => {
    for (const seed of [1, 2, 3]) expect(runCoordinatorSeed(seed)).toEqual(runCoordinatorSeed(seed));
  });
});
