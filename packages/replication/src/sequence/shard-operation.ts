/**
 * One operation of a shard, named by (sequence number, term), and when it changes the document it is for.
 */

/** What this room needs of an operation; the rest is the engine's. */
export interface ShardOperation {
  /** Given by the engine of the primary, consecutive from 0. */
  readonly seqNo: number;
  /** Primary term in which it was first executed; kept when it is sent again by a later primary. */
  readonly primaryTerm: number;
}

/** Sequence number and term of the operation that a document or its tombstone comes from. */
export interface StoredVersion {
  readonly seqNo: number;
  readonly term: number;
}

/**
 * Whether an operation from the primary changes its document. Operations arrive in any order: the one with the highest
 * sequence number wins, on every copy alike.
 */
export function changesDocument(
  stored: StoredVersion | null,
  operation: StoredVersion,
  rules: { readonly newestSeqNoWins: boolean },
): boolean {
  return !rules.newestSeqNoWins || stored === null || operation.seqNo > stored.seqNo;
}

/** Whether a write with `if_seq_no` and `if_primary_term` may go on; `stored` is null for a document that is not there. */
export function meetsCondition(stored: StoredVersion | null, condition: StoredVersion | null): boolean {
  return condition === null || (stored !== null && stored.seqNo === condition.seqNo && stored.term === condition.term);
}

/**
 * Whether an operation that is appended to the log takes the place of the one that has its sequence number there. It does:
 * what a primary sends is its history, and the newest primary's history is the shard's.
 */
export function replacesInLog(
  there: ShardOperation,
  appended: ShardOperation,
  rules: { readonly laterReplaces: boolean },
): boolean {
  return rules.laterReplaces || appended.primaryTerm >= there.primaryTerm;
}
