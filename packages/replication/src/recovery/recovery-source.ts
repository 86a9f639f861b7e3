/**
 * The source of a recovery: the primary brings a new copy up to where it tracks it, and counts it in sync when it has reached
 * the global checkpoint.
 */
import { assert } from '@shoal/core';
import { failItself } from '../copy/closing.ts';
import type { CopyRequest } from '../copy/copy-messages.ts';
import type { CopyTurn } from '../copy/copy-turn.ts';
import type { SafeCommit, SourceRecovery } from '../copy/recovery-state.ts';
import type { AllocationId } from '../group/shard-group.ts';
import { sendToCopy } from '../primary/copy-requests.ts';
import { failCopy } from '../primary/failed-copies.ts';
import { advance } from '../primary/pending-writes.ts';
import { writesUncollected } from '../primary/writing.ts';
import { highestSeqNo, rangesOf, removeRange, seqNosAbove } from '../sequence/seq-no-ranges.ts';
import type { ShardOperation } from '../sequence/shard-operation.ts';
import { withoutKey } from '../sequence/without.ts';
import { initiateTracking, markInSync } from '../tracker/replication-tracker.ts';
import { retain, setLease } from './retention-leases.ts';

/** Chunks of files on their way at one time. */
const CHUNKS_IN_FLIGHT_MAX = 2;

type StartRecovery<O extends ShardOperation> = Extract<CopyRequest<O>, { readonly kind: 'startRecovery' }>;

/** A target asks. Delayed while this node's cluster state does not show it: it may be ahead of this node, or gone. */
export function startRecovery<O extends ShardOperation>(
  turn: CopyTurn<O>,
  replyTo: string,
  request: StartRecovery<O>,
): void {
  const { group, term, knownTerm, phase } = turn.state;
  if (turn.state.primary === null) {
    turn.emit({ kind: 'answer', replyTo, response: { kind: 'refused', reason: 'notHere', term: knownTerm } });
    return;
  }
  const { target } = request;
  const assigned = group?.copies.get(target);
  const isExpected = assigned?.state === 'initializing' || !turn.rules.unknownTargetsDelayed;
  if (
    phase !== 'primary' ||
    request.term !== term ||
    !isExpected ||
    turn.primary.failing.has(target) ||
    writesUncollected(turn)
  ) {
    turn.emit({ kind: 'answer', replyTo, response: { kind: 'delayed' } });
    return;
  }
  turn.emit({ kind: 'answer', replyTo, response: { kind: 'taken' } });
  // Said twice, or said late: the recovery runs, or is over and the cluster state does not show it yet.
  if (turn.primary.recoveries.has(target) || turn.primary.tracker.copies.has(target)) return;
  const node = assigned?.node ?? '';
  if (canSendOperations(turn, node, request)) {
    sendOperations(turn, target, node, request.startingSeqNo ?? 0);
    return;
  }
  setRecovery(turn, target, { node, step: { kind: 'acquiring' } });
  const job = turn.startJob({ kind: 'acquire', target, has: request.files });
  turn.emit({ kind: 'acquireCommit', job, target });
}

/** Only with the same history, and when a lease has kept all of it since: else the target would have gaps for ever. */
function canSendOperations<O extends ShardOperation>(
  turn: CopyTurn<O>,
  node: string,
  request: StartRecovery<O>,
): boolean {
  const { historyUuid, historyFrom, leases } = turn.state;
  const { startingSeqNo } = request;
  if (startingSeqNo === null || startingSeqNo > highestSeqNo(turn.state.processed) + 1) return false;
  if (turn.rules.operationsNeedSameHistory && request.historyUuid !== historyUuid) return false;
  const lease = leases.get(node);
  const isLeased = lease !== undefined && lease.retaining <= startingSeqNo;
  return (isLeased && historyFrom <= startingSeqNo) || !turn.rules.operationsNeedHistory;
}

export function commitAcquired<O extends ShardOperation>(
  turn: CopyTurn<O>,
  job: { readonly target: AllocationId; readonly has: readonly { readonly name: string; readonly checksum: string }[] },
  commit: SafeCommit,
): void {
  const recovery = turn.state.primary?.recoveries.get(job.target);
  if (recovery === undefined) return;
  const { globalCheckpoint } = turn.state;
  assert(
    commit.through <= globalCheckpoint || !turn.rules.safeCommitOnly,
    `a commit through ${commit.through} is no safe one, the global checkpoint is ${globalCheckpoint}`,
  );
  // The engine has all that follows its commits, more than it has promised so far: from now on it is promised.
  turn.patch({ historyFrom: Math.min(turn.state.historyFrom, commit.through + 1) });
  setLease(turn, recovery.node, { retaining: commit.through + 1, awaySinceMs: null });
  retain(turn);
  const there = new Set(job.has.map(({ name, checksum }) => `${name} ${checksum}`));
  const missing = commit.files.filter(({ name, checksum }) => !there.has(`${name} ${checksum}`));
  const waiting = missing.flatMap(({ name, chunks }) =>
    Array.from({ length: chunks }, (_, chunk) => ({ file: name, chunk })),
  );
  sendChunks(turn, job.target, { ...recovery, step: { kind: 'files', commit, waiting, inFlight: 0 } });
}

function sendChunks<O extends ShardOperation>(turn: CopyTurn<O>, target: AllocationId, recovery: SourceRecovery): void {
  const { step } = recovery;
  if (step.kind !== 'files') return;
  const { term, historyUuid } = turn.state;
  const { commit } = step;
  const sent = step.waiting.slice(0, CHUNKS_IN_FLIGHT_MAX - step.inFlight);
  const inFlight = step.inFlight + sent.length;
  if (inFlight === 0) {
    setRecovery(turn, target, { ...recovery, step: { kind: 'installing', commit } });
    assert(historyUuid !== null, `primary ${turn.state.allocationId} has no history`);
    sendToCopy(turn, target, { kind: 'installFiles', term, commit, historyUuid }, null);
    return;
  }
  setRecovery(turn, target, { ...recovery, step: { ...step, waiting: step.waiting.slice(sent.length), inFlight } });
  for (const { file, chunk } of sent) {
    sendToCopy(turn, target, { kind: 'recoveryChunk', term, file, chunk }, null);
  }
}

/** From here on new operations reach the target; what was executed before it reads from the history. */
function sendOperations<O extends ShardOperation>(
  turn: CopyTurn<O>,
  target: AllocationId,
  node: string,
  first: number,
): void {
  if (turn.rules.trackedBeforeReading) advance(turn, initiateTracking(turn.primary.tracker, target));
  const { processed } = turn.state;
  const unread = seqNosAbove(processed, first - 1);
  const last = highestSeqNo(processed);
  if (first > last) {
    finalize(turn, target, node);
    return;
  }
  const job = turn.startJob({ kind: 'recoveryRead', target });
  setRecovery(turn, target, { node, step: { kind: 'operations', job, unread, request: null, isAllRead: false } });
  turn.emit({ kind: 'readHistory', job, first, last });
}

/** A part of the history: whatever it lacks that was executed before the target was tracked comes with another part. */
export function recoveryHistoryRead<O extends ShardOperation>(
  turn: CopyTurn<O>,
  target: AllocationId,
  { operations, isLast: isAllRead }: { readonly operations: readonly O[]; readonly isLast: boolean },
): void {
  const recovery = turn.state.primary?.recoveries.get(target);
  if (recovery?.step.kind !== 'operations') return;
  const { term, globalCheckpoint, nextRequest: request } = turn.state;
  const unread = rangesOf(operations.map(({ seqNo }) => seqNo)).reduce(removeRange, recovery.step.unread);
  assert(!isAllRead || unread.length === 0, `${JSON.stringify(unread)} are leased and not in the history`);
  setRecovery(turn, target, { ...recovery, step: { ...recovery.step, unread, request, isAllRead } });
  sendToCopy(
    turn,
    target,
    { kind: 'replicate', term, globalCheckpoint, operations, waitsForSync: true, trimAbove: null, leases: null },
    null,
  );
}

function partArrived<O extends ShardOperation>(
  turn: CopyTurn<O>,
  target: AllocationId,
  recovery: SourceRecovery,
): void {
  const { step, node } = recovery;
  if (step.kind !== 'operations') return;
  if (step.isAllRead) {
    finalize(turn, target, node);
    return;
  }
  setRecovery(turn, target, { ...recovery, step: { ...step, request: null } });
  turn.emit({ kind: 'readMore', job: step.job });
}

function finalize<O extends ShardOperation>(turn: CopyTurn<O>, target: AllocationId, node: string): void {
  const { term, globalCheckpoint } = turn.state;
  if (!turn.rules.trackedBeforeReading) advance(turn, initiateTracking(turn.primary.tracker, target));
  setRecovery(turn, target, { node, step: { kind: 'finalizing' } });
  sendToCopy(turn, target, { kind: 'finalizeRecovery', term, globalCheckpoint }, null);
}

/** The target has answered a request of its recovery. */
export function recoveryAnswered<O extends ShardOperation>(
  turn: CopyTurn<O>,
  target: AllocationId,
  request: CopyRequest<O>,
): void {
  const recovery = turn.primary.recoveries.get(target);
  if (recovery === undefined) return;
  const { step, node } = recovery;
  if (request.kind === 'recoveryChunk' && step.kind === 'files') {
    sendChunks(turn, target, { ...recovery, step: { ...step, inFlight: step.inFlight - 1 } });
  } else if (request.kind === 'installFiles' && step.kind === 'installing') {
    sendOperations(turn, target, node, step.commit.through + 1);
  } else if (request.kind === 'replicate' && step.kind === 'operations') {
    partArrived(turn, target, recovery);
  } else if (request.kind === 'finalizeRecovery' && step.kind === 'finalizing') {
    setRecovery(turn, target, { ...recovery, step: { kind: 'catchingUp' } });
    advance(turn, markInSync(turn.primary.tracker, target, turn.rules));
  } else if (request.kind === 'endRecovery') endRecovery(turn, target);
}

/** Copies that have caught up are told, and tell the cluster manager. */
export function endCaughtUp<O extends ShardOperation>(turn: CopyTurn<O>): void {
  const { recoveries } = turn.primary;
  for (const [target, recovery] of recoveries) {
    if (recovery.step.kind !== 'catchingUp' || turn.primary.tracker.copies.get(target)?.isInSync !== true) continue;
    setRecovery(turn, target, { ...recovery, step: { kind: 'ending' } });
    sendToCopy(turn, target, { kind: 'endRecovery', term: turn.state.term }, null);
  }
}

/** The target found a file that is not what it should be: either the way has damaged it, or it is damaged here. */
export function filesAreDamaged<O extends ShardOperation>(turn: CopyTurn<O>, target: AllocationId): void {
  const recovery = turn.primary.recoveries.get(target);
  if (recovery?.step.kind !== 'installing') return;
  setRecovery(turn, target, { ...recovery, step: { kind: 'verifying' } });
  turn.emit({ kind: 'verifyCommit', job: turn.startJob({ kind: 'verify', target }), target });
}

export function commitVerified<O extends ShardOperation>(
  turn: CopyTurn<O>,
  target: AllocationId,
  isSound: boolean,
): void {
  if (!isSound && turn.rules.damagedSourceFails) failItself(turn, 'files of the commit are damaged');
  else failCopy(turn, target);
}

function endRecovery<O extends ShardOperation>(turn: CopyTurn<O>, target: AllocationId): void {
  turn.patchPrimary({ recoveries: withoutKey(turn.primary.recoveries, target) });
}

function setRecovery<O extends ShardOperation>(
  turn: CopyTurn<O>,
  target: AllocationId,
  recovery: SourceRecovery,
): void {
  turn.patchPrimary({ recoveries: new Map(turn.primary.recoveries).set(target, recovery) });
}
