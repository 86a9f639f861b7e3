/**
 * Whole clusters without one rule of their replication: each must break what lives are checked for. Rules that the product has as
 * switches are switched off where the whole process reads them; those without a switch are methods with another body for a while.
 *
 * Which lives show the loss is said by a condition on their plans, and not by seeds: a seed draws another life with every new fault.
 */
import { ALL_RULES } from '@shoal/replication';
import { AllocationRound } from '../../packages/cluster/src/allocation/allocation-round.ts';
import { RoutingChanges } from '../../packages/cluster/src/allocation/routing-changes.ts';
import { HistoryRetention } from '../../packages/engine/src/shard/history/history-retention.ts';
import { Translog } from '../../packages/engine/src/shard/translog/translog.ts';
import { EngineCopyStore } from '../../packages/shards/src/copy/engine-copy-store.ts';
import { drawPlan } from './drawn-plan.test-support.ts';
import type { FaultKind, LifePlan } from './life-plan.test-support.ts';

export interface ClusterMutant {
  readonly name: string;
  /** Takes the rule out; what it returns puts it back. */
  readonly takeOut: () => () => void;
  /** A life of this plan may show the loss. */
  readonly suits: (plan: LifePlan) => boolean;
  /**
   * One of the first so many suitable lives shows it; 0: none of ten and more was seen to. Lives of one shard alone, of which there are
   * thousands for each of these, do show those rules.
   */
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
  { takeOut, suits }: ClusterMutant,
  livesMax: number,
  live: (plan: LifePlan) => Promise<unknown>,
): Promise<MutantSearch> {
  let lives = 0;
  for (let seed = 1; lives < livesMax; seed++) {
    const plan = drawPlan(seed);
    if (!suits(plan)) continue;
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
    suits: withFaults('copyCut'),
  },
  { name: 'acknowledges before its own sync', within: 8, takeOut: without('ownSyncBeforeAck'), suits: isReplicated },
  {
    name: 'a replica answers before its sync',
    within: 8,
    takeOut: without('replicaSyncBeforeAnswer'),
    suits: withFaults('crash'),
  },
  {
    name: 'acknowledges before the stale mark is committed',
    within: 8,
    takeOut: without('staleMarkBeforeAck'),
    suits: hasLongCut,
  },
  {
    name: 'a copy that is away is not marked stale',
    within: 8,
    takeOut: without('absentInSyncMarkedStale'),
    suits: withFaults('crash'),
  },
  { name: 'does not wait for the cluster manager', within: 16, takeOut: without('managerAwaited'), suits: hasLongCut },
  {
    name: 'a replica takes operations of older terms',
    within: 32,
    takeOut: without('olderTermsRefused', 'stepsDown'),
    suits: withFaults('isolated'),
  },
  {
    name: 'no rollback to the global checkpoint',
    within: 16,
    takeOut: without('rollsBack'),
    suits: withFaults('promotedCrash'),
  },
  {
    name: 'what is above a rollback is dropped',
    within: 0,
    takeOut: without('unconfirmedKept'),
    suits: withFaults('promotedCrash'),
  },
  { name: 'no resync', within: 24, takeOut: without('resyncs'), suits: withFaults('promotedCrash') },
  {
    name: 'a resync gives operations the new term',
    within: 30,
    takeOut: without('resyncKeepsTerms'),
    suits: withFaults('promotedCrash'),
  },
  {
    name: 'a resync does not trim',
    within: 0,
    takeOut: without('trimsAfterResync'),
    suits: withFaults('promotedCrash'),
  },
  { name: 'a target keeps its tail', within: 8, takeOut: without('targetDropsTail'), suits: withFaults('crash') },
  {
    name: 'a target is in sync before it has everything',
    within: 0,
    takeOut: without('caughtUpBeforeInSync'),
    suits: withFaults('move'),
  },
  {
    name: 'the history is read before the target is tracked',
    within: 0,
    takeOut: without('trackedBeforeReading'),
    suits: withFaults('move'),
  },
  {
    name: 'the global checkpoint does not wait for copies that say nothing',
    within: 0,
    takeOut: without('globalCheckpointWaits'),
    suits: withFaults('promotedCrash'),
  },
  {
    name: 'commits are copied that hold what is not agreed',
    within: 0,
    takeOut: without('safeCommitOnly'),
    suits: withFaults('move'),
  },
  {
    name: 'operations of another history are sent',
    within: 0,
    takeOut: without('operationsNeedHistory'),
    suits: withFaults('crash'),
  },
  {
    name: 'writes go on while a primary hands over',
    within: 0,
    takeOut: without('handOffClosesPermits'),
    suits: withFaults('move'),
  },
  {
    name: 'a primary hands over before its writes are on all copies',
    within: 0,
    takeOut: without('handOffAwaitsWrites'),
    suits: withFaults('move'),
  },
  {
    name: 'a primary hands over to a copy that is not in sync',
    within: 8,
    takeOut: without('handOffToInSync'),
    suits: withFaults('move'),
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
    suits: withFaults('crash', 'copyCut'),
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
    suits: withFaults('crash', 'promotedCrash'),
  },
  {
    name: 'a copy says that it has synced and has not',
    within: 8,
    takeOut: replaced(EngineCopyStore.prototype, 'sync', () => () => Promise.resolve()),
    suits: withFaults('crash'),
  },
  {
    name: 'the log is cut ahead of the safe commit',
    within: 8,
    takeOut: replaced(Translog.prototype, 'trimBelow', (original) => {
      return function (this: Translog) {
        return original.call(this, this.generation);
      };
    }),
    suits: (plan) => withFaults('crash')(plan) && plan.mix.flush > 0,
  },
  {
    name: 'what one copy has on disk is agreed',
    within: 24,
    takeOut: replaced(HistoryRetention.prototype, 'globalCheckpoint', () => (persisted) => persisted),
    suits: withFaults('promotedCrash'),
  },
];
