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
  [['groupSampledAfterExecution'], 'swarm', 1015, 1015],
  [['olderTermsRefused'], 'failover', 338, 338],
  [['newestSeqNoWins'], 'failover', 1, 10],
  [['duplicatesSkipped'], 'swarm', 414, 414],
  [['failedDocumentIsNoOp'], 'swarm', 1, 12],
  [['stepsDown'], 'failover', 161, 161],
  [['managerAwaited'], 'failover', 1, 10],
  // Either alone hides the other: a cluster manager with neither lets a deposed primary take out its successor.
  [['managerRefusesOlderTerms', 'lastInSyncKept'], 'failover', 107, 107],
  [['onlyInSyncPromoted'], 'failover', 1, 20],
  [['termGrowsWithPrimary'], 'failover', 1, 5],
  [['drainedBeforeNewTerm'], 'failover', 1, 100],
  [['termPersisted'], 'failover', 1, 5],
  [['gapsFilled'], 'failover', 1, 40],
  [['resyncs'], 'failover', 1, 40],
  [['resyncKeepsTerms'], 'failover', 1, 20],
  [['laterReplaces'], 'failover', 1304, 1304],
  [['trimsAfterResync'], 'swarm', 256, 256],
  [['rollsBack'], 'failover', 1, 20],
  [['globalCheckpointBeforeRollback'], 'failover', 1, 120],
  [['unconfirmedKept'], 'failover', 1, 60],
  [['unconfirmedNotCounted'], 'failover', 1, 20],
  [['globalCheckpointWaits'], 'failover', 1, 10],
  [['recoveriesEndWithPrimary'], 'failover', 1, 20],
  [['targetDropsTail'], 'failover', 1, 20],
  [['unknownTargetsDelayed'], 'swarm', 496, 496],
  [['operationsNeedSameHistory'], 'forced', 1, 30],
  [['operationsNeedHistory'], 'failover', 1, 30],
  [['forcedBeginsHistory'], 'forced', 1, 30],
  [['safeCommitOnly'], 'failover', 1, 20],
  [['checksumsVerified'], 'failover', 1, 60],
  [['damagedSourceFails'], 'forced', 53, 53],
  [['trackedBeforeReading'], 'swarm', 1, 10],
  [['caughtUpBeforeInSync'], 'swarm', 32, 32],
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
