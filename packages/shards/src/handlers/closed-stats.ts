/**
 * Numbers that are told of a copy whose index is closed.
 */
import type { ShardStatsMap } from '@shoal/protocol';

/** @param stats of the copy as it runs */
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
