/**
 * Delayed allocation: a replica whose node left waits for the node to come back with what it had, before another node gets
 * everything over the network.
 */
import type { ClusterState, IndexMetadata, ShardRouting } from '@shoal/cluster-state';
import { parseDurationMs } from '@shoal/schema';
import { isDelayed } from '../reading/delayed-copy.ts';
import { retryWaitMs } from './rules/allocation-retry.ts';

/** Default of `index.unassigned.node_left.delayed_timeout`. */
const DELAY_MS_DEFAULT = 60_000;

/** Time for which replicas of a node that left wait for it; 0: not at all. */
export function nodeLeftDelayMs({ settings }: Pick<IndexMetadata, 'settings'>): number {
  const text = settings['index.unassigned.node_left.delayed_timeout'];
  return Math.max(0, text === undefined ? DELAY_MS_DEFAULT : (parseDurationMs(text) ?? DELAY_MS_DEFAULT));
}

/** Time for which the copy still waits for its node; 0 when it does not. */
export function delayLeftMs(state: ClusterState, copy: ShardRouting, nowMs: number): number {
  const index = state.metadata.indices.get(copy.index);
  const info = copy.unassigned;
  if (!isDelayed(copy) || info === null || index === undefined) return 0;
  const delayMs = nodeLeftDelayMs(index);
  const leftMs = info.atMs + delayMs - nowMs;
  // A departure in the future was stamped by another clock: one that is far ahead says nothing of how long ago it was.
  return leftMs > 2 * delayMs ? 0 : Math.min(Math.max(0, leftMs), delayMs);
}

/**
 * Time until each copy that waits, for a retry or for its node, may be assigned; 0 when it may be now. Keys name the wait: a copy that
 * fails again has another one.
 */
export function waitsOfCopies(state: ClusterState, nowMs: number): ReadonlyMap<string, number> {
  const waits = new Map<string, number>();
  for (const shards of state.routing.indices.values()) {
    for (const [shard, copies] of shards.entries()) {
      for (const [at, copy] of copies.entries()) {
        const info = copy.unassigned;
        if (copy.state !== 'UNASSIGNED' || info === null) continue;
        if (info.failedAllocations === 0 && !isDelayed(copy)) continue;
        const retryMs = retryWaitMs(state, copy, nowMs);
        if (retryMs === null && !isDelayed(copy)) continue;
        const key = `${copy.indexUuid}/${shard}/${at}/${info.atMs}/${info.failedAllocations}`;
        waits.set(key, Math.max(retryMs ?? 0, delayLeftMs(state, copy, nowMs)));
      }
    }
  }
  return waits;
}
