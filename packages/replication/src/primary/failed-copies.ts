/**
 * Copies that fail a primary: writes go on without one only when the cluster manager has committed that it is stale.
 *
 * A primary that is cut off gets no such answer, and acknowledges nothing.
 */
import type { CopyTurn } from '../copy/copy-turn.ts';
import type { AllocationId } from '../group/shard-group.ts';
import type { ShardOperation } from '../sequence/shard-operation.ts';
import { withoutKey } from '../sequence/without.ts';
import { dropRequestsTo } from './copy-requests.ts';
import { countOut, takeOut } from './pending-writes.ts';

/**
 * @param how `gone`: its node has it no more. It was moved or taken away, which is no failure that a client should hear of, or it
 *            failed by itself, which the cluster manager hears from its node.
 */
export function failCopy<O extends ShardOperation>(
  turn: CopyTurn<O>,
  allocationId: AllocationId,
  how: 'failed' | 'gone' = 'failed',
): void {
  const { failing, tracker, recoveries } = turn.primary;
  if (failing.has(allocationId) || !(tracker.copies.has(allocationId) || recoveries.has(allocationId))) return;
  turn.patchPrimary({ failing: new Map(failing).set(allocationId, how) });
  turn.ask({ kind: 'copyFailed', allocationId, primaryTerm: turn.state.term, markStale: true });
  if (!turn.rules.staleMarkBeforeAck) countOut(turn, allocationId, true);
}

/**
 * The copy is out: committed, whether because this primary asked for it or for another reason. One that nobody called failed has
 * moved, or is not wanted any more.
 */
export function copyIsOut<O extends ShardOperation>(turn: CopyTurn<O>, allocationId: AllocationId): void {
  const { failing, recoveries } = turn.primary;
  turn.patchPrimary({ failing: withoutKey(failing, allocationId), recoveries: withoutKey(recoveries, allocationId) });
  endRecoveryReads(turn, allocationId);
  dropRequestsTo(turn, allocationId);
  countOut(turn, allocationId, failing.get(allocationId) === 'failed');
  if (turn.primary.tracker.copies.has(allocationId)) takeOut(turn, allocationId);
}

/** Nobody wants the history any more that is read for this copy. */
function endRecoveryReads<O extends ShardOperation>(turn: CopyTurn<O>, target: AllocationId): void {
  for (const [number, job] of turn.state.jobs) {
    if (job.kind !== 'recoveryRead' || job.target !== target) continue;
    turn.endJob(number);
    turn.emit({ kind: 'endRead', job: number });
  }
}
