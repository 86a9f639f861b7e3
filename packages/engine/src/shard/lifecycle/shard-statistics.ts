/**
 * What a shard tells of itself: documents, bytes, and what it has done so far.
 */

import type { SegmentSet } from '../commit/segment-set.ts';
import type { ShardStats } from '../contract/shard.ts';
import type { ShardCounters } from '../contract/shard-counters.ts';
import type { Translog } from '../translog/translog.ts';
import type { ShardWriter } from '../writing/shard-writer.ts';

export interface CountedParts {
  readonly writer: ShardWriter;
  readonly segments: SegmentSet;
  readonly translog: Translog;
}

export type CountedStats = Pick<
  ShardStats,
  | 'docCount'
  | 'deletedCount'
  | 'storeBytes'
  | 'segmentCount'
  | 'translogOperations'
  | 'translogBytes'
  | 'maxSeqNo'
  | 'localCheckpoint'
  | 'indexTotal'
  | 'indexTimeMs'
  | 'indexFailed'
  | 'deleteTotal'
  | 'queryTotal'
  | 'queryTimeMs'
  | 'fetchTotal'
  | 'fetchTimeMs'
  | 'getTotal'
  | 'refreshTotal'
  | 'refreshTimeMs'
  | 'memoryBytes'
>;

export function countedStats({ writer, segments, translog }: CountedParts, counters: ShardCounters): CountedStats {
  const { searcher, states } = segments;
  const sum = (of: (state: SegmentSet['states'][number]) => number): number =>
    states.reduce((total, state) => total + of(state), 0);
  return {
    docCount: searcher.liveCount,
    deletedCount: searcher.maxDoc - searcher.liveCount,
    storeBytes: sum((state) => state.segment.sizeBytes) + translog.sizeBytes,
    segmentCount: states.length,
    translogOperations: translog.operationCount,
    translogBytes: translog.sizeBytes,
    maxSeqNo: writer.maxSeqNo,
    localCheckpoint: writer.maxSeqNo,
    indexTotal: counters.indexTotal,
    indexTimeMs: Math.round(counters.indexTimeMs),
    indexFailed: counters.indexFailed,
    deleteTotal: counters.deleteTotal,
    queryTotal: counters.queryTotal,
    queryTimeMs: Math.round(counters.queryTimeMs),
    fetchTotal: counters.fetchTotal,
    fetchTimeMs: Math.round(counters.fetchTimeMs),
    getTotal: counters.getTotal,
    refreshTotal: counters.refreshTotal,
    refreshTimeMs: Math.round(counters.refreshTimeMs),
    ...counters.filters.stats(),
    memoryBytes: writer.memoryBytes + sum((state) => state.segment.memoryBytes),
  };
}
