/**
 * A write on the primary: number, execute, then send to whoever is there by then.
 */
import type { CopyEvent } from '../copy/copy-events.ts';
import type { Job, PendingWrite } from '../copy/copy-state.ts';
import type { CopyTurn } from '../copy/copy-turn.ts';
import type { AllocationId } from '../group/shard-group.ts';
import { operationsExecuted } from '../replica/replicated-operations.ts';
import { rangesOf } from '../sequence/seq-no-ranges.ts';
import type { ShardOperation } from '../sequence/shard-operation.ts';
import { absentInSync, replicationTargets } from '../tracker/replication-tracker.ts';
import { sendToCopy } from './copy-requests.ts';
import { failCopy } from './failed-copies.ts';
import { copyAnswered, settle } from './pending-writes.ts';

type Write<D> = Extract<CopyEvent<D>, { readonly kind: 'write' }>;
type WriteJob<D> = Extract<Job<D>, { readonly kind: 'write' }>;

export function write<D>(turn: CopyTurn<D>, { ticket, documents, activeCopiesMin }: Write<D>): void {
  const { group, term } = turn.state;
  const active = [...(group?.copies.values() ?? [])].filter(({ state }) => state === 'started').length;
  if (active < activeCopiesMin) {
    turn.reply(ticket, { kind: 'notEnoughActiveCopies', active, wanted: activeCopiesMin });
    return;
  }
  const { nextSeqNo, tracker } = turn.primary;
  const operations = documents.map((document, at) => ({ seqNo: nextSeqNo + at, term, document }));
  turn.patchPrimary({ nextSeqNo: nextSeqNo + documents.length });
  const targets = turn.rules.groupSampledAfterExecution ? null : replicationTargets(tracker);
  const job = turn.startJob({ kind: 'write', ticket, operations, targets });
  turn.emit({ kind: 'execute', job, origin: 'primary', operations });
}

/** The engine has executed the write; what it refused becomes a no-op, for its sequence number must not be missing anywhere. */
export function writeExecuted<D>(
  turn: CopyTurn<D>,
  number: number,
  job: WriteJob<D>,
  done: { readonly operations: readonly ShardOperation<D>[]; readonly failed: readonly number[] },
): void {
  const executed = new Map(done.operations.map((operation) => [operation.seqNo, operation]));
  const failed = new Set(done.failed);
  const known = job.operations.map((operation) => executed.get(operation.seqNo) ?? operation);
  if (failed.size > 0 && turn.rules.failedDocumentIsNoOp) {
    const operations = known.map((it) => (failed.has(it.seqNo) ? { ...it, document: null } : it));
    const next = turn.startJob({ ...job, operations });
    const noOps = operations.filter(({ seqNo }) => failed.has(seqNo));
    // What was executed so far is in the log of the first job.
    if (executed.size > 0) operationsExecuted(turn, number, rangesOf([...executed.keys()]));
    turn.emit({ kind: 'execute', job: next, origin: 'primary', operations: noOps });
    return;
  }
  const operations = known.filter(({ seqNo }) => !failed.has(seqNo));
  operationsExecuted(turn, number, rangesOf(executed.size > 0 ? [...executed.keys()] : []));
  replicateWrite(turn, { ...job, operations });
}

/** The global checkpoint is taken first, then who is there: a copy that comes in between has read this from the history. */
function replicateWrite<D>(turn: CopyTurn<D>, job: WriteJob<D>): void {
  const { rules } = turn;
  const { globalCheckpoint, term, allocationId } = turn.state;
  const { tracker } = turn.primary;
  const { ticket, operations } = job;
  const targets = (job.targets ?? replicationTargets(tracker)).filter((id) => tracker.copies.has(id));
  const absent = rules.absentInSyncMarkedStale ? absentInSync(tracker) : [];
  const answering = rules.everyCopyBeforeAck ? targets : targets.slice(0, 1);
  const write: PendingWrite<D> = {
    operations,
    ranges: rangesOf(operations.map(({ seqNo }) => seqNo)),
    waitingFor: new Set<AllocationId>([allocationId, ...answering, ...absent]),
    successful: 0,
    failed: [],
  };
  settle(turn, ticket, write);
  if (!rules.ownSyncBeforeAck) copyAnswered(turn, ticket, allocationId);
  const request = { kind: 'replicate', term, globalCheckpoint, operations, trimAbove: null, leases: null } as const;
  for (const to of targets) sendToCopy(turn, to, request, ticket);
  for (const id of absent) failCopy(turn, id);
}
