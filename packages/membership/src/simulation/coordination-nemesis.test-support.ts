/**
 * One seed of trouble for a cluster: faults drawn per seed, some of them off, for a while; then everything is healed and the
 * cluster must come together, take a write, and show every write that it has acknowledged.
 */
import type { NodeRole } from '@shoal/cluster-state';
import type { SeededRandom } from '@shoal/simulation';
import { ConsensusViolation } from '../../../consensus/src/simulation/consensus-checker.test-support.ts';
import { agreedLeader, CoordinationCluster, NO_CLUSTER_FAULTS, writesIn } from './coordination-cluster.test-support.ts';

/** Seeds of one run of all tests: some two minutes of work on a quiet machine. */
export const COORDINATION_SEEDS = 400;

/** Virtual milliseconds that a healed cluster may take to agree, and then to commit a write everywhere. */
const CONVERGE_MAX_MS = 60_000;
const WRITE_MAX_MS = 60_000;

/** How often each kind of trouble happens, in mean virtual milliseconds; 0 is never. */
interface Trouble {
  readonly crashMs: number;
  readonly restartMs: number;
  readonly cutMs: number;
  readonly uncutMs: number;
  readonly writeMs: number;
  readonly exclusionMs: number;
  readonly healthMs: number;
  readonly resetMs: number;
  readonly pauseMs: number;
  readonly durationMs: number;
}

export interface SeedReport {
  readonly commits: number;
  readonly writesCommitted: number;
  readonly stoppedCount: number;
  readonly convergedAfterMs: number;
  readonly traceHash: string;
}

export async function runCoordinationSeed(seed: number | string): Promise<SeedReport> {
  const cluster = makeCluster(`coordination/${seed}`);
  try {
    return await runTrouble(cluster);
  } catch (error) {
    if (error instanceof Error) error.message += `\n${cluster.world.logLines.slice(-80).join('\n')}`;
    throw error;
  }
}

function makeCluster(seed: string): CoordinationCluster {
  const eligible = 3 + (hashOf(seed) % 3);
  const ids = Array.from({ length: eligible }, (_, index) => `n${index + 1}`);
  const roles = new Map<string, readonly NodeRole[]>(ids.map((id) => [id, ['cluster_manager', 'data']]));
  if (hashOf(`${seed}/data`) % 3 === 0) roles.set('d1', ['data']);
  return new CoordinationCluster({
    seed,
    roles,
    bootstrap: { kind: 'initialNodes', names: ids },
    settings: {
      publishTimeoutMs: 5_000,
      followerLagTimeoutMs: 15_000,
      followerCheckTimeoutMs: 2_000,
      leaderCheckTimeoutMs: 2_000,
      joinTimeoutMs: 15_000,
    },
  });
}

function hashOf(text: string): number {
  let hash = 17;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 131) + text.charCodeAt(at)) >>> 0;
  return hash >>> 8;
}

async function runTrouble(cluster: CoordinationCluster): Promise<SeedReport> {
  const random = cluster.random.fork('nemesis');
  const trouble = drawTrouble(cluster, random);
  for (const id of cluster.ids) {
    if (random.chance(0.8)) cluster.start(id);
    else cluster.after(random.unit() * 20_000, () => cluster.start(id));
  }
  const every = (meanMs: number, act: () => void): void => {
    if (meanMs === 0) return;
    const again = (): void => {
      if (cluster.world.nowMs >= trouble.durationMs) return;
      act();
      cluster.after(random.unit() * 2 * meanMs, again);
    };
    cluster.after(random.unit() * 2 * meanMs, again);
  };
  const anyone = (): string => random.pick(cluster.ids);
  every(trouble.crashMs, () => cluster.crash(anyone()));
  every(trouble.restartMs, () => cluster.start(anyone()));
  every(trouble.cutMs, () => cutSomething(cluster, random));
  every(trouble.uncutMs, () => cluster.world.heal());
  every(trouble.writeMs, () => {
    const process = cluster.process(anyone());
    if (process !== null) cluster.write(process);
  });
  every(trouble.exclusionMs, () => {
    const process = cluster.process(anyone());
    if (process !== null) cluster.exclude(process, random.chance(0.5) ? [] : [anyone()]);
  });
  every(trouble.healthMs, () => {
    const healthy = random.chance(0.6);
    cluster.process(anyone())?.healthChanged(healthy, 'as the nemesis says');
  });
  every(trouble.resetMs, () => cluster.world.resetConnections(anyone(), anyone()));
  every(trouble.pauseMs, () => cluster.world.node(anyone()).pause(random.unit() ** 2 * 15_000));
  await cluster.run(trouble.durationMs);
  return converge(cluster, trouble.durationMs);
}

function drawTrouble(cluster: CoordinationCluster, random: SeededRandom): Trouble {
  const often = (meanMs: number): number => (random.chance(0.35) ? 0 : meanMs * (0.2 + 2 * random.unit()));
  cluster.world.setNetworkFaults({
    latencyMaxMs: 1 + random.unit() ** 3 * 500,
    spikes: random.chance(0.5) ? 0 : random.unit() ** 2 * 0.3,
    spikeMs: 200 + random.unit() * 2_000,
  });
  cluster.faults = {
    applyMaxMs: 1 + random.unit() ** 3 * 2_000,
    deathIsSeen: random.pick([0, 0.5, 1]),
    cutsReset: random.chance(0.5),
  };
  const disk = {
    latencyMaxMs: 0.1 + random.unit() ** 3 * 20,
    syncErrors: random.chance(0.7) ? 0 : random.unit() * 0.01,
  };
  const work = {
    betweenReadingsMaxMs: random.unit() ** 3 * 2,
    stalls: random.chance(0.5) ? 0 : random.unit() * 0.01,
    stallMs: random.unit() * 500,
  };
  for (const id of cluster.ids) {
    cluster.world.node(id).setDiskFaults(disk);
    cluster.world.node(id).setWorkTimes(work);
  }
  return {
    crashMs: often(8_000),
    restartMs: 1_000 + random.unit() * 8_000,
    cutMs: often(6_000),
    uncutMs: 2_000 + random.unit() * 20_000,
    writeMs: 300 + random.unit() * 2_000,
    exclusionMs: often(15_000),
    healthMs: often(15_000),
    resetMs: often(5_000),
    pauseMs: often(15_000),
    durationMs: 15_000 + random.unit() * 60_000,
  };
}

/** Halves, one alone, the leader alone, one direction, a ring. */
function cutSomething(cluster: CoordinationCluster, random: SeededRandom): void {
  const { ids } = cluster;
  const cutBoth = (a: string, b: string): void => {
    cluster.cut(a, b);
    cluster.cut(b, a);
  };
  const alone = (id: string): void => {
    for (const other of ids) if (other !== id) cutBoth(id, other);
  };
  const kind = random.below(5);
  if (kind === 0) {
    const left = new Set(ids.filter(() => random.chance(0.5)));
    for (const a of left) for (const b of ids) if (!left.has(b)) cutBoth(a, b);
  } else if (kind === 1) alone(random.pick(ids));
  else if (kind === 2) {
    const leader = cluster.alive.find((process) => process.isLeader);
    if (leader !== undefined) alone(leader.id);
  } else if (kind === 3) cluster.cut(random.pick(ids), random.pick(ids));
  else {
    for (const [at, a] of ids.entries()) {
      for (const [other, b] of ids.entries()) {
        const distance = Math.abs(at - other);
        if (distance > 1 && distance < ids.length - 1) cluster.cut(a, b);
      }
    }
  }
}

async function converge(cluster: CoordinationCluster, healedMs: number): Promise<SeedReport> {
  const { world } = cluster;
  world.heal();
  world.setNetworkFaults({ latencyMaxMs: 1, spikes: 0 });
  cluster.faults = NO_CLUSTER_FAULTS;
  for (const id of cluster.ids) {
    world.node(id).setDiskFaults({ latencyMaxMs: 0.2, syncErrors: 0 });
    world.node(id).setWorkTimes({ betweenReadingsMaxMs: 0.1, stalls: 0 });
    cluster.start(id);
  }
  const deadline = healedMs + CONVERGE_MAX_MS;
  const tend = (): void => {
    for (const process of cluster.alive) {
      process.healthChanged(true, 'healed');
      const { votingConfigExclusions } = process.accepted.metadata.coordination;
      if (process.isLeader && votingConfigExclusions.length > 0) cluster.exclude(process, []);
    }
    // A sync that failed as the trouble ended stops its process a moment later.
    for (const id of cluster.ids) cluster.start(id);
    if (world.nowMs < deadline) cluster.after(5_000, tend);
  };
  tend();
  const isWhole = (): boolean => cluster.alive.length === cluster.ids.length && agreedLeader(cluster) !== null;
  demand(await cluster.run(deadline, isWhole), 'no leader that all follow after healing');
  const convergedAfterMs = world.nowMs - healedMs;
  let name = '';
  const written = await cluster.run(world.nowMs + WRITE_MAX_MS, () => {
    const leader = agreedLeader(cluster);
    const last = name === '' ? undefined : cluster.results.get(name);
    // A reconfiguration or a new term may still follow: then the write is tried again.
    if (leader !== null && (last === undefined || (last !== null && last.kind !== 'committed')))
      name = cluster.write(leader);
    return last?.kind === 'committed' && leader?.applied != null && writesIn(leader.applied).has(name);
  });
  demand(written, `write ${name} is ${JSON.stringify(cluster.results.get(name))} after healing`);
  const writesCommitted = checkWrites(cluster, writesIn(agreedLeader(cluster)!.applied!));
  const { stoppedCount, checker } = cluster;
  return { commits: checker.commitCount, writesCommitted, stoppedCount, convergedAfterMs, traceHash: world.traceHash };
}

/** @returns how many writes were acknowledged */
function checkWrites(cluster: CoordinationCluster, present: ReadonlySet<string>): number {
  let writesCommitted = 0;
  for (const [name, result] of cluster.results) {
    if (!name.startsWith('w')) continue;
    if (result?.kind === 'committed') {
      demand(present.has(name), `committed write ${name} is lost`);
      writesCommitted += 1;
    }
    demand(result?.kind !== 'notManager' || !present.has(name), `refused write ${name} is there`);
  }
  return writesCommitted;
}

function demand(condition: boolean, message: string): void {
  if (!condition) throw new ConsensusViolation(message);
}
