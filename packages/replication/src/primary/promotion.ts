/**
 * A copy becomes primary in place: it confirms what it kept, fills what it lacks, and sends the rest of its history to all.
 *
 * Until that is done no write is numbered: permits are closed. The resync runs beside new writes.
 */
import type { CopyTurn } from '../copy/copy-turn.ts';
import type { ShardGroup } from '../group/shard-group.ts';
import { addSeqNos, highestSeqNo, missingSeqNos } from '../sequence/seq-no-ranges.ts';
import type { ShardOperation } from '../sequence/shard-operation.ts';
import { replicationTargets, trackerOfGroup } from '../tracker/replication-tracker.ts';
import { sendToCopy } from './copy-requests.ts';
import { ownCheckpointMoved } from './pending-writes.ts';

/** Starts the promotion. No job may run. */
export function promote<D>(turn: CopyTurn<D>, group: ShardGroup): void {
  const { allocationId, processed, unconfirmed, globalCheckpoint } = turn.state;
  const term = group.primaryTerm;
  if (turn.rules.termPersisted) turn.emit({ kind: 'persistTerm', term });
  const all = addSeqNos(processed, unconfirmed);
  turn.patch({
    phase: 'promoting',
    term,
    knownTerm: term,
    group,
    awaitingSync: [],
    primary: {
      nextSeqNo: highestSeqNo(all) + 1,
      tracker: trackerOfGroup(allocationId, group, globalCheckpoint),
      writes: new Map(),
      reads: new Map(),
      failing: new Set(),
      recoveries: new Map(),
      toldLeases: null,
    },
  });
  beginHistory(turn, group);
  if (unconfirmed.length === 0) fillGaps(turn);
  else turn.emit({ kind: 'confirm', job: turn.startJob({ kind: 'confirm' }) });
}

/** A new shard, or one that goes on without what it had acknowledged, is another lineage: its numbers name other operations. */
function beginHistory<D>(turn: CopyTurn<D>, group: ShardGroup): void {
  const { allocationId, historyUuid, term } = turn.state;
  const isForced = group.copies.get(allocationId)?.isForced === true && turn.rules.forcedBeginsHistory;
  if (historyUuid !== null && !isForced) return;
  // Allocation ids are unique, and nobody is primary of a term twice.
  const begun = `${allocationId}/${term}`;
  turn.patch({ historyUuid: begun });
  turn.emit({ kind: 'beginHistory', historyUuid: begun });
}

/** Every number up to the highest gets an operation: a hole would hold the global checkpoint for ever. */
export function fillGaps<D>(turn: CopyTurn<D>): void {
  const { term, processed } = turn.state;
  const gaps = turn.rules.gapsFilled ? missingSeqNos(processed, turn.primary.nextSeqNo - 1) : [];
  if (gaps.length === 0) {
    openPermits(turn);
    return;
  }
  const operations: ShardOperation<D>[] = [];
  for (const { first, last } of gaps) {
    for (let seqNo = first; seqNo <= last; seqNo++) operations.push({ seqNo, term, document: null });
  }
  const job = turn.startJob({ kind: 'execute', ranges: gaps, purpose: 'gaps' });
  turn.emit({ kind: 'execute', job, origin: 'primary', operations });
}

export function openPermits<D>(turn: CopyTurn<D>): void {
  const { allocationId, group, term, globalCheckpoint } = turn.state;
  turn.patch({ phase: 'primary' });
  if (group?.copies.get(allocationId)?.state === 'initializing') {
    turn.ask({ kind: 'copyStarted', allocationId, primaryTerm: term });
  }
  ownCheckpointMoved(turn);
  if (!turn.rules.resyncs || replicationTargets(turn.primary.tracker).length === 0) return;
  const last = turn.primary.nextSeqNo - 1;
  const job = turn.startJob({ kind: 'resync', last });
  turn.emit({ kind: 'readHistory', job, first: globalCheckpoint + 1, last });
}

/**
 * Sends what lies above the global checkpoint, each operation with the term it was first executed in, so that a history is the
 * same wherever it is. The last request trims.
 */
export function sendHistory<D>(turn: CopyTurn<D>, history: readonly ShardOperation<D>[], last: number): void {
  const { term, globalCheckpoint } = turn.state;
  const read = turn.rules.resyncKeepsTerms ? history : history.map((operation) => ({ ...operation, term }));
  for (const to of replicationTargets(turn.primary.tracker)) {
    let at = 0;
    do {
      const operations = read.slice(at, at + turn.context.operationsPerRequest);
      at += turn.context.operationsPerRequest;
      const trimAbove = at >= read.length ? last : null;
      sendToCopy(turn, to, { kind: 'replicate', term, globalCheckpoint, operations, trimAbove, leases: null }, null);
    } while (at < read.length);
  }
}
