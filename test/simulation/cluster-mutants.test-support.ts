/**
 * Whole clusters without one rule of their replication: each must break what lives are checked for. Rules that the product has as
 * switches are switched off where the whole process reads them; those without a switch are methods with another body for a while.
 *
 * Which lives show the loss is said by a condition on their plans, and not by seeds: a seed draws another life with every new fault. Where
 * the swarm rarely draws together what breaks a rule, the plans aim at it.
 *
 * Four rules were seen to be missed by no life here (`within: 0`); thousands of lives of one shard alone do show each. What hides them:
 *
 * - A copy without what is above its rollback, or with a tail that a resync did not trim: it hears of a new term by a request that brings
 *   the operations with it, so that its primary must die within a few milliseconds; and writes that come afterwards take the numbers of a tail.
 * - A target in sync before it has everything: its start goes through the cluster manager, which takes longer than the syncs that it lacks.
 * - Commits that hold what is not agreed: a copy that returns drops its tail or gets files, and goes back to no commit of its own.
 */
import { ALL_RULES } from '@shoal/replication';
import type { SeededRandom } from '@shoal/simulation';
import { AllocationRound } from '../../packages/cluster/src/allocation/allocation-round.ts';
import { RoutingChanges } from '../../packages/cluster/src/allocation/routing-changes.ts';
import { HistoryRetention } from '../../packages/engine/src/shard/history/history-retention.ts';
import { Translog } from '../../packages/engine/src/shard/translog/translog.ts';
import { EngineCopyStore } from '../../packages/shards/src/copy/engine-copy-store.ts';
import { type Aim, aimedPlan, FIRST_SHARD, STROKE_MS } from './aimed-plan.test-support.ts';
import { drawPlan } from './drawn-plan.test-support.ts';
import type { CopyVictim, Fault, FaultKind, LifePlan, PlannedFault } from './life-plan.test-support.ts';

export interface ClusterMutant {
  readonly name: string;
  /** Takes the rule out; what it returns puts it back. */
  readonly takeOut: () => () => void;
  /** The plan of a life that may show the loss; null: that of this seed cannot. */
  readonly planOf: (seed: number) => LifePlan | null;
  /** One of the first so many suitable lives shows it; 0: none was seen to. */
  readonly within: number;
}

export interface MutantSearch {
  /** Suitable lives that were lived. */
  readonly lives: number;
  /** Seed and failure of the life that showed the loss; null: none did. */
  readonly caught: { readonly seed: number; readonly error: unknown } | null;
}

/**
 * Lives the first so many suitable plans without the rule, until one of them fails.
 *
 * @throws what fails with all rules
 */
export async function searchMutant(
  { takeOut, planOf }: ClusterMutant,
  livesMax: number,
  live: (plan: LifePlan) => Promise<unknown>,
): Promise<MutantSearch> {
  let lives = 0;
  for (let seed = 1; lives < livesMax; seed++) {
    const plan = planOf(seed);
    if (plan === null) continue;
    lives += 1;
    const error = await failureWithout(takeOut, () => live(plan));
    if (error === null) continue;
    const anyway = await failureWithout(
      () => () => undefined,
      () => live(plan),
    );
    // What fails with all rules says nothing of one of them.
    if (anyway !== null) throw new Error(`seed ${seed} fails with all rules`, { cause: anyway });
    return { lives, caught: { seed, error } };
  }
  return { lives, caught: null };
}

async function failureWithout(takeOut: ClusterMutant['takeOut'], live: () => Promise<unknown>): Promise<unknown> {
  const putBack = takeOut();
  try {
    await live();
    return null;
  } catch (error) {
    return error;
  } finally {
    putBack();
  }
}

type Rule = keyof typeof ALL_RULES;

/** All nodes of a simulated world are in one process and read the same rules. */
function without(...rules: readonly Rule[]): () => () => void {
  const shared = ALL_RULES as { -readonly [Name in Rule]: boolean };
  return () => {
    for (const rule of rules) shared[rule] = false;
    return () => {
      for (const rule of rules) shared[rule] = true;
    };
  };
}

/** Another body for a method. */
function replaced<T extends object, Name extends keyof T>(type: T, name: Name, body: (original: T[Name]) => T[Name]) {
  return () => {
    const original = type[name];
    type[name] = body(original);
    return () => {
      type[name] = original;
    };
  };
}

/** Plans of the swarm for which the condition holds. No index is closed: nobody writes to one that is. */
const drawn =
  (suits: (plan: LifePlan) => boolean) =>
  (seed: number): LifePlan | null => {
    const plan = drawPlan(seed);
    const open = { ...plan, faults: plan.faults.filter(({ fault }) => fault.kind !== 'closedIndex') };
    return suits(open) ? open : null;
  };

const aimed =
  (aim: Aim) =>
  (seed: number): LifePlan =>
    aimedPlan(seed, aim);

const atOnce = (fault: Fault): PlannedFault => ({ atMs: 0, lastsMs: STROKE_MS, fault });
const copyOf = (copy: CopyVictim['copy']): CopyVictim => ({ ...FIRST_SHARD, copy });
const crashOf = (copy: CopyVictim['copy']): Fault => ({ kind: 'crash', nodes: [copyOf(copy)], silent: false });
const moveOf = (copy: CopyVictim['copy']): Fault => ({ kind: 'move', copy: copyOf(copy) });

const movedPrimary = (): readonly PlannedFault[] => [atOnce(moveOf('primary'))];
const crashedCopy = (random: SeededRandom): readonly PlannedFault[] => [
  atOnce(crashOf(random.pick(['primary', 'replica']))),
];
/** Some other copy crashes at times, so that what the target lacks is missed. */
const movedReplica = (random: SeededRandom): readonly PlannedFault[] =>
  random.chance(0.7) ? [atOnce(moveOf('replica'))] : crashedCopy(random);
/** The target is slower than the cluster manager, which hears that it has started. */
const movedToSlowDisk = (random: SeededRandom): readonly PlannedFault[] => [
  atOnce({ kind: 'slowDisk', node: random.below(2), latencyMaxMs: 400 }),
  atOnce(moveOf('replica')),
];
/** The copy that leads next reads its history slowly, and crashes when others have heard of its term. */
const crashedSlowSuccessor = (random: SeededRandom): readonly PlannedFault[] => [
  { atMs: 0, lastsMs: 6_000, fault: { kind: 'slowDisk', node: copyOf('replica'), latencyMaxMs: 400 } },
  {
    atMs: 1_000,
    lastsMs: STROKE_MS,
    fault: { kind: 'promotedCrash', ...FIRST_SHARD, delayMs: random.below(400), silent: false },
  },
];
/** A primary flushes what its replica has not heard of, and crashes. */
const crashedFlusher = (): readonly PlannedFault[] => [
  { atMs: 0, lastsMs: 2_500, fault: { kind: 'copyCut', ...FIRST_SHARD } },
  { atMs: 2_000, lastsMs: STROKE_MS, fault: crashOf('primary') },
];
/** While a replica is away a new one gets files that begin behind its end, and becomes primary. */
const returnedToYounger = (): readonly PlannedFault[] => [
  { atMs: 0, lastsMs: 12_000, fault: crashOf('replica') },
  { atMs: 2_000, lastsMs: 0, fault: { kind: 'replicaCount', index: 0, replicas: 2 } },
  { atMs: 8_000, lastsMs: 16_000, fault: crashOf('primary') },
  { atMs: 26_000, lastsMs: 0, fault: { kind: 'replicaCount', index: 0, replicas: 1 } },
];

function isReplicated({ indices }: LifePlan): boolean {
  return indices[0] !== undefined && indices[0].replicas > 0;
}

/** Copies of the first index, and these classes of faults. */
const withFaults =
  (...kinds: readonly FaultKind[]) =>
  (plan: LifePlan): boolean =>
    isReplicated(plan) && kinds.every((kind) => plan.faults.some(({ fault }) => fault.kind === kind));

/** Longer than a primary waits for a copy before it says that it has failed. */
const GIVEN_UP_AFTER_MS = 400_000;

function hasLongCut(plan: LifePlan): boolean {
  return (
    isReplicated(plan) &&
    plan.faults.some(
      ({ fault, lastsMs }) => fault.kind === 'copyCut' && fault.index === 0 && lastsMs > GIVEN_UP_AFTER_MS,
    )
  );
}

export const CLUSTER_MUTANTS: readonly ClusterMutant[] = [
  {
    name: 'acknowledges when the first copy answered',
    within: 8,
    takeOut: without('everyCopyBeforeAck'),
    planOf: drawn(withFaults('copyCut')),
  },
  {
    name: 'acknowledges before its own sync',
    within: 8,
    takeOut: without('ownSyncBeforeAck'),
    planOf: drawn(isReplicated),
  },
  {
    name: 'a replica answers before its sync',
    within: 8,
    takeOut: without('replicaSyncBeforeAnswer'),
    planOf: drawn(withFaults('crash')),
  },
  {
    name: 'acknowledges before the stale mark is committed',
    within: 8,
    takeOut: without('staleMarkBeforeAck'),
    planOf: drawn(hasLongCut),
  },
  {
    name: 'a copy that is away is not marked stale',
    within: 8,
    takeOut: without('absentInSyncMarkedStale'),
    planOf: drawn(withFaults('crash')),
  },
  {
    name: 'does not wait for the cluster manager',
    within: 16,
    takeOut: without('managerAwaited'),
    planOf: drawn(hasLongCut),
  },
  {
    name: 'a replica takes operations of older terms',
    within: 32,
    takeOut: without('olderTermsRefused', 'stepsDown'),
    planOf: drawn(withFaults('isolated')),
  },
  {
    name: 'no rollback to the global checkpoint',
    within: 16,
    takeOut: without('rollsBack'),
    planOf: drawn(withFaults('promotedCrash')),
  },
  {
    name: 'what is above a rollback is dropped',
    within: 0,
    takeOut: without('unconfirmedKept'),
    planOf: aimed({ replicas: 2, stroke: crashedSlowSuccessor, everyMs: 12_000 }),
  },
  { name: 'no resync', within: 24, takeOut: without('resyncs'), planOf: drawn(withFaults('promotedCrash')) },
  {
    name: 'a resync gives operations the new term',
    within: 30,
    takeOut: without('resyncKeepsTerms'),
    planOf: drawn(withFaults('promotedCrash')),
  },
  {
    name: 'a resync does not trim',
    within: 0,
    takeOut: without('trimsAfterResync'),
    planOf: drawn(withFaults('promotedCrash')),
  },
  {
    name: 'a target keeps its tail',
    within: 8,
    takeOut: without('targetDropsTail'),
    planOf: drawn(withFaults('crash')),
  },
  {
    name: 'a target is in sync before it has everything',
    within: 0,
    takeOut: without('caughtUpBeforeInSync'),
    planOf: aimed({ replicas: 1, stroke: movedToSlowDisk }),
  },
  {
    name: 'the history is read before the target is tracked',
    within: 6,
    takeOut: without('trackedBeforeReading'),
    planOf: aimed({ replicas: 1, stroke: movedReplica, diskLatencyMaxMs: 30 }),
  },
  {
    name: 'the global checkpoint does not wait for copies that say nothing',
    within: 6,
    takeOut: without('globalCheckpointWaits'),
    planOf: aimed({ replicas: 1, stroke: crashedCopy, diskLatencyMaxMs: 30 }),
  },
  {
    name: 'commits are copied that hold what is not agreed',
    within: 0,
    takeOut: without('safeCommitOnly'),
    planOf: aimed({ replicas: 1, stroke: crashedFlusher, mix: { flush: 6 } }),
  },
  {
    name: 'operations of another history are sent',
    // Seen in the second life; these are long, and so not for the quick search.
    within: 16,
    takeOut: without('operationsNeedHistory'),
    planOf: aimed({ replicas: 1, stroke: returnedToYounger, everyMs: 30_000, mix: { flush: 4 } }),
  },
  {
    name: 'writes go on while a primary hands over',
    within: 6,
    takeOut: without('handOffClosesPermits'),
    planOf: aimed({ replicas: 1, stroke: movedPrimary, diskLatencyMaxMs: 30 }),
  },
  {
    name: 'a primary hands over before its writes are on all copies',
    within: 6,
    takeOut: without('handOffAwaitsWrites'),
    planOf: aimed({ replicas: 1, stroke: movedPrimary, diskLatencyMaxMs: 30 }),
  },
  {
    name: 'a primary hands over to a copy that is not in sync',
    within: 8,
    takeOut: without('handOffToInSync'),
    planOf: drawn(withFaults('move')),
  },
  {
    name: 'a stale mark is forgotten',
    within: 8,
    takeOut: replaced(RoutingChanges.prototype, 'setInSync', (original) => {
      return function (this: RoutingChanges, name, shard, allocationIds) {
        const before = this.index(name).inSyncAllocations[shard] ?? [];
        original.call(this, name, shard, [...new Set([...before, ...allocationIds])]);
      };
    }),
    planOf: drawn(withFaults('crash', 'copyCut')),
  },
  {
    name: 'a primary comes from whatever lies on a disk',
    within: 8,
    takeOut: replaced(AllocationRound.prototype, 'storeOn', (original) => {
      return function (this: AllocationRound, copy, node) {
        const found = original.call(this, copy, node);
        const [inSync] = this.changes.index(copy.index).inSyncAllocations[copy.shard] ?? [];
        return typeof found === 'string' && copy.isPrimary ? (inSync ?? found) : found;
      };
    }),
    planOf: drawn(withFaults('crash', 'promotedCrash')),
  },
  {
    name: 'a copy says that it has synced and has not',
    within: 8,
    takeOut: replaced(EngineCopyStore.prototype, 'sync', () => () => Promise.resolve()),
    planOf: drawn(withFaults('crash')),
  },
  {
    name: 'the log is cut ahead of the safe commit',
    within: 48,
    takeOut: replaced(Translog.prototype, 'trimBelow', (original) => {
      return function (this: Translog) {
        return original.call(this, this.generation);
      };
    }),
    planOf: drawn((plan) => withFaults('crash')(plan) && plan.mix.flush > 0),
  },
  {
    name: 'what one copy has on disk is agreed',
    within: 24,
    takeOut: replaced(HistoryRetention.prototype, 'globalCheckpoint', () => (persisted) => persisted),
    planOf: drawn(withFaults('promotedCrash')),
  },
];
