/**
 * A whole life of a shard from a seed: faults for some seconds of virtual time, then quiet, then the last look at every copy.
 */
import type { SeededRandom } from '@shoal/simulation';
import { seededRandom } from '@shoal/simulation';
import type { ReplicationRules } from '../rules/replication-rules.ts';
import { drawPlanned, keepMoving } from './moving-copies.test-support.ts';
import { drawAlone, drawFailover, drawFaults, type ShardFaults } from './shard-faults.test-support.ts';
import { ShardWorld, type SimNode } from './shard-world.test-support.ts';

export interface ShardLife {
  readonly acknowledged: number;
  readonly terms: number;
  readonly fileRecoveries: number;
  readonly operationRecoveries: number;
  readonly forced: number;
  /** Moves that came to their end. */
  readonly moved: number;
}

/**
 * `swarm`: all faults, drawn per seed. `failover`: short lives around the loss of one primary and, right after, of the next.
 * `forced`: all copies in sync are away, and one that is not goes on without them. `alone`: a primary without other copies gets
 * one back while it writes slowly, and is lost. `moves`: all faults while copies move between nodes. `planned`: copies move, and
 * nothing fails.
 */
export type LifeKind = 'swarm' | 'failover' | 'forced' | 'alone' | 'moves' | 'planned';

const MANAGER = 'manager';

export function newLife(kind: LifeKind, seed: number, rules: ReplicationRules): ShardWorld {
  const random = seededRandom(`replication/${kind}/${seed}`);
  const nodes = nodesOf(kind, random);
  return new ShardWorld({
    seed: `replication/${kind}/${seed}/world`,
    nodes,
    copies: isMoving(kind) ? random.pick([1, 2, 2, 3].filter((copies) => copies < nodes)) : nodes,
    documents: random.pick([1, 2, 4, 12]),
    faults: faultsOf(kind, random),
    rules,
    isPlanned: kind === 'planned',
  });
}

/** Copies need a free node to move to. */
function isMoving(kind: LifeKind): boolean {
  return kind === 'moves' || kind === 'planned';
}

function nodesOf(kind: LifeKind, random: SeededRandom): number {
  if (kind === 'alone') return 2;
  return kind === 'failover' ? 3 + random.below(2) : random.pick([2, 3, 3, 3, 4]);
}

function faultsOf(kind: LifeKind, random: SeededRandom): ShardFaults {
  if (kind === 'swarm') return drawFaults(random);
  if (kind === 'planned') return drawPlanned(random);
  if (kind === 'moves') return { ...drawFaults(random), handOffMaxMs: random.pick([100, 1_000, 10_000]) };
  return kind === 'alone' ? drawAlone(random) : drawFailover(random);
}

export function liveShard(
  kind: LifeKind,
  seed: number,
  rules: ReplicationRules,
  world: ShardWorld = newLife(kind, seed, rules),
): ShardLife {
  const random = seededRandom(`replication/${kind}/${seed}/nemesis`);
  world.fill();
  const clients = kind !== 'swarm' && kind !== 'moves' ? 3 + random.below(6) : 1 + random.below(4);
  for (let client = 0; client < clients; client++) world.clients.run();
  if (kind === 'failover') failOver(world, random);
  else if (kind === 'forced') forceStale(world, random);
  else if (kind === 'alone') leaveAlone(world, random);
  else {
    if (isMoving(kind)) keepMoving(world, random, 50 + random.unit() * 500);
    if (kind !== 'planned') nemesis(world, random);
    world.runUntil(world.events.nowMs + 1_500 + random.unit() * 3_000);
  }
  world.finish();
  return { acknowledged: world.checker.acknowledged, terms: world.manager.group.primaryTerm, ...world.counts };
}

/** A primary is lost in the middle of writes, and its successor about when it begins to send its history. */
function failOver(world: ShardWorld, random: SeededRandom): void {
  world.runUntil(world.events.nowMs + 40 + random.unit() * 200);
  for (let time = 0; time < 2 + random.below(2); time++) {
    const { primary, primaryTerm, copies } = world.manager.group;
    const node = world.nodes.find(({ id }) => id === copies.get(primary ?? '')?.node);
    if (node === undefined) break;
    // Its last operations reach some copies only.
    const cutOff = world.nodes.filter((it) => it !== node && random.chance(0.4));
    for (const { id } of cutOff) world.network.cut(node.id, id);
    world.runUntil(world.events.nowMs + random.unit() * 60);
    for (const { id } of cutOff) world.network.heal(node.id, id);
    if (random.chance(0.4))
      for (const id of [MANAGER, ...world.nodes.map((it) => it.id)]) world.network.cut(id, node.id);
    else world.crash(node);
    const until = world.events.nowMs + 1_000;
    while (world.manager.group.primaryTerm === primaryTerm && world.events.nowMs < until) {
      world.runUntil(world.events.nowMs + 5);
    }
    world.runUntil(world.events.nowMs + random.unit() ** 2 * 150);
  }
}

/** One node misses writes; then it alone is left, and is told to go on. The others come back with what it never had. */
function forceStale(world: ShardWorld, random: SeededRandom): void {
  const stale = random.pick(world.nodes);
  const others = world.nodes.filter((node) => node !== stale);
  world.runUntil(world.events.nowMs + 20 + random.unit() * 200);
  world.crash(stale);
  world.runUntil(world.events.nowMs + 300 + random.unit() * 600);
  for (const node of others) world.crash(node);
  world.restart(stale);
  world.faults = { ...world.faults, forces: 1 };
  world.runUntil(world.events.nowMs + 600 + random.unit() * 600);
}

/** The other copy is away until the cluster has noticed, and comes back; then the primary's process dies in the middle of it all. */
function leaveAlone(world: ShardWorld, random: SeededRandom): void {
  for (let time = 0; time < 3; time++) {
    world.runUntil(world.events.nowMs + 20 + random.unit() * 100);
    const { primary, copies } = world.manager.group;
    const at = copies.get(primary ?? '')?.node;
    for (const node of world.nodes) if (node.id !== at) world.crash(node);
    const until = world.events.nowMs + 2_000;
    while (world.manager.group.inSync.size > 1 && world.events.nowMs < until) world.runUntil(world.events.nowMs + 5);
    for (const node of world.nodes) world.restart(node);
    world.runUntil(world.events.nowMs + random.unit() * 400);
    const node = world.nodes.find(({ id }) => id === at);
    if (node === undefined || random.chance(0.5)) continue;
    world.crash(node);
    world.runUntil(world.events.nowMs + random.unit() * 300);
    world.restart(node);
  }
}

function nemesis(world: ShardWorld, random: SeededRandom): void {
  const { faults } = world;
  const stops = random.fork('stops');
  repeatedly(world, random, faults.crashEveryMs, () => {
    const victims = random.chance(0.15) ? world.nodes : [victim(world, random)];
    // A second failure while the first one is being mended.
    if (random.chance(0.4)) world.events.after(faults.detectMs + random.unit() * 400, () => strike(world, random));
    const inOrder = stops.chance(0.3);
    for (const node of victims) {
      if (inOrder) world.closeCopy(node);
      else world.crash(node);
    }
    return () => {
      for (const node of victims) {
        if (inOrder) world.crash(node);
        world.restart(node);
      }
    };
  });
  repeatedly(world, random, faults.partitionEveryMs, () => {
    const cuts = drawCuts(world, random);
    for (const [from, to] of cuts) world.network.cut(from, to);
    world.trace(`cut ${cuts.map((it) => it.join('>')).join(' ')}`);
    return () => {
      for (const [from, to] of cuts) world.network.heal(from, to);
    };
  });
  repeatedly(world, random, faults.slowNodeEveryMs, () => {
    const slow = random.pick(world.nodes).id;
    world.slowNodes.add(slow);
    return () => world.slowNodes.delete(slow);
  });
}

function strike(world: ShardWorld, random: SeededRandom): void {
  const node = victim(world, random);
  if (world.clients.isStopped) return;
  world.crash(node);
  world.events.after(world.faults.faultLastsMs * random.unit(), () => world.restart(node));
}

/** Begins a fault again and again, at times around the mean; each ends by itself. */
function repeatedly(world: ShardWorld, random: SeededRandom, everyMs: number, begin: () => () => unknown): void {
  if (everyMs === Number.POSITIVE_INFINITY) return;
  world.events.after(everyMs * (0.3 + random.unit() * 1.4), () => {
    if (world.clients.isStopped) return;
    const end = begin();
    world.events.after(world.faults.faultLastsMs * (0.2 + random.unit() * 1.6), end);
    repeatedly(world, random, everyMs, begin);
  });
}

/** Any node, the one with the primary more often: most rules are about its loss. */
function victim(world: ShardWorld, random: SeededRandom): SimNode {
  const { primary, copies } = world.manager.group;
  const node = primary === null ? undefined : copies.get(primary)?.node;
  return world.nodes.find(({ id }) => id === node && random.chance(0.4)) ?? random.pick(world.nodes);
}

function drawCuts(world: ShardWorld, random: SeededRandom): readonly (readonly [string, string])[] {
  const ids = world.nodes.map(({ id }) => id);
  const everyone = [...ids, MANAGER];
  const one = victim(world, random).id;
  const pair = (a: string, b: string): (readonly [string, string])[] =>
    random.chance(0.4)
      ? [random.chance(0.5) ? [a, b] : [b, a]]
      : [
          [a, b],
          [b, a],
        ];
  switch (random.below(5)) {
    case 4:
      // Deaf: what it says is heard, what it is answered is not.
      return everyone.filter((id) => id !== one).map((id) => [id, one] as const);
    case 0:
      // Out of everything.
      return everyone.filter((id) => id !== one).flatMap((id) => pair(one, id));
    case 1:
      // From the cluster manager alone.
      return pair(one, MANAGER);
    case 2: {
      // Two nodes from one another, which the cluster manager does not see.
      const other = random.pick(ids);
      return other === one ? [] : pair(one, other);
    }
    default: {
      const side = new Set(ids.filter(() => random.chance(0.5)));
      return ids.flatMap((a) => everyone.filter((b) => side.has(a) && !side.has(b)).flatMap((b) => pair(a, b)));
    }
  }
}
