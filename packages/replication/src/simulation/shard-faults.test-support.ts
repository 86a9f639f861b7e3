/**
 * What goes wrong in one life of a shard, drawn from its seed: many lives have some faults switched off entirely.
 */
import type { SeededRandom } from '@shoal/simulation';

export interface ShardFaults {
  readonly latencyMs: () => number;
  readonly engineMs: () => number;
  readonly syncMs: () => number;
  readonly thinkMs: () => number;
  /** Chances of a message, an operation or a call. */
  readonly loss: number;
  readonly duplicate: number;
  readonly syncFails: number;
  readonly tombstoneGc: number;
  readonly engineRefuses: number;
  readonly reads: number;
  readonly conditions: number;
  readonly deletes: number;
  /** Mean times between faults; infinite: never. */
  readonly crashEveryMs: number;
  readonly partitionEveryMs: number;
  readonly slowNodeEveryMs: number;
  /** Mean time until a fault is over. */
  readonly faultLastsMs: number;
  /** Silence after which the cluster manager removes a node. */
  readonly detectMs: number;
  readonly requestTimeoutMs: number;
  /** Limits of the copies, short enough to be reached in one life. */
  readonly resendMaxMs: number;
  readonly operationsPerRequest: number;
  readonly leasePeriodMs: number;
  readonly handOffMaxMs: number;
  /** Chances that a commit is written at a tick, of wrong bytes on the way and on the disk, and of a forced allocation. */
  readonly flush: number;
  readonly corruption: number;
  readonly damage: number;
  readonly forces: number;
  /** Chance that a missing copy is assigned at a tick of the cluster manager. */
  readonly assigns: number;
}

export const CALM: Omit<ShardFaults, 'latencyMs' | 'engineMs' | 'syncMs' | 'thinkMs'> = {
  loss: 0,
  duplicate: 0,
  syncFails: 0,
  tombstoneGc: 0,
  engineRefuses: 0,
  reads: 0,
  conditions: 0,
  deletes: 0,
  crashEveryMs: Number.POSITIVE_INFINITY,
  partitionEveryMs: Number.POSITIVE_INFINITY,
  slowNodeEveryMs: Number.POSITIVE_INFINITY,
  faultLastsMs: 1_000,
  detectMs: 1_500,
  requestTimeoutMs: 400,
  resendMaxMs: 1_000,
  operationsPerRequest: 500,
  leasePeriodMs: 60_000,
  handOffMaxMs: 10_000,
  flush: 0,
  corruption: 0,
  damage: 0,
  forces: 0,
  assigns: 1,
};

export function drawFaults(random: SeededRandom): ShardFaults {
  const latencies = random.fork('latencies');
  const maybe = (chance: number, value: () => number, otherwise: number): number =>
    random.chance(chance) ? value() : otherwise;
  const never = Number.POSITIVE_INFINITY;
  const latencyMax = 1 + random.unit() ** 2 * 60;
  const spike = maybe(0.5, () => 0.02 + random.unit() * 0.1, 0);
  const spikeFactor = 5 + random.below(40);
  const engineMax = random.chance(0.5) ? 1 : 1 + random.unit() * 20;
  const syncMax = 1 + random.unit() ** 2 * 60;
  const thinkMax = 2 + random.unit() * 60;
  return {
    latencyMs: () => (latencies.chance(spike) ? spikeFactor : 1) * (0.2 + latencies.unit() * latencyMax),
    engineMs: () => latencies.unit() * engineMax,
    syncMs: () => 0.5 + latencies.unit() * syncMax,
    thinkMs: () => latencies.unit() * thinkMax,
    loss: maybe(0.6, () => random.unit() ** 2 * 0.3, 0),
    duplicate: maybe(0.6, () => random.unit() * 0.3, 0),
    syncFails: maybe(0.2, () => random.unit() * 0.01, 0),
    tombstoneGc: maybe(0.7, () => random.unit(), 0),
    engineRefuses: maybe(0.3, () => random.unit() * 0.1, 0),
    reads: maybe(0.8, () => random.unit() * 0.5, 0),
    conditions: maybe(0.7, () => random.unit() * 0.6, 0),
    deletes: maybe(0.7, () => random.unit() * 0.4, 0),
    crashEveryMs: maybe(0.8, () => 400 + random.unit() * 4_000, never),
    partitionEveryMs: maybe(0.7, () => 300 + random.unit() * 3_000, never),
    slowNodeEveryMs: maybe(0.4, () => 500 + random.unit() * 3_000, never),
    faultLastsMs: 100 + random.unit() ** 2 * 4_000,
    detectMs: 100 + random.unit() ** 2 * 1_500,
    requestTimeoutMs: 60 + random.unit() * 400,
    resendMaxMs: maybe(0.7, () => 40 + random.unit() * 400, 2_000),
    operationsPerRequest: maybe(0.7, () => 1 + random.below(4), 500),
    leasePeriodMs: maybe(0.5, () => random.unit() * 2_000, 60_000),
    handOffMaxMs: 10_000,
    flush: maybe(0.8, () => random.unit(), 0),
    corruption: maybe(0.3, () => random.unit() * 0.5, 0),
    damage: maybe(0.3, () => random.unit() * 0.5, 0),
    forces: maybe(0.3, () => random.unit(), 0),
    assigns: maybe(0.7, () => random.unit(), 1),
  };
}

/** A network that mostly works, small requests, quick detection: what matters is when the primary is lost. */
export function drawFailover(random: SeededRandom): ShardFaults {
  const never = Number.POSITIVE_INFINITY;
  const [thinks, engine] = [random.fork('thinks'), random.fork('engine')];
  const engineMax = random.pick([1, 10, 30, 120]);
  return {
    ...drawFaults(random),
    thinkMs: () => thinks.unit() * 10,
    engineMs: () => engine.unit() * engineMax,
    loss: random.chance(0.5) ? 0 : random.unit() * 0.2,
    syncFails: 0,
    crashEveryMs: never,
    partitionEveryMs: never,
    slowNodeEveryMs: never,
    detectMs: 50 + random.unit() * 200,
    // An engine that takes longer than its primary waits would never get a copy up.
    requestTimeoutMs: 40 + random.unit() * 100 + (engineMax > 100 ? 400 : 0),
    operationsPerRequest: 1 + random.below(2),
    forces: 0,
  };
}

/** A busy engine that takes long over each write. */
export function drawAlone(random: SeededRandom): ShardFaults {
  const engine = random.fork('slow engine');
  const engineMax = 20 + random.unit() * 150;
  return {
    ...drawFailover(random),
    engineMs: () => engine.unit() * engineMax,
    reads: 0.5,
    conditions: 0.2,
    leasePeriodMs: 60_000,
    requestTimeoutMs: 500,
    resendMaxMs: 2_000,
    assigns: 1,
    corruption: 0,
    damage: 0,
  };
}
