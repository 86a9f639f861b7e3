/**
 * Numbers that a copy of a closed index keeps, from the check that it can be opened.
 */
import type { ShardStatsMap } from '@shoal/protocol';

/** @param stats of the copy while it was open */
export function closedStatsOf(stats: ShardStatsMap): ShardStatsMap {
  const { docCount, deletedCount, storeBytes, maxSeqNo, localCheckpoint, segmentCount } = stats;
  return {
    docCount: docCount ?? 0,
    deletedCount: deletedCount ?? 0,
    storeBytes: storeBytes ?? 0,
    unloadedSegmentCount: segmentCount ?? 0,
    maxSeqNo: maxSeqNo ?? -1,
    localCheckpoint: localCheckpoint ?? -1,
  };
}
