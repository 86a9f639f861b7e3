/**
 * Indices that must stay as they are while a snapshot of them is being made.
 */

import type { ClusterState, IndexMetadata } from '@shoal/cluster-state';
import { ShoalError } from '@shoal/core';

/**
 * @param doing what is asked: `delete` or `close`
 * @throws snapshot_in_progress_exception when a snapshot, other than a partial one, needs one of the indices
 */
export function checkNotSnapshotted(state: ClusterState, indices: readonly IndexMetadata[], doing: string): void {
  const { runningSnapshots } = state.metadata;
  if (runningSnapshots.length === 0) return;
  const needed = new Set(runningSnapshots.filter(({ isPartial }) => !isPartial).flatMap((running) => running.indices));
  const kept = indices.filter(({ name }) => needed.has(name));
  if (kept.length === 0) return;
  const shown = kept.map(({ name, uuid }) => `[${name}/${uuid}]`).join(', ');
  throw new ShoalError(
    'snapshot_in_progress_exception',
    400,
    `Cannot ${doing} indices that are being snapshotted: [${shown}]. Try again after snapshot finishes or cancel the currently running snapshot.`,
  );
}
