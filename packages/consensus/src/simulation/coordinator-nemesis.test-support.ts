/**
 * One seed of trouble for a cluster of coordinators: faults drawn per seed, some of them off, for a while; then everything
 * is healed and the cluster must come together, take a write, and show every write that it has acknowledged.
 */
import type { NodeRole } from '@shoal/protocol';
import type { SeededRandom } from '@shoal/simulation';
import type { NodeId } from '../steps/accepted-state.ts';
import { ALL_RULES } from '../steps/consensus-rules.ts';
import { ConsensusViolation } from './consensus-checker.test-support.ts';
import { agreedLeader, CoordinatorCluster, NO_CLUSTER_FAULTS } from './coordinator-cluster.test-support.ts';

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
  readonly disconnectMs: number;
  readonly durationMs: number;
}

export interface SeedReport {
  readonly commits: number;
  readonly events: number;
  readonly writesCommitted: number;
  readonly convergedAfterMs: number;
  readonly traceHash: number;
}

export function runCoordinatorSeed(seed: number | string): SeedReport {
  const cluster = makeCluster(`coordinator/${seed}`);
  try {
    return runTrouble(cluster);
  } catch (error) {
    if (error instanceof Error) error.message += `\n${cluster.trace.join('\n')}`;
    throw error;
  }
}

function makeCluster(seed: string): CoordinatorCluster {
  const eligible = 3 + (hashOf(seed) % 3);
  const ids = Array.from({ length: eligible }, (_, index) => `n${index + 1}`);
  const roles = new Map<NodeId, readonly NodeRole[]>(ids.map((id) => [id, ['cluster_manager', 'data']]));
  if (hashOf(`${seed}/data`) % 3 === 0) roles.set('d1', ['data']);
  return new CoordinatorCluster({
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
    rules: ALL_RULES,
  });
}

function hashOf(text: string): number {
  let hash = 17;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 131) + text.charCodeAt(at)) >>> 0;
  return hash >>> 8;
}

function runTrouble(cluster: CoordinatorCluster): SeedReport {
  const random = cluster.random.fork('nemesis');
  const trouble = drawTrouble(cluster, random);
  for (const id of cluster.ids) {
    if (random.chance(0.8)) cluster.start(id);
    else cluster.time.after(random.unit() * 20_000, () => cluster.start(id));
  }
  const every = (meanMs: number, act: () => void): void => {
    if (meanMs === 0) return;
    const again = (): void => {
      if (cluster.time.nowMs >= trouble.durationMs) return;
      act();
      cluster.time.after(random.unit() * 2 * meanMs, again);
    };
    cluster.time.after(random.unit() * 2 * meanMs, again);
  };
  const anyone = (): NodeId => random.pick(cluster.ids);
  every(trouble.crashMs, () => cluster.crash(anyone()));
  every(trouble.restartMs, () => cluster.start(anyone()));
  every(trouble.cutMs, () => cutSomething(cluster, random));
  every(trouble.uncutMs, () => cluster.network.uncut());
  every(trouble.writeMs, () => {
    const process = cluster.process(anyone());
    if (process !== null) cluster.write(process);
  });
  every(trouble.exclusionMs, () => exclude(cluster, random));
  every(trouble.healthMs, () => {
    const healthy = random.chance(0.6);
    cluster.process(anyone())?.feed({ kind: 'health', healthy, reason: 'as the nemesis says' });
  });
  every(trouble.disconnectMs, () => {
    const other = cluster.process(anyone());
    if (other === null) return;
    const { id: node, ephemeralId } = other.node;
    cluster.process(anyone())?.feed({ kind: 'nodeDisconnected', node, ephemeralId });
  });
  cluster.run(trouble.durationMs);
  return converge(cluster, trouble.durationMs);
}

function drawTrouble(cluster: CoordinatorCluster, random: SeededRandom): Trouble {
  const often = (meanMs: number): number => (random.chance(0.35) ? 0 : meanMs * (0.2 + 2 * random.unit()));
  cluster.network.faults = {
    loss: random.chance(0.5) ? 0 : random.unit() ** 2 * 0.3,
    duplication: random.chance(0.5) ? 0 : random.unit() * 0.2,
    latencyMaxMs: 1 + random.unit() ** 3 * 500,
    cutsAreSilent: random.chance(0.5),
  };
  cluster.faults = {
    persistMaxMs: 1 + random.unit() ** 3 * 200,
    slowPersist: random.chance(0.6) ? 0 : random.unit() * 0.05,
    applyMaxMs: 1 + random.unit() ** 3 * 2_000,
    deathIsSeen: random.pick([0, 0.5, 1]),
  };
  return {
    crashMs: often(8_000),
    restartMs: 1_000 + random.unit() * 8_000,
    cutMs: often(6_000),
    uncutMs: 2_000 + random.unit() * 20_000,
    writeMs: 300 + random.unit() * 2_000,
    exclusionMs: often(15_000),
    healthMs: often(15_000),
    disconnectMs: often(5_000),
    durationMs: 15_000 + random.unit() * 60_000,
  };
}

/** Halves, one alone, the leader alone, one direction, a ring. */
function cutSomething(cluster: CoordinatorCluster, random: SeededRandom): void {
  const { ids, network } = cluster;
  const cutBoth = (a: NodeId, b: NodeId): void => {
    network.cut(a, b);
    network.cut(b, a);
  };
  const alone = (id: NodeId): void => {
    for (const other of ids) if (other !== id) cutBoth(id, other);
  };
  const kind = random.below(5);
  cluster.note(`cut ${kind}`);
  if (kind === 0) {
    const left = new Set(ids.filter(() => random.chance(0.5)));
    for (const a of left) for (const b of ids) if (!left.has(b)) cutBoth(a, b);
  } else if (kind === 1) alone(random.pick(ids));
  else if (kind === 2) {
    const leader = cluster.alive.find((process) => process.core.mode === 'leader');
    if (leader !== undefined) alone(leader.node.id);
  } else if (kind === 3) network.cut(random.pick(ids), random.pick(ids));
  else {
    for (const [at, a] of ids.entries()) {
      for (const [other, b] of ids.entries()) {
        const distance = Math.abs(at - other);
        if (distance > 1 && distance < ids.length - 1) network.cut(a, b);
      }
    }
  }
}

function exclude(cluster: CoordinatorCluster, random: SeededRandom): void {
  const process = random.pick(cluster.ids.map((id) => cluster.process(id)));
  if (process === null) return;
  const excluded = new Set(random.chance(0.5) ? [] : [random.pick(cluster.ids)]);
  cluster.propose(process, `exclusions at ${cluster.time.nowMs}`, (value) => ({ ...value, excluded }));
}

function converge(cluster: CoordinatorCluster, healedMs: number): SeedReport {
  cluster.note('healed');
  cluster.network.heal();
  cluster.faults = NO_CLUSTER_FAULTS;
  for (const id of cluster.ids) cluster.start(id);
  for (const process of cluster.alive) process.feed({ kind: 'health', healthy: true, reason: 'healed' });
  const deadline = healedMs + CONVERGE_MAX_MS;
  const clear = (): void => {
    for (const process of cluster.alive) {
      if (process.core.mode !== 'leader' || process.acceptedInMemory.value.excluded.size === 0) continue;
      cluster.propose(process, `clear at ${cluster.time.nowMs}`, (value) => ({ ...value, excluded: new Set() }));
    }
    if (cluster.time.nowMs < deadline) cluster.time.after(5_000, clear);
  };
  clear();
  demand(
    cluster.run(deadline, () => agreedLeader(cluster) !== null),
    'no leader that all follow after healing',
  );
  const convergedAfterMs = cluster.time.nowMs - healedMs;
  let name = '';
  const written = cluster.run(cluster.time.nowMs + WRITE_MAX_MS, () => {
    const leader = agreedLeader(cluster);
    const last = name === '' ? undefined : cluster.results.get(name);
    // A reconfiguration or a new term may still follow: then the write is tried again.
    if (leader !== null && (last === undefined || (last !== null && last.kind !== 'committed')))
      name = cluster.write(leader);
    return leader !== null && last?.kind === 'committed' && leader.applied?.state.value.writes.includes(name) === true;
  });
  demand(written, `write ${name} is ${JSON.stringify(cluster.results.get(name))} after healing`);
  const { writes } = agreedLeader(cluster)!.applied!.state.value;
  return { ...checkWrites(cluster, writes), convergedAfterMs };
}

function checkWrites(cluster: CoordinatorCluster, writes: readonly string[]): Omit<SeedReport, 'convergedAfterMs'> {
  const present = new Set(writes);
  demand(present.size === writes.length, 'a write is there twice');
  let writesCommitted = 0;
  for (const [name, result] of cluster.results) {
    if (!name.startsWith('w')) continue;
    if (result?.kind === 'committed') {
      demand(present.has(name), `committed write ${name} is lost`);
      writesCommitted += 1;
    }
    demand(result?.kind !== 'notManager' || !present.has(name), `refused write ${name} is there`);
  }
  const { eventCount: events, traceHash } = cluster;
  return { commits: cluster.checker.commitCount, events, writesCommitted, traceHash };
}

function demand(condition: boolean, message: string): void {
  if (!condition) throw new ConsensusViolation(message);
}
