/**
 * A copy becomes primary in place: it confirms what it kept, fills what it lacks, and sends the rest of its history to all.
 *
 * Until that is done no write is numbered: permits are closed. The resync runs beside new writes.
 */
import type { CopyTurn } from '../copy/copy-turn.ts';
import type { ShardGroup } from '../group/shard-group.ts';
import { highestSeqNo, missingSeqNos } from '../sequence/seq-no-ranges.ts';
import type { ShardOperation } from '../sequence/shard-operation.ts';
import { replicationTargets, trackerOfGroup } from '../tracker/replication-tracker.ts';
import { sendToCopy } from './copy-requests.ts';
import { ownCheckpointMoved } from './pending-writes.ts';

/** Starts the promotion. No job may run. */
export function promote<O extends ShardOperation>(turn: CopyTurn<O>, group: ShardGroup): void {
  const { allocationId, unconfirmed, globalCheckpoint } = turn.state;
  const term = group.primaryTerm;
  if (turn.rules.termPersisted) turn.emit({ kind: 'persistTerm', term });
  turn.patch({
    phase: 'promoting',
    term,
    knownTerm: term,
    group,
    awaitingSync: [],
    target: null,
    primary: {
      tracker: trackerOfGroup(allocationId, group, globalCheckpoint),
      writes: new Map(),
      reads: new Map(),
      failing: new Map(),
      recoveries: new Map(),
      toldLeases: null,
      handOff: null,
      handOffFromMs: 0,
    },
  });
  beginHistory(turn, group);
  if (unconfirmed.length === 0) lead(turn);
  else turn.emit({ kind: 'confirm', job: turn.startJob({ kind: 'confirm' }) });
}

/** A new shard, or one that goes on without what it had acknowledged, is another lineage: its numbers name other operations. */
function beginHistory<O extends ShardOperation>(turn: CopyTurn<O>, group: ShardGroup): void {
  const { allocationId, historyUuid, term } = turn.state;
  const isForced = group.copies.get(allocationId)?.isForced === true && turn.rules.forcedBeginsHistory;
  if (historyUuid !== null && !isForced) return;
  // Allocation ids are unique, and nobody is primary of a term twice.
  const begun = `${allocationId}/${term}`;
  turn.patch({ historyUuid: begun });
  turn.emit({ kind: 'beginHistory', historyUuid: begun });
}

/** Every number up to the highest gets an operation: a hole would hold the global checkpoint for ever. */
export function lead<O extends ShardOperation>(turn: CopyTurn<O>): void {
  const { term, processed } = turn.state;
  const ranges = turn.rules.gapsFilled ? missingSeqNos(processed, highestSeqNo(processed)) : [];
  turn.emit({ kind: 'lead', job: turn.startJob({ kind: 'lead', ranges }), term });
}

export function openPermits<O extends ShardOperation>(turn: CopyTurn<O>): void {
  const { allocationId, group, term, globalCheckpoint } = turn.state;
  turn.patch({ phase: 'primary' });
  if (group?.copies.get(allocationId)?.state === 'initializing') {
    turn.ask({ kind: 'copyStarted', allocationId, primaryTerm: term });
  }
  ownCheckpointMoved(turn);
  if (!turn.rules.resyncs || replicationTargets(turn.primary.tracker).length === 0) return;
  const last = highestSeqNo(turn.state.processed);
  const job = turn.startJob({ kind: 'resync', last });
  turn.emit({ kind: 'readHistory', job, first: globalCheckpoint + 1, last });
}

/**
 * Sends what lies above the global checkpoint, each operation with the term it was first executed in, so that a history is the
 * same wherever it is. The last request trims.
 */
export function sendHistory<O extends ShardOperation>(
  turn: CopyTurn<O>,
  { number, last }: { readonly number: number; readonly last: number },
  { operations: read, isLast }: { readonly operations: readonly O[]; readonly isLast: boolean },
): void {
  const { term, globalCheckpoint } = turn.state;
  const operations = turn.rules.resyncKeepsTerms ? read : read.map((it) => ({ ...it, primaryTerm: term }));
  const trimAbove = isLast ? last : null;
  const request = {
    kind: 'replicate',
    term,
    globalCheckpoint,
    operations,
    waitsForSync: true,
    trimAbove,
    leases: null,
  } as const;
  for (const to of replicationTargets(turn.primary.tracker)) sendToCopy(turn, to, request, null);
  if (!isLast) turn.emit({ kind: 'readMore', job: number });
}
