/**
 * Writes of a primary between their execution and their acknowledgement, and what advances when a copy tells how far it is.
 *
 * An acknowledgement means: every copy that was in sync has the write on disk, or is committed to be out.
 */
import type { PendingWrite } from '../copy/copy-state.ts';
import type { CopyTurn } from '../copy/copy-turn.ts';
import type { AllocationId } from '../group/shard-group.ts';
import { hasSeqNos } from '../sequence/seq-no-ranges.ts';
import { withoutItem, withoutKey } from '../sequence/without.ts';
import {
  advanceGlobalCheckpoint,
  checkpointsTold,
  type ReplicationTracker,
  removeCopy,
} from '../tracker/replication-tracker.ts';

/** A copy has the operations of this write. */
export function copyAnswered<D>(turn: CopyTurn<D>, ticket: string, copy: AllocationId): void {
  const write = turn.primary.writes.get(ticket);
  if (write === undefined || !write.waitingFor.has(copy)) return;
  settle(turn, ticket, { ...write, successful: write.successful + 1, waitingFor: withoutItem(write.waitingFor, copy) });
}

/** No write waits for this copy any more. */
export function countOut<D>(turn: CopyTurn<D>, copy: AllocationId): void {
  for (const [ticket, write] of turn.primary.writes) {
    if (!write.waitingFor.has(copy)) continue;
    settle(turn, ticket, {
      ...write,
      failed: [...write.failed, copy],
      waitingFor: withoutItem(write.waitingFor, copy),
    });
  }
}

/** What this primary has synced: its own writes may be complete, and the global checkpoint higher. */
export function ownCheckpointMoved<D>(turn: CopyTurn<D>): void {
  const { allocationId, persisted, globalCheckpoint } = turn.state;
  for (const [ticket, write] of turn.primary.writes) {
    if (hasSeqNos(persisted, write.ranges)) copyAnswered(turn, ticket, allocationId);
  }
  toldCheckpoints(turn, allocationId, { localCheckpoint: persisted.checkpoint, globalCheckpoint });
}

export function toldCheckpoints<D>(
  turn: CopyTurn<D>,
  copy: AllocationId,
  told: { readonly localCheckpoint: number; readonly globalCheckpoint: number },
): void {
  advance(turn, checkpointsTold(turn.primary.tracker, copy, told));
}

export function takeOut<D>(turn: CopyTurn<D>, copy: AllocationId): void {
  advance(turn, removeCopy(turn.primary.tracker, copy));
}

/** Advances the global checkpoint with a tracker that has changed, and answers the reads that waited for it. */
export function advance<D>(turn: CopyTurn<D>, changed: ReplicationTracker): void {
  const tracker = advanceGlobalCheckpoint(changed, turn.rules);
  const { globalCheckpoint } = tracker;
  if (globalCheckpoint !== turn.state.globalCheckpoint) {
    turn.patch({ globalCheckpoint });
    turn.emit({ kind: 'keepGlobalCheckpoint', globalCheckpoint });
  }
  turn.patchPrimary({ tracker });
  const { reads } = turn.primary;
  const ready = [...reads].filter(([, seqNo]) => seqNo <= globalCheckpoint);
  if (ready.length === 0) return;
  turn.patchPrimary({ reads: new Map([...reads].filter(([, seqNo]) => seqNo > globalCheckpoint)) });
  for (const [ticket] of ready) turn.reply(ticket, { kind: 'readConfirmed' });
}

/** Keeps a write, or acknowledges it when it waits for nobody. */
export function settle<D>(turn: CopyTurn<D>, ticket: string, write: PendingWrite<D>): void {
  const { writes } = turn.primary;
  if (write.waitingFor.size > 0) {
    turn.patchPrimary({ writes: new Map(writes).set(ticket, write) });
    return;
  }
  turn.patchPrimary({ writes: withoutKey(writes, ticket) });
  const { operations, successful, failed } = write;
  turn.reply(ticket, { kind: 'acknowledged', operations, successful, failed });
}
