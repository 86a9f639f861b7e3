/**
 * Draws the plan of a life from its seed by the swarm method: which classes of faults there are, and how often, is drawn per seed, so
 * that many lives are full of one kind and free of another.
 */
import { type SeededRandom, seededRandom } from '@shoal/simulation';
import type {
  ClientMix,
  CopyVictim,
  Fault,
  FaultKind,
  LifePlan,
  PlannedFault,
  ShardPlace,
  Victim,
} from './life-plan.test-support.ts';

/** Chance that a class of faults is there in a life. */
const CLASS_CHANCE = 0.35;
const FAULTS_MAX = 60;
const CLOSINGS_MAX = 12;
/** A pause is over before others give up on the machine, or long after. */
const PAUSE_MS_MAX = 120_000;
const CALLS_PER_LIFE = 160;
/** Clients that are refused everything show little. */
const CLOSED_MS_MAX = 15_000;

/** Everything that `Fault` names, with the draw of one. */
export const CLASSES: Readonly<Record<FaultKind, (random: SeededRandom, nodes: number, indices: number) => Fault>> = {
  halves: (random, nodes) => ({ kind: 'halves', left: someOf(random, nodes) }),
  isolated: (random, nodes) => ({ kind: 'isolated', node: victim(random, nodes) }),
  ring: () => ({ kind: 'ring' }),
  bridge: (random, nodes) => ({ kind: 'bridge', node: random.below(nodes) }),
  oneWay: (random, nodes) => ({ kind: 'oneWay', from: victim(random, nodes), to: random.below(nodes) }),
  managerCut: (random, nodes) => ({ kind: 'managerCut', node: victim(random, nodes) }),
  copyCut: (random) => ({ kind: 'copyCut', ...place(random) }),
  promotedCrash: (random) => ({
    kind: 'promotedCrash',
    ...place(random),
    delayMs: Math.round(random.unit() ** 3 * 1_000),
    silent: random.chance(0.4),
  }),
  move: (random) => ({ kind: 'move', copy: copyVictim(random) }),
  reset: (random, nodes) => ({ kind: 'reset', from: random.below(nodes), to: random.below(nodes) }),
  spikes: (random) => ({ kind: 'spikes', chance: random.unit() ** 2 * 0.3, spikeMs: 100 + random.unit() * 2_000 }),
  crash: (random, nodes) => ({ kind: 'crash', nodes: crashed(random, nodes), silent: random.chance(0.4) }),
  pause: (random, nodes) => ({ kind: 'pause', node: victim(random, nodes) }),
  slowDisk: (random, nodes) => ({
    kind: 'slowDisk',
    node: victim(random, nodes),
    latencyMaxMs: 10 + random.unit() ** 2 * 1_000,
  }),
  failingSyncs: (random, nodes) => ({ kind: 'failingSyncs', node: victim(random, nodes), chance: someChance(random) }),
  failingWrites: (random, nodes) => ({
    kind: 'failingWrites',
    node: victim(random, nodes),
    chance: someChance(random),
  }),
  failingReads: (random, nodes) => ({ kind: 'failingReads', node: victim(random, nodes), chance: someChance(random) }),
  fullDisk: (random, nodes) => ({
    kind: 'fullDisk',
    node: victim(random, nodes),
    bytesLeft: random.below(2) * random.below(20_000),
  }),
  wallClock: (random, nodes) => ({
    kind: 'wallClock',
    node: random.below(nodes),
    jumpMs: Math.round((random.unit() - 0.5) * 7_200_000),
  }),
  rollingRestart: (random, nodes) => ({ kind: 'rollingRestart', node: random.below(nodes) }),
  replicaCount: (random, nodes, indices) => ({
    kind: 'replicaCount',
    index: random.below(indices),
    replicas: random.below(Math.min(3, nodes)),
  }),
  closedIndex: (random, _, indices) => ({ kind: 'closedIndex', index: random.below(indices) }),
};

/** A primary gives up on a copy that it cannot reach after some six minutes. */
const LONG_CUT_MS_MIN = 400_000;
const longAtTimes = (random: SeededRandom, wanted: number): number =>
  random.chance(0.4) ? LONG_CUT_MS_MIN * (1 + random.unit() / 2) : wanted;

/** How long a fault of these classes lasts, where that is not as long as those of others. */
const LASTING: Partial<Record<FaultKind, (random: SeededRandom, wanted: number) => number>> = {
  pause: (_, wanted) => Math.min(PAUSE_MS_MAX, wanted),
  closedIndex: (_, wanted) => Math.min(CLOSED_MS_MAX, wanted),
  copyCut: longAtTimes,
  managerCut: longAtTimes,
};

export const FAULT_KINDS: readonly FaultKind[] = Object.keys(CLASSES) as FaultKind[];

export function drawPlan(seed: number | string): LifePlan {
  const random = seededRandom(`whole cluster/${seed}`);
  const nodes = random.pick([3, 3, 3, 4, 5]);
  const indices = Array.from({ length: 1 + random.below(2) }, (_, at) => ({
    name: `i${at}`,
    shards: random.pick([1, 1, 1, 2, 3]),
    replicas: random.pick([0, 1, 1, 1, 2]),
  }));
  const faultsMs = Math.round(60_000 + random.unit() ** 2 * (random.chance(0.2) ? 1_000_000 : 540_000));
  const clients = 1 + random.below(5);
  const patience = random.fork('patience');
  const spikes = random.chance(0.5) ? 0 : random.unit() ** 2 * 0.1;
  return {
    seed,
    nodes,
    indices,
    documents: random.pick([1, 2, 4, 8]),
    clients,
    thinkMs: (faultsMs * clients) / CALLS_PER_LIFE,
    patienceMs: patience.pick([1_000, 10_000, 60_000]),
    lateAnswers: patience.chance(0.7),
    bursts: true,
    mix: drawMix(random.fork('mix')),
    quietMs: random.pick([1_000, 10_000]),
    faultsMs,
    network: {
      latencyMinMs: 0.1,
      latencyMaxMs: 1 + random.unit() ** 3 * 200,
      spikes,
      spikeMs: 200 + random.unit() * 1_000,
    },
    diskLatencyMaxMs: 0.1 + random.unit() ** 3 * 10,
    work: {
      betweenReadingsMaxMs: random.unit() ** 3,
      stalls: random.chance(0.6) ? 0 : random.unit() * 0.01,
      stallMs: random.unit() * 500,
    },
    faults: drawFaults(random.fork('faults'), { nodes, indices: indices.length, faultsMs }),
  };
}

function drawFaults(
  random: SeededRandom,
  { nodes, indices, faultsMs }: { readonly nodes: number; readonly indices: number; readonly faultsMs: number },
): readonly PlannedFault[] {
  const planned: PlannedFault[] = [];
  const lastsMeanMs = 1_000 + random.unit() ** 2 * 60_000;
  for (const kind of FAULT_KINDS) {
    const own = random.fork(kind);
    if (!own.chance(CLASS_CHANCE)) continue;
    const everyMs = 5_000 + own.unit() ** 2 * faultsMs;
    for (let atMs = everyMs * own.unit(); atMs < faultsMs; atMs += everyMs * (0.2 + 1.6 * own.unit())) {
      const fault = CLASSES[kind](own, nodes, indices);
      const wanted = lastsMeanMs * (0.1 + 1.9 * own.unit());
      const lastsMs = LASTING[kind]?.(own, wanted) ?? wanted;
      planned.push({ atMs: Math.round(atMs), lastsMs: Math.round(Math.min(lastsMs, faultsMs - atMs)), fault });
    }
  }
  planned.sort((a, b) => a.atMs - b.atMs);
  // Closings come on top: a plan without them is one that the swarm draws as well.
  const isClosing = ({ fault }: PlannedFault): boolean => fault.kind === 'closedIndex';
  const others = planned.filter((one) => !isClosing(one)).slice(0, FAULTS_MAX);
  const closings = planned.filter(isClosing).slice(0, CLOSINGS_MAX);
  return [...others, ...closings].sort((a, b) => a.atMs - b.atMs);
}

function drawMix(random: SeededRandom): ClientMix {
  const weight = (usual: number): number => (random.chance(0.25) ? 0 : usual * (0.2 + 1.8 * random.unit()));
  return {
    // Somebody must write, whatever else is drawn.
    index: 2 + random.unit() * 4,
    create: weight(1),
    update: weight(1),
    delete: weight(1),
    conditional: weight(4),
    bulk: weight(2),
    get: weight(2),
    search: weight(1.5),
    scroll: weight(0.3),
    refresh: weight(0.5),
    flush: weight(0.3),
    sideIndex: weight(0.2),
  };
}

function someOf(random: SeededRandom, nodes: number): readonly number[] {
  const all = Array.from({ length: nodes }, (_, at) => at);
  const chosen = all.filter(() => random.chance(0.5));
  return chosen.length === 0 || chosen.length === nodes ? [random.below(nodes)] : chosen;
}

function victim(random: SeededRandom, nodes: number): Victim {
  if (random.chance(0.25)) return 'manager';
  return random.chance(0.4) ? copyVictim(random) : random.below(nodes);
}

/** Most strokes fall on one shard: what breaks a rule of its copies is several in a row. */
function place(random: SeededRandom): ShardPlace {
  return random.chance(0.8) ? { index: 0, shard: 0 } : { index: random.below(2), shard: random.below(3) };
}

function copyVictim(random: SeededRandom): CopyVictim {
  return { ...place(random), copy: random.pick(['primary', 'replica']) };
}

function crashed(random: SeededRandom, nodes: number): readonly Victim[] {
  if (random.chance(0.1)) return Array.from({ length: nodes }, (_, at) => at);
  return random.chance(0.2) ? someOf(random, nodes) : [victim(random, nodes)];
}

/** Rare failures are met deep inside, certain ones at the door. */
function someChance(random: SeededRandom): number {
  return random.chance(0.2) ? 1 : random.unit() ** 3;
}
