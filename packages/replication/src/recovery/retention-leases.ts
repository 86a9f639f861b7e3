/**
 * Retention leases: how much history is kept for copies that are away, so that they come back by operations alone.
 *
 * The primary gives and renews them, all copies know them, and each keeps what the lowest asks for.
 */
import type { CopyTurn } from '../copy/copy-turn.ts';
import type { RetentionLease } from '../copy/recovery-state.ts';
import type { NodeId } from '../group/shard-group.ts';
import type { ShardOperation } from '../sequence/shard-operation.ts';

export function setLease<O extends ShardOperation>(turn: CopyTurn<O>, node: NodeId, lease: RetentionLease): void {
  turn.keepLeases(new Map(turn.state.leases).set(node, lease));
}

/** Renews the leases of copies in sync by what they know to be agreed, and drops those of nodes that were away too long. */
export function renewLeases<O extends ShardOperation>(turn: CopyTurn<O>): void {
  const { group, nowMs } = turn.state;
  const { tracker } = turn.primary;
  const renewed = new Map(turn.state.leases);
  const assigned = new Set<NodeId>();
  for (const [id, { node }] of group?.copies ?? []) {
    assigned.add(node);
    const copy = tracker.copies.get(id);
    const before = renewed.get(node)?.retaining ?? 0;
    if (copy?.isInSync === true) {
      renewed.set(node, { retaining: Math.max(before, copy.globalCheckpoint + 1), awaySinceMs: null });
    }
  }
  for (const [node, { retaining, awaySinceMs }] of renewed) {
    if (assigned.has(node)) continue;
    const since = awaySinceMs ?? nowMs;
    if (nowMs - since > turn.context.leasePeriodMs) renewed.delete(node);
    else renewed.set(node, { retaining, awaySinceMs: since });
  }
  if (!isSame(renewed, turn.state.leases)) turn.keepLeases(renewed);
}

function isSame(a: ReadonlyMap<NodeId, RetentionLease>, b: ReadonlyMap<NodeId, RetentionLease>): boolean {
  return (
    a.size === b.size &&
    [...a].every(([node, { retaining, awaySinceMs }]) => {
      const other = b.get(node);
      return other?.retaining === retaining && other.awaySinceMs === awaySinceMs;
    })
  );
}

/**
 * Tells the engine what it must keep: the history that leases ask for, and a commit without anything that may still change,
 * which recoveries copy and rollbacks begin from.
 */
export function retain<O extends ShardOperation>(turn: CopyTurn<O>): void {
  const { leases, globalCheckpoint, historyFrom, persisted } = turn.state;
  const asked = [...leases.values()].map(({ retaining }) => retaining);
  const from = Math.max(historyFrom, Math.min(globalCheckpoint + 1, ...asked));
  turn.patch({ historyFrom: from });
  const commitThrough = turn.rules.safeCommitOnly ? globalCheckpoint : persisted.checkpoint;
  turn.emit({ kind: 'retain', from, commitThrough });
}
