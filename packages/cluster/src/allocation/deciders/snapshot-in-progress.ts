/** `snapshot_in_progress`: a primary stays where it is while its files go into a snapshot. */
import { type Decider, throttle, yes } from './decider.ts';

export const snapshotInProgress: Decider = {
  name: 'snapshot_in_progress',
  canAllocate: ({ state, copy }) => {
    const { runningSnapshots } = state.metadata;
    if (runningSnapshots.length === 0) return yes(() => 'no snapshots are currently running');
    const isInSnapshot =
      copy.isPrimary &&
      copy.nodeId !== null &&
      runningSnapshots.some(({ indices, isAborted }) => !isAborted && indices.includes(copy.index));
    return isInSnapshot
      ? throttle(
          () =>
            `waiting for snapshotting of shard [[${copy.index}][${copy.shard}]] to complete on this node [${copy.nodeId}]`,
        )
      : yes(() => 'the shard is not being snapshotted');
  },
};
