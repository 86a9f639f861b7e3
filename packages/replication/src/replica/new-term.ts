/**
 * A replica meets the primary of a higher term: it goes back to what is agreed, and takes the rest from the new primary.
 *
 * What is above the global checkpoint may differ from the new primary's history. It stays on disk, unconfirmed: should the new
 * primary die before it has sent its history, this copy may become primary, and then an operation that was acknowledged may
 * be here and nowhere else.
 */
import { assert } from '@shoal/core';
import type { CopyState } from '../copy/copy-state.ts';
import type { CopyTurn } from '../copy/copy-turn.ts';
import {
  addSeqNos,
  hasSeqNos,
  highestSeqNo,
  NO_OPERATIONS,
  removeRange,
  seqNosAbove,
  seqNosThrough,
} from '../sequence/seq-no-ranges.ts';
import type { ShardOperation } from '../sequence/shard-operation.ts';

/**
 * Enters the term of a request. No job may run.
 *
 * The global checkpoint is the request's where that is higher. A term that is only heard of from a cluster state must not be
 * entered: going back to the older checkpoint known here would leave a gap that the new primary, whose own is higher, never
 * sends.
 */
export function enterTerm<O extends ShardOperation>(
  turn: CopyTurn<O>,
  term: number,
  primarysGlobalCheckpoint: number,
): void {
  const { state, rules } = turn;
  assert(term > state.term, `copy ${state.allocationId} enters term ${term} from ${state.term}`);
  assert(state.jobs.size === 0 || !rules.drainedBeforeNewTerm, `${state.jobs.size} jobs run into term ${term}`);
  if (rules.termPersisted) turn.emit({ kind: 'persistTerm', term });
  // Who waits for an answer is the old primary, which must not get one any more.
  turn.patch({ term, knownTerm: Math.max(term, state.knownTerm), awaitingSync: [] });
  if (!rules.rollsBack) return;
  const to = rules.globalCheckpointBeforeRollback
    ? Math.max(state.globalCheckpoint, primarysGlobalCheckpoint)
    : state.globalCheckpoint;
  if (to !== state.globalCheckpoint) turn.emit({ kind: 'keepGlobalCheckpoint', globalCheckpoint: to });
  turn.patch({ globalCheckpoint: to });
  if (highestHere(state) > to || state.persisted.checkpoint < to) rollBack(turn, to);
}

function rollBack<O extends ShardOperation>(turn: CopyTurn<O>, to: number): void {
  const { state, rules } = turn;
  const everything = addSeqNos(state.processed, state.unconfirmed);
  assert(
    to < 0 || hasSeqNos(everything, [{ first: 0, last: to }]),
    `copy ${state.allocationId} goes back to ${to} and lacks operations below it, its checkpoint is ${everything.checkpoint}`,
  );
  const agreed = seqNosThrough(to);
  turn.patch({
    unconfirmed: rules.unconfirmedKept ? seqNosAbove(everything, to) : [],
    unsynced: [],
    ...(rules.unconfirmedNotCounted ? { processed: agreed, persisted: agreed } : {}),
  });
  turn.emit({ kind: 'rollback', job: turn.startJob({ kind: 'rollback' }), to, drops: !rules.unconfirmedKept });
}

/** End of a resync: what an older primary gave above the new one's history is nowhere else, and goes. */
export function trimAbove<O extends ShardOperation>(turn: CopyTurn<O>, above: number): void {
  if (!turn.rules.trimsAfterResync) return;
  const { term, unconfirmed } = turn.state;
  turn.emit({ kind: 'trim', above, belowTerm: term });
  turn.patch({ unconfirmed: removeRange(unconfirmed, { first: above + 1, last: Number.MAX_SAFE_INTEGER }) });
}

function highestHere<O extends ShardOperation>({ processed, unconfirmed }: CopyState<O>): number {
  return Math.max(highestSeqNo(processed), unconfirmed.at(-1)?.last ?? NO_OPERATIONS);
}
