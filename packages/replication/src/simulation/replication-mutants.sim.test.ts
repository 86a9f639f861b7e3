/**
 * Each rule of the replication is needed: taken out, a life of a shard breaks what must hold; with it, the same life passes. A
 * rule added without a line here fails the last test.
 */
import { describe, expect, test } from 'vitest';
import { ALL_RULES, type ReplicationRules } from '../rules/replication-rules.ts';
import { type LifeKind, liveShard } from './shard-life.test-support.ts';

type Rule = keyof ReplicationRules;

/** Rules taken out together, the lives that show their loss soonest, and how many of those it may take. */
const MUTANTS: readonly (readonly [readonly Rule[], LifeKind, number])[] = [
  [['staleMarkBeforeAck'], 'failover', 20],
  [['absentInSyncMarkedStale'], 'failover', 20],
  [['ownSyncBeforeAck'], 'failover', 20],
  [['everyCopyBeforeAck'], 'failover', 20],
  [['replicaSyncBeforeAnswer'], 'failover', 20],
  [['olderTermsRefused'], 'failover', 150],
  [['newestSeqNoWins'], 'failover', 100],
  [['duplicatesSkipped'], 'swarm', 400],
  [['failedDocumentIsNoOp'], 'failover', 150],
  [['stepsDown'], 'failover', 300],
  [['managerAwaited'], 'failover', 50],
  // Either alone keeps the other from mattering; a cluster manager with neither lets a deposed primary take out its successor.
  [['managerRefusesOlderTerms', 'lastInSyncKept'], 'failover', 400],
  [['onlyInSyncPromoted'], 'failover', 200],
  [['termGrowsWithPrimary'], 'failover', 20],
  [['drainedBeforeNewTerm'], 'failover', 400],
  [['termPersisted'], 'failover', 20],
  [['gapsFilled'], 'failover', 150],
  [['resyncs'], 'failover', 20],
  [['resyncKeepsTerms'], 'failover', 20],
  [['laterReplaces'], 'failover', 500],
  [['trimsAfterResync'], 'failover', 700],
  [['rollsBack'], 'failover', 200],
  [['globalCheckpointBeforeRollback'], 'failover', 300],
  [['unconfirmedKept'], 'failover', 400],
  [['unconfirmedNotCounted'], 'failover', 20],
  [['globalCheckpointWaits'], 'failover', 20],
];

describe('a rule taken out of the replication', () => {
  test.each(MUTANTS)('%s: %s lives show the loss within %i seeds', (rules, kind, seeds) => {
    const left: ReplicationRules = { ...ALL_RULES, ...Object.fromEntries(rules.map((rule) => [rule, false])) };
    expect(() => {
      for (let seed = 1; seed <= seeds; seed++) liveShard(kind, seed, left);
    }).toThrow(/^(?!.*is not a function|.*undefined \(reading)/);
  });

  test('is missed by the list above', () => {
    const covered = new Set(MUTANTS.flatMap(([rules]) => rules));
    expect([...covered].sort()).toEqual(Object.keys(ALL_RULES).sort());
  });
});
