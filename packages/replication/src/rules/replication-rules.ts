/**
 * The rules that keep acknowledged writes, each with a switch, so that tests can take one out and see the loss it prevents.
 *
 * Product code passes `ALL_RULES` and nothing else. A rule that can be taken out without any test failing is either not
 * needed or not tested: the mutation tests beside the simulation keep that list honest.
 */
export interface ReplicationRules {
  /** Acknowledge without a copy only when the cluster manager has committed that it is stale. */
  readonly staleMarkBeforeAck: boolean;
  /** A copy that is in sync and assigned to no node gets nothing: it too must be marked stale before a write is acknowledged. */
  readonly absentInSyncMarkedStale: boolean;
  /** The primary's own sync comes before the acknowledgement. */
  readonly ownSyncBeforeAck: boolean;
  /** Every tracked copy must have answered, not only the first. */
  readonly everyCopyBeforeAck: boolean;
  /** A replica answers with what it has synced. */
  readonly replicaSyncBeforeAnswer: boolean;
  /** Whom an operation is sent to is looked up after it was executed: who came meanwhile read the history before it. */
  readonly groupSampledAfterExecution: boolean;
  /** Replicas refuse primaries of older terms. */
  readonly olderTermsRefused: boolean;
  /** Operations of one document: the highest sequence number wins, in whatever order they come. */
  readonly newestSeqNoWins: boolean;
  /** An operation that the copy already has is not executed again, not even when its tombstone is gone. */
  readonly duplicatesSkipped: boolean;
  /** No copy is brought up while a write runs whose operations are not handed out: it would have to be sent them. */
  readonly targetsAwaitCollecting: boolean;
  /** A confirmed read waits for everything that it may have seen, also for what has a number and is not told yet. */
  readonly readsCountNumbered: boolean;
  /** A primary that hears of a newer one acknowledges nothing more. */
  readonly stepsDown: boolean;
  /** Without a cluster manager a failed copy is waited for. */
  readonly managerAwaited: boolean;
  /** The cluster manager takes failures of copies only from the primary of the current term. */
  readonly managerRefusesOlderTerms: boolean;
  /** The last copy in sync is never marked stale: what is left of the shard would be nobody's. */
  readonly lastInSyncKept: boolean;
  /** Only copies in sync become primary. */
  readonly onlyInSyncPromoted: boolean;
  /** Each primary has a term of its own. */
  readonly termGrowsWithPrimary: boolean;
  /** A new primary waits for the operations that run, and so does a replica that enters a new term. */
  readonly drainedBeforeNewTerm: boolean;
  /** A term is durable before anything is done in it. */
  readonly termPersisted: boolean;
  /** A new primary fills the sequence numbers it does not have with no-ops. */
  readonly gapsFilled: boolean;
  /** A new primary sends what lies above its global checkpoint to all copies. */
  readonly resyncs: boolean;
  /** Operations that are sent again keep the term in which they were first executed. */
  readonly resyncKeepsTerms: boolean;
  /**
   * The log keeps, of two operations with one sequence number, the one that came later, not the one of the higher term: a
   * primary of term 2 may have filled a number with a no-op that the primary of term 3 has an operation of term 1 for.
   */
  readonly laterReplaces: boolean;
  /** After the resync a replica drops operations of older terms above those of the new primary. */
  readonly trimsAfterResync: boolean;
  /** A replica that enters a new term goes back to the global checkpoint. */
  readonly rollsBack: boolean;
  /** It takes the global checkpoint of the new primary first, where that one is higher. */
  readonly globalCheckpointBeforeRollback: boolean;
  /** It keeps the operations above it, for the case that it becomes primary in the middle of the resync. */
  readonly unconfirmedKept: boolean;
  /** What is kept so does not count in its local checkpoint. */
  readonly unconfirmedNotCounted: boolean;
  /** The global checkpoint never goes back, and waits for copies that have not told what they have. */
  readonly globalCheckpointWaits: boolean;
  /** Recoveries from a primary end with it: their targets may have got from it what nobody else has. */
  readonly recoveriesEndWithPrimary: boolean;
  /** A copy that recovers drops what it has above what it knows to be agreed. */
  readonly targetDropsTail: boolean;
  /** The source waits until its own cluster state shows the target. */
  readonly unknownTargetsDelayed: boolean;
  /** Operations alone are sent only to a copy of the same history: numbers mean nothing in another. */
  readonly operationsNeedSameHistory: boolean;
  /** Operations alone are sent only when a lease has kept all that the target lacks. */
  readonly operationsNeedHistory: boolean;
  /** A shard that goes on from a copy that is not in sync begins a new history. */
  readonly forcedBeginsHistory: boolean;
  /** What is copied and what rollbacks begin from holds nothing above the global checkpoint. */
  readonly safeCommitOnly: boolean;
  /** The target checks every file before it takes its place. */
  readonly checksumsVerified: boolean;
  /** A primary whose own files are damaged fails; its targets are not to blame. */
  readonly damagedSourceFails: boolean;
  /** The target is tracked first, then the end of what it reads from the history is looked up. */
  readonly trackedBeforeReading: boolean;
  /** It is in sync when it has reached the global checkpoint, which waits for it. */
  readonly caughtUpBeforeInSync: boolean;
  /** The cluster manager ends the move of a primary only when the primary that is replaced says so, not its target. */
  readonly sourceEndsHandOff: boolean;
  /** A primary executes nothing from the beginning of its hand-off on: nobody could tell what becomes of it. */
  readonly handOffClosesPermits: boolean;
  /** What it has executed is acknowledged before it hands over. */
  readonly handOffAwaitsWrites: boolean;
  /** It hands over only to a copy that is in sync. */
  readonly handOffToInSync: boolean;
}

export const ALL_RULES: ReplicationRules = {
  staleMarkBeforeAck: true,
  absentInSyncMarkedStale: true,
  ownSyncBeforeAck: true,
  everyCopyBeforeAck: true,
  replicaSyncBeforeAnswer: true,
  groupSampledAfterExecution: true,
  olderTermsRefused: true,
  newestSeqNoWins: true,
  duplicatesSkipped: true,
  targetsAwaitCollecting: true,
  readsCountNumbered: true,
  stepsDown: true,
  managerAwaited: true,
  managerRefusesOlderTerms: true,
  lastInSyncKept: true,
  onlyInSyncPromoted: true,
  termGrowsWithPrimary: true,
  drainedBeforeNewTerm: true,
  termPersisted: true,
  gapsFilled: true,
  resyncs: true,
  resyncKeepsTerms: true,
  laterReplaces: true,
  trimsAfterResync: true,
  rollsBack: true,
  globalCheckpointBeforeRollback: true,
  unconfirmedKept: true,
  unconfirmedNotCounted: true,
  globalCheckpointWaits: true,
  recoveriesEndWithPrimary: true,
  targetDropsTail: true,
  unknownTargetsDelayed: true,
  operationsNeedSameHistory: true,
  operationsNeedHistory: true,
  forcedBeginsHistory: true,
  safeCommitOnly: true,
  checksumsVerified: true,
  damagedSourceFails: true,
  trackedBeforeReading: true,
  caughtUpBeforeInSync: true,
  sourceEndsHandOff: true,
  handOffClosesPermits: true,
  handOffAwaitsWrites: true,
  handOffToInSync: true,
};
