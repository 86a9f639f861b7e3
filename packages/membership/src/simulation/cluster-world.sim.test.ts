import { clusterHealth } from '@shoal/cluster';
import { REQUEST_PEERS } from '@shoal/protocol';
import { afterEach, describe, expect, test } from 'vitest';
import { seedsToRun } from '../../../simulation/src/simulation-seeds.ts';
import { emptyIndex } from '../start/cluster-nodes.test-support.ts';
import { ClusterWorld, TRANSPORT_PORT } from './cluster-world.test-support.ts';

let cluster: ClusterWorld | null = null;

afterEach(() => {
  expect(cluster?.fatal ?? []).toEqual([]);
});

async function formed(seed: number | string, count = 3): Promise<ClusterWorld> {
  cluster = new ClusterWorld(seed, count);
  await cluster.startAll();
  await cluster.until(cluster.isWhole, 5_000);
  return cluster;
}

function managerOf(world: ClusterWorld): string {
  const [first] = world.services.values();
  const id = first?.state().clusterManagerId;
  const found = [...world.services].find(([, service]) => service.localNode.id === id)?.[0];
  if (found === undefined) throw new Error('no manager runs');
  return found;
}

async function createIndex(world: ClusterWorld, index: string, shards: number): Promise<void> {
  const [service] = world.services.values();
  if (service !== undefined) await world.world.settle(service.admin.createIndex(emptyIndex(index, shards)));
}

describe('a whole cluster in virtual time', () => {
  test('elects within a second when all nodes start together, from any seed', async () => {
    for (const seed of seedsToRun(20)) {
      const world = new ClusterWorld(seed, 3);
      cluster = world;
      await world.startAll();
      expect(await world.until((s) => s.clusterManagerId !== null && s.nodes.size === 3, 3_000)).toBeLessThan(1_500);
    }
  }, 600_000);

  test('is complete a moment after its last node is up, a coordinator included', async () => {
    const world = new ClusterWorld('staggered', 3);
    cluster = world;
    await world.world.settle(world.start('n0', { roles: [] }));
    for (const name of world.names) {
      await world.world.run(world.world.nowMs + 450);
      await world.world.settle(world.start(name));
    }
    expect(await world.until((s) => s.clusterManagerId !== null && s.nodes.size === 4, 3_000)).toBeLessThan(300);
  });

  test('replays the same from the same seed', async () => {
    const hashes = new Set<string>();
    for (let run = 0; run < 2; run++) hashes.add((await formed('replay')).world.traceHash);
    expect(hashes.size).toBe(1);
  });

  test('with 9300 blocked has no manager, and is whole within 15 s of the unblocking', async () => {
    const world = new ClusterWorld(7, 3);
    cluster = world;
    for (const from of world.names) {
      for (const to of world.names) if (from !== to) world.world.block(from, to, TRANSPORT_PORT);
    }
    await world.startAll();
    await world.world.run(world.world.nowMs + 60_000);
    for (const name of world.names) expect(world.state(name).clusterManagerId).toBeNull();
    const diagnosis = world.services.get('n1')?.diagnose();
    expect(diagnosis?.attempts.map((attempt) => attempt.address.port)).toContain(TRANSPORT_PORT);
    expect(world.world.logLines.some((line) => line.includes('no cluster manager yet'))).toBe(true);
    world.world.heal();
    expect(await world.until(world.isWhole, 15_000)).toBeLessThan(15_000);
  });

  test('loses its manager without a word, elects another, and takes the old one back with its shards', async () => {
    const world = await formed(11);
    await createIndex(world, 'lib', 3);
    const old = managerOf(world);
    const oldId = world.services.get(old)?.localNode.id ?? '';
    world.crash(old, true);
    const [other] = world.services.values();
    const unbounded = { channel: 'reg', timeoutMs: null } as const;
    const waiting = other?.send(oldId, REQUEST_PEERS, { knownPeers: [] }, unbounded).catch((error: unknown) => error);
    // Silence is noticed by the followers after three checks of 10 s; the one they elect does not wait to find it out again.
    await world.until((s) => s.nodes.size === 2 && s.clusterManagerId !== null, 45_000);
    // What waited for an answer of the old one knows that none will come.
    expect(await world.world.settle(Promise.resolve(waiting))).toMatchObject({ type: 'node_disconnected_exception' });
    expect(clusterHealth(world.state(managerOf(world)), null).status).toBe('red');
    await world.restart(old);
    await world.until((s) => world.isWhole(s) && s.metadata.indices.has('lib'), 30_000);
  });

  test('asks a member whose connection was lost without waiting for the next try', async () => {
    const world = await formed(12);
    const [from = '', to = ''] = world.names.filter((name) => name !== managerOf(world));
    const toId = world.services.get(to)?.localNode.id ?? '';
    const ask = (): Promise<unknown> =>
      world.services.get(from)?.send(toId, REQUEST_PEERS, { knownPeers: [] }, { channel: 'reg', timeoutMs: 5_000 }) ??
      Promise.reject(new Error(`${from} does not run`));
    await world.world.settle(ask());
    world.world.resetConnections(from, to);
    const begun = world.world.nowMs;
    // The first may have been on its way through the connection as it broke.
    await world.world.settle(ask().catch(() => ask()));
    expect(world.world.nowMs - begun).toBeLessThan(1_000);
  });

  test('cut in two keeps the majority working; the minority has no manager and follows again after it heals', async () => {
    const world = await formed(13);
    const old = managerOf(world);
    const rest = world.names.filter((name) => name !== old);
    world.world.partition([old], rest);
    await world.world.run(world.world.nowMs + 60_000);
    expect(world.state(old).clusterManagerId).toBeNull();
    expect(world.state(old).blocks.global[0]).toMatchObject({ id: 2, levels: ['write', 'metadata_write'] });
    const asked = world.services.get(rest[0] ?? '');
    await world.world.settle(asked?.admin.createIndex(emptyIndex('during', 2)) ?? Promise.reject(new Error('gone')));
    world.world.heal();
    await world.until((s) => world.isWhole(s) && s.metadata.indices.has('during'), 30_000);
  });

  test('hands over when its manager is excluded from voting, which then votes no more', async () => {
    const world = await formed(17);
    const old = managerOf(world);
    const [asked] = [...world.services].filter(([name]) => name !== old).map(([, service]) => service);
    const request = { masterTimeoutMs: 30_000, timeoutMs: 30_000, nodeIds: [], nodeNames: [old] };
    await world.world.settle(asked?.admin.addVotingConfigExclusions(request) ?? Promise.reject(new Error('gone')));
    const oldId = world.services.get(old)?.localNode.id ?? '';
    await world.until((s) => s.clusterManagerId !== null && s.clusterManagerId !== oldId, 30_000);
    for (const name of world.names) {
      expect(world.state(name).metadata.coordination.lastCommittedConfig).not.toContain(oldId);
    }
  });

  test('hands over when its manager is about to end, which is sooner than anybody misses it', async () => {
    const world = await formed(18);
    const old = managerOf(world);
    const service = world.services.get(old);
    const beganMs = world.world.nowMs;
    await world.world.settle(service?.handOver() ?? Promise.reject(new Error('gone')));
    const oldId = service?.localNode.id ?? '';
    await world.until((s) => s.clusterManagerId !== null && s.clusterManagerId !== oldId, 1_000);
    expect(world.world.nowMs - beganMs).toBeLessThan(1_000);
    // It still votes and follows until it ends, and has nothing left to hand over.
    expect(world.state(old).nodes.size).toBe(world.names.length);
    await world.world.settle(service?.handOver() ?? Promise.reject(new Error('gone')));
    await world.world.settle(service?.admin.createIndex(emptyIndex('after', 2)) ?? Promise.reject(new Error('gone')));
    await world.until((s) => world.isWhole(s) && s.metadata.indices.has('after'), 30_000);
  });

  test('stops a node whose log cannot be synced, and goes on without it', async () => {
    const world = await formed(19);
    const victim = world.names.find((name) => name !== managerOf(world)) ?? '';
    world.world.node(victim).setDiskFaults({ syncErrors: 1 });
    const [service] = [...world.services].filter(([name]) => name !== victim).map(([, other]) => other);
    const creation = service?.admin.createIndex({ ...emptyIndex('lib', 1), waitForActiveShards: 0 });
    await world.world.run(() => world.fatal.length > 0);
    expect(world.fatal.map(({ node }) => node)).toEqual([victim]);
    // The owner of the process ends it.
    world.crash(victim);
    world.fatal.length = 0;
    await world.world.settle(creation ?? Promise.reject(new Error('gone')));
    await world.until((s) => s.nodes.size === 2 && s.metadata.indices.has('lib'), 10_000);
  });

  test('goes on without a node whose disk is full, which follows again when there is room', async () => {
    const world = await formed(23);
    const victim = world.names.find((name) => name !== managerOf(world)) ?? '';
    world.world.node(victim).setDiskFaults({ capacityBytes: 1 });
    const [service] = [...world.services].filter(([name]) => name !== victim).map(([, other]) => other);
    const request = { ...emptyIndex('lib', 1), waitForActiveShards: 0, timeoutMs: 1_000 };
    await world.world.settle(service?.admin.createIndex(request) ?? Promise.reject(new Error('gone')));
    // The leader itself applies a state last: when its followers have answered, or after cluster.publish.timeout.
    await world.world.run(world.world.nowMs + 40_000);
    expect(world.fatal).toEqual([]);
    expect(service?.state().metadata.indices.has('lib')).toBe(true);
    expect(world.state(victim).metadata.indices.has('lib')).toBe(false);
    world.world.node(victim).setDiskFaults({ capacityBytes: 2 ** 40 });
    await world.until((s) => world.isWhole(s) && s.metadata.indices.has('lib'), 60_000);
  });

  test.each([
    ['a follower', false],
    ['the cluster manager', true],
  ])('goes on without %s whose disk hangs, within half a minute', async (_who, isManager) => {
    const world = await formed(29);
    const manager = managerOf(world);
    const victim = isManager ? manager : (world.names.find((name) => name !== manager) ?? '');
    const victimId = world.services.get(victim)?.localNode.id ?? '';
    const begun = world.world.nowMs;
    world.world.node(victim).setDiskFaults({ latencyMaxMs: 1e12 });
    // Something has to be written: the state of an index waits for the disk that hangs.
    const [service] = [...world.services].filter(([name]) => name !== victim).map(([, other]) => other);
    service?.admin.createIndex({ ...emptyIndex('lib', 1), waitForActiveShards: 0 }).catch(ignore);
    await world.world.run(() => {
      const state = service?.state();
      return state !== undefined && state.clusterManagerId !== null && !state.nodes.has(victimId);
    });
    expect(world.world.nowMs - begun).toBeLessThan(30_000);
  });

  test('survives crashes of any nodes at any moment: what was acknowledged is there in the end', async () => {
    let total = 0;
    const seeds = seedsToRun(12);
    for (const seed of seeds) {
      const world = await formed(`crashes-${seed}`);
      const acknowledged: string[] = [];
      for (let round = 0; round < 5; round++) {
        const index = `i${round}`;
        const [service] = [...world.services.values()].slice(world.world.random.below(world.services.size));
        const creation = service?.admin.createIndex({ ...emptyIndex(index, 1), waitForActiveShards: 0 });
        creation?.then(({ acknowledged: isAcknowledged }) => {
          if (isAcknowledged) acknowledged.push(index);
        }, ignore);
        await world.world.run(world.world.nowMs + world.world.random.below(20));
        const victims = world.names.filter(() => world.world.random.below(3) === 0);
        for (const name of victims) world.crash(name, world.world.random.below(2) === 0);
        await world.world.run(world.world.nowMs + world.world.random.below(3_000));
        for (const name of victims) await world.restart(name);
        await world.until(world.isWhole, 90_000);
      }
      total += acknowledged.length;
      for (const index of acknowledged) {
        for (const name of world.names)
          expect([name, seed, world.state(name).metadata.indices.has(index)]).toContain(true);
      }
    }
    // One seed alone may be all bad luck.
    if (seeds.length > 1) expect(total).toBeGreaterThan(0);
  }, 600_000);
});

function ignore(): void {
  // A request whose node died has no answer: nothing is known of it, so nothing is expected.
}
