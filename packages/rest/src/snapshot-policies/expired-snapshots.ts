/**
 * Which snapshots of a policy are kept no longer. Pure.
 */
import type { SnapshotInfo } from '@shoal/protocol';
import type { Retention } from './snapshot-policy.ts';

/** @param snapshots of one policy, finished ones and others. @returns those to be deleted, the oldest first */
export function expiredSnapshots(
  snapshots: readonly SnapshotInfo[],
  { expireAfterMs, minCount, maxCount }: Retention,
  nowMs: number,
): readonly SnapshotInfo[] {
  const finished = snapshots.filter(({ state }) => state !== 'IN_PROGRESS').sort((a, b) => a.startMs - b.startMs);
  const whole = finished.filter(({ state }) => state === 'SUCCESS');
  const isOld = ({ startMs }: SnapshotInfo): boolean => expireAfterMs !== null && nowMs - startMs > expireAfterMs;
  return finished.filter((snapshot) => {
    const at = whole.indexOf(snapshot);
    // One that is not whole is worth nothing to keep for a number of them.
    if (at === -1) return isOld(snapshot);
    const newer = whole.length - at - 1;
    if (minCount !== null && newer < minCount) return false;
    return (maxCount !== null && newer >= maxCount) || isOld(snapshot);
  });
}
