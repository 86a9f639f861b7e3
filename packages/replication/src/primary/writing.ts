/**
 * A write on the primary: the engine executes and numbers it, then it is sent to whoever is there by then.
 */
import { assert } from '@shoal/core';
import type { CopyEvent } from '../copy/copy-events.ts';
import type { Job, PendingWrite } from '../copy/copy-state.ts';
import type { CopyTurn } from '../copy/copy-turn.ts';
import type { AllocationId } from '../group/shard-group.ts';
import { operationsExecuted } from '../replica/replicated-operations.ts';
import { hasSeqNo, lacksSeqNos, NO_OPERATIONS, type SeqNoRange } from '../sequence/seq-no-ranges.ts';
import type { ShardOperation } from '../sequence/shard-operation.ts';
import { absentInSync, replicationTargets } from '../tracker/replication-tracker.ts';
import { sendToCopy } from './copy-requests.ts';
import { failCopy } from './failed-copies.ts';
import { copyAnswered, settle } from './pending-writes.ts';

type Write<O extends ShardOperation> = Extract<CopyEvent<O>, { readonly kind: 'write' }>;
type WriteJob = Extract<Job, { readonly kind: 'write' }>;

export function write<O extends ShardOperation>(turn: CopyTurn<O>, event: Write<O>): void {
  const { ticket, activeCopiesMin, waitsForSync } = event;
  const { group } = turn.state;
  const { recoveries, tracker } = turn.primary;
  const active = [...(group?.copies.values() ?? [])].filter(({ state }) => state === 'started').length;
  if (active < activeCopiesMin) {
    turn.reply(ticket, { kind: 'notEnoughActiveCopies', active, wanted: activeCopiesMin });
    return;
  }
  const collects = recoveries.size > 0 || tracker.copies.size > 1 || (group?.copies.size ?? 0) > 1;
  const targets = turn.rules.groupSampledAfterExecution ? null : replicationTargets(tracker);
  const job = turn.startJob({ kind: 'write', ticket, collects, waitsForSync, targets });
  turn.emit({ kind: 'write', job, ticket, collects });
}

/** A write runs whose operations nobody will have: no copy may come that they would have to be sent to. */
export function writesUncollected<O extends ShardOperation>({ state, rules }: CopyTurn<O>): boolean {
  return rules.targetsAwaitCollecting && [...state.jobs.values()].some((job) => job.kind === 'write' && !job.collects);
}

interface Executed<O extends ShardOperation> {
  readonly ranges: readonly SeqNoRange[];
  readonly operations: readonly O[];
  readonly repeated: number;
}

/** The engine has executed the write: where it refused all of it, nothing has a number and nobody need know. */
export function writeExecuted<O extends ShardOperation>(turn: CopyTurn<O>, job: WriteJob, done: Executed<O>): void {
  const { ranges, operations } = done;
  const repeated = job.waitsForSync ? done.repeated : NO_OPERATIONS;
  if (ranges.length === 0) {
    settle(turn, job.ticket, { ranges, repeated, waitingFor: new Set(), absent: new Set(), successful: 1, failed: [] });
    return;
  }
  assertNew(turn, ranges, operations);
  operationsExecuted(turn, ranges);
  replicateWrite(turn, job, { ranges, operations, repeated });
}

function assertNew<O extends ShardOperation>(
  { state }: CopyTurn<O>,
  ranges: readonly SeqNoRange[],
  operations: readonly O[],
): void {
  const { allocationId, term, processed } = state;
  const printed = (): string => JSON.stringify(ranges);
  if (!lacksSeqNos(processed, ranges)) assert(false, `primary ${allocationId} gave ${printed()} again`);
  const numbered = { checkpoint: -1, above: ranges };
  for (const { seqNo, primaryTerm } of operations) {
    if (primaryTerm === term && hasSeqNo(numbered, seqNo)) continue;
    const executed = `${seqNo}/${primaryTerm}`;
    assert(false, `primary ${allocationId} of term ${term} executed ${executed}, and gave ${printed()}`);
  }
}

/** The global checkpoint is taken first, then who is there: a copy that comes in between has read this from the history. */
function replicateWrite<O extends ShardOperation>(
  turn: CopyTurn<O>,
  { ticket, targets: sampled, collects, waitsForSync }: WriteJob,
  { ranges, operations, repeated }: Executed<O>,
): void {
  const { rules } = turn;
  const { globalCheckpoint, term, allocationId } = turn.state;
  const { tracker } = turn.primary;
  const targets = (sampled ?? replicationTargets(tracker)).filter((id) => tracker.copies.has(id));
  assert(
    collects || targets.length === 0 || !rules.targetsAwaitCollecting,
    `${targets} want what ${ticket} did, which nobody has`,
  );
  const absent = rules.absentInSyncMarkedStale ? absentInSync(tracker) : [];
  const answering = rules.everyCopyBeforeAck ? targets : targets.slice(0, 1);
  const pending: PendingWrite = {
    ranges,
    repeated,
    waitingFor: new Set<AllocationId>([allocationId, ...answering, ...absent]),
    absent: new Set(absent),
    successful: 0,
    failed: [],
  };
  settle(turn, ticket, pending);
  if (!(rules.ownSyncBeforeAck && waitsForSync)) copyAnswered(turn, ticket, allocationId);
  const request = {
    kind: 'replicate',
    term,
    globalCheckpoint,
    operations,
    waitsForSync,
    trimAbove: null,
    leases: null,
  } as const;
  for (const to of targets) sendToCopy(turn, to, request, ticket);
  for (const id of absent) failCopy(turn, id);
}
