/**
 * Retries of a copy that failed to start: how many, and how long after the last failure the next one begins.
 *
 * The waits grow, so that the retries outlast what passes by itself: a disk that was full, files that another process still
 * held, a thread that ended. Without them all five were used up in a fraction of a second.
 */
import type { ClusterState, ShardRouting } from '@shoal/cluster-state';

/** Default of `index.allocation.max_retries`: failed starts in a row after which a copy is left alone. */
const RETRIES_DEFAULT = 5;
const FIRST_WAIT_MS = 500;
const WAIT_FACTOR = 4;
const WAIT_MS_MAX = 5 * 60_000;

export function maxRetries(state: ClusterState, index: string): number {
  const text = state.metadata.indices.get(index)?.settings['index.allocation.max_retries'];
  return text === undefined ? RETRIES_DEFAULT : Number.parseInt(text, 10);
}

/** Time until the copy may be tried again, 0 when it may be now; null when all its retries are used up. */
export function retryWaitMs(state: ClusterState, copy: ShardRouting, nowMs: number): number | null {
  const info = copy.unassigned;
  if (info === null || info.failedAllocations === 0) return 0;
  if (info.failedAllocations >= maxRetries(state, copy.index)) return null;
  const waitMs = Math.min(FIRST_WAIT_MS * WAIT_FACTOR ** (info.failedAllocations - 1), WAIT_MS_MAX);
  // A failure in the future was stamped by another clock: it says nothing of how long ago it was.
  return nowMs < info.atMs ? 0 : Math.max(0, info.atMs + waitMs - nowMs);
}
