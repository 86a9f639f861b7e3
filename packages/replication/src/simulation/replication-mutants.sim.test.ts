/**
 * Each rule of the replication is needed: taken out, a life of a shard breaks what must hold; with it, the same life passes. A
 * rule added without a line here fails the last test.
 */
import { describe, expect, test } from 'vitest';
import { ALL_RULES, type ReplicationRules } from '../rules/replication-rules.ts';
import { type LifeKind, liveShard } from './shard-life.test-support.ts';

type Rule = keyof ReplicationRules;

/**
 * Rules taken out together, and the lives that show their loss. From 1: the first within so many seeds. With others only the one
 * life that shows it is lived again here, for it takes hundreds to come upon one.
 */
const MUTANTS: readonly (readonly [readonly Rule[], LifeKind, number, number])[] = [
  [['staleMarkBeforeAck'], 'swarm', 1, 10],
  [['absentInSyncMarkedStale'], 'failover', 1, 5],
  [['ownSyncBeforeAck'], 'swarm', 1, 10],
  [['everyCopyBeforeAck'], 'failover', 1, 10],
  [['replicaSyncBeforeAnswer'], 'failover', 1, 5],
  [['groupSampledAfterExecution'], 'swarm', 1, 20],
  [['olderTermsRefused'], 'swarm', 120, 120],
  [['newestSeqNoWins'], 'failover', 1, 10],
  [['duplicatesSkipped'], 'failover', 1, 20],
  [['targetsAwaitCollecting'], 'alone', 1, 20],
  [['readsCountNumbered'], 'alone', 68, 68],
  [['stepsDown'], 'swarm', 1, 30],
  [['managerAwaited'], 'failover', 1, 10],
  // Either alone hides the other: a cluster manager with neither lets a deposed primary take out its successor.
  [['managerRefusesOlderTerms', 'lastInSyncKept'], 'failover', 85, 85],
  [['onlyInSyncPromoted'], 'forced', 1, 5],
  [['termGrowsWithPrimary'], 'failover', 1, 5],
  [['drainedBeforeNewTerm'], 'failover', 725, 725],
  [['termPersisted'], 'failover', 1, 5],
  [['gapsFilled'], 'failover', 1, 40],
  [['resyncs'], 'failover', 1, 40],
  [['resyncKeepsTerms'], 'failover', 1, 20],
  [['laterReplaces'], 'failover', 191, 191],
  [['trimsAfterResync'], 'swarm', 122, 122],
  [['rollsBack'], 'failover', 1, 20],
  [['globalCheckpointBeforeRollback'], 'swarm', 150, 150],
  [['unconfirmedKept'], 'failover', 1, 60],
  [['unconfirmedNotCounted'], 'failover', 1, 20],
  [['globalCheckpointWaits'], 'failover', 1, 10],
  [['recoveriesEndWithPrimary'], 'failover', 1, 20],
  [['targetDropsTail'], 'failover', 1, 20],
  [['unknownTargetsDelayed'], 'swarm', 3582, 3582],
  [['operationsNeedSameHistory'], 'forced', 1, 30],
  [['operationsNeedHistory'], 'failover', 1, 40],
  [['forcedBeginsHistory'], 'forced', 1, 30],
  [['safeCommitOnly'], 'failover', 1, 20],
  [['checksumsVerified'], 'forced', 214, 214],
  [['damagedSourceFails'], 'forced', 214, 214],
  [['trackedBeforeReading'], 'swarm', 1, 10],
  [['caughtUpBeforeInSync'], 'swarm', 1, 12],
  [['sourceEndsHandOff'], 'planned', 1, 10],
  [['handOffClosesPermits'], 'planned', 1, 10],
  [['handOffAwaitsWrites'], 'planned', 1, 10],
  [['handOffToInSync'], 'planned', 1, 10],
];

describe('a rule taken out of the replication', () => {
  test.each(MUTANTS.filter(([, , first]) => first > 1))(
    '%s: the %s life of seed %i shows nothing with all rules',
    (_, kind, seed) => {
      expect(() => liveShard(kind, seed, ALL_RULES)).not.toThrow();
    },
  );

  test.each(MUTANTS)('%s: a %s life of the seeds %i to %i shows the loss', (rules, kind, first, last) => {
    const left: ReplicationRules = { ...ALL_RULES, ...Object.fromEntries(rules.map((rule) => [rule, false])) };
    expect(() => {
      for (let seed = first; seed <= last; seed++) liveShard(kind, seed, left);
    }).toThrow(/^(?!.*is not a function|.*undefined \(reading)/);
  });

  test('is missed by the list above', () => {
    const covered = new Set(MUTANTS.flatMap(([rules]) => rules));
    expect([...covered].sort()).toEqual(Object.keys(ALL_RULES).sort());
  });
});
