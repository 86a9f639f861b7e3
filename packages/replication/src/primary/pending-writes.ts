/**
 * Writes of a primary between their execution and their acknowledgement, and what advances when a copy tells how far it is.
 *
 * An acknowledgement means: every copy that was in sync has the write on disk, or is committed to be out.
 */
import type { PendingWrite } from '../copy/copy-state.ts';
import type { CopyTurn } from '../copy/copy-turn.ts';
import type { AllocationId } from '../group/shard-group.ts';
import { hasSeqNos } from '../sequence/seq-no-ranges.ts';
import type { ShardOperation } from '../sequence/shard-operation.ts';
import { withoutItem, withoutKey } from '../sequence/without.ts';
import {
  advanceGlobalCheckpoint,
  checkpointsTold,
  type ReplicationTracker,
  removeCopy,
} from '../tracker/replication-tracker.ts';

/** A copy has the operations of this write. */
export function copyAnswered<O extends ShardOperation>(turn: CopyTurn<O>, ticket: string, copy: AllocationId): void {
  const write = turn.primary.writes.get(ticket);
  if (write === undefined || !write.waitingFor.has(copy)) return;
  settle(turn, ticket, { ...write, successful: write.successful + 1, waitingFor: withoutItem(write.waitingFor, copy) });
}

/**
 * No write waits for this copy any more.
 *
 * @param hasFailed it lacks what it was waited for: a failure of the writes that it was sent, and not of those that found it without a
 *                  node
 */
export function countOut<O extends ShardOperation>(turn: CopyTurn<O>, copy: AllocationId, hasFailed: boolean): void {
  for (const [ticket, write] of turn.primary.writes) {
    if (!write.waitingFor.has(copy)) continue;
    settle(turn, ticket, {
      ...write,
      failed: hasFailed && !write.absent.has(copy) ? [...write.failed, copy] : write.failed,
      waitingFor: withoutItem(write.waitingFor, copy),
    });
  }
}

/** What this primary has synced: its own writes may be complete, and the global checkpoint higher. */
export function ownCheckpointMoved<O extends ShardOperation>(turn: CopyTurn<O>): void {
  const { allocationId, persisted, globalCheckpoint } = turn.state;
  for (const [ticket, write] of turn.primary.writes) {
    if (hasSeqNos(persisted, write.ranges)) copyAnswered(turn, ticket, allocationId);
  }
  toldCheckpoints(turn, allocationId, { localCheckpoint: persisted.checkpoint, globalCheckpoint });
}

export function toldCheckpoints<O extends ShardOperation>(
  turn: CopyTurn<O>,
  copy: AllocationId,
  told: { readonly localCheckpoint: number; readonly globalCheckpoint: number },
): void {
  advance(turn, checkpointsTold(turn.primary.tracker, copy, told));
}

export function takeOut<O extends ShardOperation>(turn: CopyTurn<O>, copy: AllocationId): void {
  advance(turn, removeCopy(turn.primary.tracker, copy));
}

/** Advances the global checkpoint with a tracker that has changed, and answers the reads and writes that waited for it. */
export function advance<O extends ShardOperation>(turn: CopyTurn<O>, changed: ReplicationTracker): void {
  const tracker = advanceGlobalCheckpoint(changed, turn.rules);
  const { globalCheckpoint } = tracker;
  if (globalCheckpoint !== turn.state.globalCheckpoint) {
    turn.patch({ globalCheckpoint });
    turn.emit({ kind: 'keepGlobalCheckpoint', globalCheckpoint });
  }
  turn.patchPrimary({ tracker });
  for (const [ticket, write] of turn.primary.writes) {
    if (write.waitingFor.size === 0 && write.repeated <= globalCheckpoint) settle(turn, ticket, write);
  }
  const { reads } = turn.primary;
  for (const [ticket, seqNo] of reads) {
    if (seqNo === null || seqNo > globalCheckpoint) continue;
    turn.patchPrimary({ reads: withoutKey(turn.primary.reads, ticket) });
    turn.reply(ticket, { kind: 'readConfirmed' });
  }
}

/** Keeps a write, or acknowledges it when it waits for nobody. */
export function settle<O extends ShardOperation>(turn: CopyTurn<O>, ticket: string, write: PendingWrite): void {
  const { writes } = turn.primary;
  if (write.waitingFor.size > 0 || write.repeated > turn.state.globalCheckpoint) {
    turn.patchPrimary({ writes: new Map(writes).set(ticket, write) });
    return;
  }
  turn.patchPrimary({ writes: withoutKey(writes, ticket) });
  const { successful, failed } = write;
  turn.reply(ticket, { kind: 'acknowledged', successful, failed });
}
