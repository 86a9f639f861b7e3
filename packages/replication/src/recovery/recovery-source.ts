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
import { hasSeqNo } from '../sequence/seq-no-ranges.ts';
import type { ShardOperation } from '../sequence/shard-operation.ts';
import { withoutKey } from '../sequence/without.ts';
import { initiateTracking, markInSync } from '../tracker/replication-tracker.ts';
import { retain, setLease } from './retention-leases.ts';

/** Chunks of files on their way at one time. */
const CHUNKS_IN_FLIGHT_MAX = 2;

type StartRecovery<D> = Extract<CopyRequest<D>, { readonly kind: 'startRecovery' }>;

/** A target asks. Delayed while this node's cluster state does not show it: it may be ahead of this node, or gone. */
export function startRecovery<D>(turn: CopyTurn<D>, replyTo: string, request: StartRecovery<D>): void {
  const { group, term, knownTerm, phase } = turn.state;
  if (turn.state.primary === null) {
    turn.emit({ kind: 'answer', replyTo, response: { kind: 'refused', reason: 'notHere', term: knownTerm } });
    return;
  }
  const { target } = request;
  const assigned = group?.copies.get(target);
  const isExpected = assigned?.state === 'initializing' || !turn.rules.unknownTargetsDelayed;
  if (phase !== 'primary' || request.term !== term || !isExpected || turn.primary.failing.has(target)) {
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
function canSendOperations<D>(turn: CopyTurn<D>, node: string, request: StartRecovery<D>): boolean {
  const { historyUuid, historyFrom, leases } = turn.state;
  const { startingSeqNo } = request;
  if (startingSeqNo === null || startingSeqNo > turn.primary.nextSeqNo) return false;
  if (turn.rules.operationsNeedSameHistory && request.historyUuid !== historyUuid) return false;
  const lease = leases.get(node);
  const isLeased = lease !== undefined && lease.retaining <= startingSeqNo;
  return (isLeased && historyFrom <= startingSeqNo) || !turn.rules.operationsNeedHistory;
}

export function commitAcquired<D>(
  turn: CopyTurn<D>,
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

function sendChunks<D>(turn: CopyTurn<D>, target: AllocationId, recovery: SourceRecovery): void {
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

/** From here on new operations reach the target; then the end of what it must read from the history is looked up. */
function sendOperations<D>(turn: CopyTurn<D>, target: AllocationId, node: string, first: number): void {
  if (turn.rules.trackedBeforeReading) advance(turn, initiateTracking(turn.primary.tracker, target));
  const end = turn.primary.nextSeqNo - 1;
  setRecovery(turn, target, { node, step: { kind: 'operations', next: first, end, request: null } });
  readNext(turn, target);
}

function readNext<D>(turn: CopyTurn<D>, target: AllocationId): void {
  const recovery = turn.primary.recoveries.get(target);
  if (recovery?.step.kind !== 'operations') return;
  const { next, end } = recovery.step;
  if (next > end) {
    finalize(turn, target, recovery);
    return;
  }
  const last = Math.min(end, next + turn.context.operationsPerRequest - 1);
  const job = turn.startJob({ kind: 'recoveryRead', target, first: next, last });
  turn.emit({ kind: 'readHistory', job, first: next, last });
}

export function recoveryHistoryRead<D>(
  turn: CopyTurn<D>,
  { target, first, last }: { readonly target: AllocationId; readonly first: number; readonly last: number },
  operations: readonly ShardOperation<D>[],
): void {
  const recovery = turn.state.primary?.recoveries.get(target);
  if (recovery?.step.kind !== 'operations') return;
  const { term, globalCheckpoint, processed } = turn.state;
  // What is numbered and not executed yet is sent to the target when it is: it is tracked.
  const read = new Set(operations.map(({ seqNo }) => seqNo));
  for (let seqNo = first; seqNo <= last; seqNo++) {
    assert(read.has(seqNo) || !hasSeqNo(processed, seqNo), `operation ${seqNo} is leased and not in the history`);
  }
  const request = turn.state.nextRequest;
  setRecovery(turn, target, { ...recovery, step: { ...recovery.step, next: last + 1, request } });
  sendToCopy(
    turn,
    target,
    { kind: 'replicate', term, globalCheckpoint, operations, trimAbove: null, leases: null },
    null,
  );
}

function finalize<D>(turn: CopyTurn<D>, target: AllocationId, recovery: SourceRecovery): void {
  const { term, globalCheckpoint } = turn.state;
  if (!turn.rules.trackedBeforeReading) advance(turn, initiateTracking(turn.primary.tracker, target));
  setRecovery(turn, target, { ...recovery, step: { kind: 'finalizing' } });
  sendToCopy(turn, target, { kind: 'finalizeRecovery', term, globalCheckpoint }, null);
}

/** The target has answered a request of its recovery. */
export function recoveryAnswered<D>(turn: CopyTurn<D>, target: AllocationId, request: CopyRequest<D>): void {
  const recovery = turn.primary.recoveries.get(target);
  if (recovery === undefined) return;
  const { step, node } = recovery;
  if (request.kind === 'recoveryChunk' && step.kind === 'files') {
    sendChunks(turn, target, { ...recovery, step: { ...step, inFlight: step.inFlight - 1 } });
  } else if (request.kind === 'installFiles' && step.kind === 'installing') {
    sendOperations(turn, target, node, step.commit.through + 1);
  } else if (request.kind === 'replicate' && step.kind === 'operations') {
    readNext(turn, target);
  } else if (request.kind === 'finalizeRecovery' && step.kind === 'finalizing') {
    setRecovery(turn, target, { ...recovery, step: { kind: 'catchingUp' } });
    advance(turn, markInSync(turn.primary.tracker, target, turn.rules));
  } else if (request.kind === 'endRecovery') endRecovery(turn, target);
}

/** Copies that have caught up are told, and tell the cluster manager. */
export function endCaughtUp<D>(turn: CopyTurn<D>): void {
  const { recoveries } = turn.primary;
  for (const [target, recovery] of recoveries) {
    if (recovery.step.kind !== 'catchingUp' || turn.primary.tracker.copies.get(target)?.isInSync !== true) continue;
    setRecovery(turn, target, { ...recovery, step: { kind: 'ending' } });
    sendToCopy(turn, target, { kind: 'endRecovery', term: turn.state.term }, null);
  }
}

/** The target found a file that is not what it should be: either the way has damaged it, or it is damaged here. */
export function filesAreDamaged<D>(turn: CopyTurn<D>, target: AllocationId): void {
  const recovery = turn.primary.recoveries.get(target);
  if (recovery?.step.kind !== 'installing') return;
  setRecovery(turn, target, { ...recovery, step: { kind: 'verifying' } });
  turn.emit({ kind: 'verifyCommit', job: turn.startJob({ kind: 'verify', target }), target });
}

export function commitVerified<D>(turn: CopyTurn<D>, target: AllocationId, isSound: boolean): void {
  if (!isSound && turn.rules.damagedSourceFails) failItself(turn, 'files of the commit are damaged');
  else failCopy(turn, target);
}

function endRecovery<D>(turn: CopyTurn<D>, target: AllocationId): void {
  turn.patchPrimary({ recoveries: withoutKey(turn.primary.recoveries, target) });
}

function setRecovery<D>(turn: CopyTurn<D>, target: AllocationId, recovery: SourceRecovery): void {
  turn.patchPrimary({ recoveries: new Map(turn.primary.recoveries).set(target, recovery) });
}
