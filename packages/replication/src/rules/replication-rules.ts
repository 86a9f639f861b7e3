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
  /** Replicas refuse primaries of older terms. */
  readonly olderTermsRefused: boolean;
  /** Operations of one document: the highest sequence number wins, in whatever order they come. */
  readonly newestSeqNoWins: boolean;
  /** An operation that the copy already has is not executed again, not even when its tombstone is gone. */
  readonly duplicatesSkipped: boolean;
  /** A document that fails in the engine after it got its sequence number becomes a no-op on every copy. */
  readonly failedDocumentIsNoOp: boolean;
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
}

export const ALL_RULES: ReplicationRules = {
  staleMarkBeforeAck: true,
  absentInSyncMarkedStale: true,
  ownSyncBeforeAck: true,
  everyCopyBeforeAck: true,
  replicaSyncBeforeAnswer: true,
  olderTermsRefused: true,
  newestSeqNoWins: true,
  duplicatesSkipped: true,
  failedDocumentIsNoOp: true,
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
};
