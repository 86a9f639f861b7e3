/** Moves of copies in the life of a shard: of the primary more often than of others, some of them cancelled on the way. */
import type { SeededRandom } from '@shoal/simulation';
import { CALM, type ShardFaults } from './shard-faults.test-support.ts';
import type { ShardWorld } from './shard-world.test-support.ts';

/** Nothing fails: all that happens to writes is that copies move. */
export function drawPlanned(random: SeededRandom): ShardFaults {
  const latencies = random.fork('latencies');
  const slowest = (): number => 1 + random.unit() ** 2 * 30;
  const [latencyMax, engineMax, syncMax, thinkMax] = [slowest(), slowest(), slowest(), slowest()];
  return {
    ...CALM,
    latencyMs: () => 0.2 + latencies.unit() * latencyMax,
    engineMs: () => latencies.unit() * engineMax,
    syncMs: () => 0.5 + latencies.unit() * syncMax,
    thinkMs: () => latencies.unit() * thinkMax,
    requestTimeoutMs: 5_000,
    resendMaxMs: 60_000,
    reads: random.unit() * 0.3,
    conditions: random.unit() * 0.5,
    deletes: random.unit() * 0.3,
    tombstoneGc: random.unit(),
    operationsPerRequest: random.pick([1, 3, 500]),
    flush: random.unit(),
  };
}

/** Begins moves until the clients stop. */
export function keepMoving(world: ShardWorld, random: SeededRandom, everyMs: number): void {
  world.events.after(everyMs * (0.3 + random.unit() * 1.4), () => {
    if (world.clients.isStopped) return;
    moveOne(world, random);
    keepMoving(world, random, everyMs);
  });
}

function moveOne(world: ShardWorld, random: SeededRandom): void {
  const { manager } = world;
  const { primary, copies } = manager.group;
  const taken = new Set([...copies.values()].map(({ node }) => node));
  const free = world.nodes.filter(({ id, isAlive, joined, incarnation }) => {
    return !taken.has(id) && isAlive && joined === incarnation;
  });
  const started = [...copies].filter(([, { state }]) => state === 'started').map(([id]) => id);
  if (free.length === 0 || started.length === 0) return;
  const id = primary !== null && random.chance(0.5) ? primary : random.pick(started);
  const { id: node } = random.pick(free);
  if (!manager.move(id, node)) return;
  world.trace(`manager: ${id} moves to ${node}`);
  if (!random.chance(0.2)) return;
  world.events.after(random.unit() * 300, () => {
    const target = [...manager.group.copies].find(([, copy]) => copy.replaces === id)?.[0];
    if (target !== undefined) manager.cancelMove(target);
  });
}
