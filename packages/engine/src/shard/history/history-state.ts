/**
 * What the copies of a shard have agreed on, as one of them knows it and keeps it beside its operations.
 */
import type { ByteSink, ByteSource } from '@shoal/core';

/** Promise to keep the history from a number on, for the copy of a node. */
export interface HistoryLease {
  readonly retaining: number;
  /** Time since when no copy is assigned to the node, in ms of whoever gave the lease; null: one is. */
  readonly awaySinceMs: number | null;
}

/** What copies have agreed on, as far as this one knows. */
export interface HistoryState {
  readonly globalCheckpoint: number;
  readonly leases: ReadonlyMap<string, HistoryLease>;
}

export function isSameState(a: HistoryState, b: HistoryState): boolean {
  if (a.globalCheckpoint !== b.globalCheckpoint || a.leases.size !== b.leases.size) return false;
  if (a.leases === b.leases) return true;
  return [...a.leases].every(([node, { retaining, awaySinceMs }]) => {
    const other = b.leases.get(node);
    return other !== undefined && other.retaining === retaining && other.awaySinceMs === awaySinceMs;
  });
}

export function encodeLeases(sink: ByteSink, leases: HistoryState['leases']): void {
  sink.u32(leases.size);
  for (const [node, { retaining, awaySinceMs }] of leases) {
    sink.text(node);
    sink.f64(retaining);
    sink.f64(awaySinceMs ?? -1);
  }
}

export function decodeLeases(source: ByteSource): HistoryState['leases'] {
  const leases = new Map<string, HistoryLease>();
  for (let left = source.u32(); left > 0; left--) {
    const [node, retaining, since] = [source.text(), source.f64(), source.f64()];
    leases.set(node, { retaining, awaySinceMs: since < 0 ? null : since });
  }
  return leases;
}

/** What a commit and the log after it say together: a commit holds only what was agreed, whatever the log heard of it. */
export function newerState(commit: HistoryState, log: HistoryState | null): HistoryState {
  return {
    globalCheckpoint: Math.max(commit.globalCheckpoint, log?.globalCheckpoint ?? -1),
    leases: log?.leases ?? commit.leases,
  };
}
